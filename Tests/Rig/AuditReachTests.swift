import Foundation
import HILExecution
import HILPOSIX
import HILRecord
import RadioModel
import StubRig
import Testing

/// Where the traffic of an audit's attackers goes: all frames of its captures, and all of IP on the machine.
@Suite(.serialized, .enabled(if: RealRig.isReady, "\(RealRig.notReady)"), .timeLimit(.minutes(15)))
struct AuditReachTests {
    /// The addresses of the virtual rig's radios that a stranger may send to: the accessory's Wi-Fi and the home's router.
    private static let stations = ["02:00:00:00:02:00", "02:00:00:00:03:00"]
    private static let isLong = ProcessInfo.processInfo.environment["HIL_TRIALS"] != nil
    /// One of each family; the long tests have ten.
    private static let controls =
        ["air.name", "pairing.legacy", "access.matrix", "wifi.isolation"]
        + (isLong
            ? [
                "pairing.ownersBond", "robustness.attributes", "robustness.connections", "robustness.occupied",
                "robustness.advertisements", "wifi.tls",
            ] : [])

    @Test("Strangers reach the accessory that is attacked, and no neighbour; nothing uses the machine's network")
    func reach() async throws {
        let folder = RealRig.results()
        let network = MachineNetwork(in: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let run = try RunnerProcess(
            "hil-trials",
            [
                "weak-accessories", "audit", "lampAmongOthers", "guestsMeet[accessory=weak]", "--only",
                Self.controls.joined(separator: ","), "--packets", "300", "--jobs", "1", "--format", "json", "--out",
                folder,
            ], after: try network.command())
        let watch = Task { try await network.watch(run) }
        let (status, record) = await run.end()
        let sockets = try await watch.value
        #expect(sockets.looks > Self.controls.count, "the sockets were looked at \(sockets.looks) times")
        #expect(sockets.found == [], "sockets of the machine's network")
        #expect(try network.traffic() == [:], "packets on the machine's network")
        #expect(status == .exited(1), "guests of the weak lamp meet")
        let path = try #require(record.info?.folder)
        var (links, packets, frames, datagrams) = (0, 0, 0, 0)
        for entry in record.entries {
            let check = entry.info.identifier
            #expect([.passed, .failed, .skipped].contains(entry.result?.judgement.verdict), "\(check)")
            guard entry.result?.judgement.verdict != .skipped else { continue }
            let story = run.lines.events.filter { $0.scenario == check }
            let reach = try Self.reach("\(path)/\(entry.info.folder)", story)
            #expect(reach.strays.prefix(10) == [], "\(check): \(reach.strays.count) strays")
            let ip = await StationPackets(in: "\(path)/\(entry.info.folder)", of: Self.stations(of: story))
            #expect(ip.astray == [], "\(check)")
            datagrams += ip.count
            (links, packets, frames) = (links + reach.links, packets + reach.packets, frames + reach.frames)
        }
        // Without attacks, the test shows nothing. The long tests were seen with 44, 883, 22 and 4.
        #expect(
            links > (Self.isLong ? 20 : 4) && packets > (Self.isLong ? 400 : 40), "\(links) links, \(packets) packets")
        #expect(frames > (Self.isLong ? 10 : 4) && datagrams > 1, "\(frames) frames, \(datagrams) datagrams")
    }

    private static func reach(_ folder: String, _ story: [RunLine]) throws -> AttackReach {
        let capture = try #require(FileManager.default.contents(atPath: "\(folder)/capture.pcapng"), "\(folder)")
        return AttackReach(
            [UInt8](capture), of: story, stations: Set(try Self.stations.map { try #require(DeviceAddress($0)) }))
    }

    /// The stations of the strangers, as tshark writes them.
    private static func stations(of story: [RunLine]) -> [String] {
        story.compactMap { line in
            guard case .audit(.stranger(let address, "air-wifi"))? = line.worker else { return nil }
            return address.lowercased()
        }
    }

    @Test("A single datagram and a socket that waits are seen on the machine's network")
    func network() async throws {
        let folder = RealRig.results()
        let network = MachineNetwork(in: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let script = """
            import socket, sys
            waiting = socket.socket(); waiting.bind(("0.0.0.0", 0)); waiting.listen()
            try: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 9))
            except OSError: pass
            print("sent", flush=True); sys.stdin.read()
            """
        let input = try Descriptor.pipe()
        let program = try LineProcess(
            try network.command() + ["python3", "-c", script], environment: ProcessInfo.processInfo.environment,
            input: input.read)
        try await program.line(with: "sent")
        #expect(MachineNetwork.sockets(of: [program.process.pid]).contains { $0.hasPrefix("tcp ") })
        input.write.close()
        #expect(await program.process.wait() == .exited(0))
        #expect(try network.traffic() != [:])
    }
}

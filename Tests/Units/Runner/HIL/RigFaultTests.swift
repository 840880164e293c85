import BoardProtocol
import Foundation
import HILPOSIX
import HILRecord
import HILTiming
import RadioModel
import RigModel
import StubRig
import TestSupport
import Testing
import VirtualRig

@testable import HIL

@MainActor
struct RigFaultTests {
    private static let device = DeviceAddress("02:00:00:00:00:01")!

    /// A rig with two agents. Here one stub plays both.
    private func bare(_ client: BoardClient) -> RigConnection {
        RigConnection(StubRigKind.twoAgents, host: client, accessory: client)
    }

    @Test("A board with traces of an earlier scenario, or without a daemon, is not pristine")
    func pristine() {
        let now: UInt64 = 1_800_000_000_000_000_000
        func before(_ health: BoardHealth, of role: BoardRole) -> [Failure] {
            RigHandle.faultsBefore(health, of: role, asked: now, answered: now)
        }
        func always(_ health: BoardHealth, of role: BoardRole) -> [Failure] {
            RigHandle.faultsAlways(health, of: role, asked: now, answered: now)
        }
        let healthy = BoardHealth(clock: now, daemons: [.supplicant])
        #expect(before(healthy, of: .host).isEmpty)
        #expect(
            before(healthy, of: .accessory).map(\.message) == [
                "bluetoothd does not run on the accessory board", "hostapd does not run on the accessory board",
            ])
        // The accessory's program runs these daemons itself, or uses their radio in another way.
        for owned: Set<OwnedDaemon> in [[.bluetoothd, .hostapd], [.bluetoothd, .wpaSupplicant, .dnsmasq]] {
            let handedOver = BoardHealth(clock: now, owned: owned)
            #expect(always(handedOver, of: .accessory).isEmpty)
        }
        let used = BoardHealth(
            clock: now, areRadiosPowered: false, bonds: [Self.device], networks: ["Die 7"])
        #expect(
            before(used, of: .host).map(\.message) == [
                "wpa_supplicant does not run on the host board", "the host board's radios are not powered",
                "the host board has a bond of an earlier scenario, with 02:00:00:00:00:01",
                "the host board has a network of an earlier scenario, “Die 7”",
            ])
        #expect(before(used, of: .host).map(\.finding?.kind) == [.daemon, .board, .leak, .leak])
        // After a scenario, its bonds and networks are not a problem.
        #expect(always(used, of: .host).map(\.message) == ["wpa_supplicant does not run on the host board"])
    }

    @Test("A clock is wrong that was never right between the question and the answer, however late the answer is read")
    func clocks() {
        let asked: UInt64 = 1_800_000_000_000_000_000
        let cases: [(clock: Int64, answered: Int64, faults: [String])] = [
            (-9, 0, []), (60, 0, ["the host board's clock is ahead by 60 s"]), (0, 40, []), (49, 40, []),
            (-12, 40, ["the host board's clock is behind by 12 s"]),
            // This machine's own clock was set back meanwhile.
            (0, -3600, []),
        ]
        for (clock, answered, faults) in cases {
            func time(_ seconds: Int64) -> UInt64 { UInt64(Int64(asked) + seconds * 1_000_000_000) }
            let board = BoardHealth(clock: time(clock), daemons: [.supplicant])
            let found = RigHandle.faultsAlways(board, of: .host, asked: asked, answered: time(answered))
            #expect(found.map(\.message) == faults)
        }
    }

    @Test(
        "A daemon that ends, an agent that starts anew and bytes that are none are the rig's faults, each as often as told"
    )
    func findings() async throws {
        let test = try TestLab()
        test.accessory.tell(.daemonLost(name: "bluetoothd", how: "it was ended by signal 11\nbluetoothd+0x1"))
        test.host.tell(.refused("12 bytes"))
        try await test.recorded.wait(for: "both failures to be recorded") { test.failures.count >= 2 }
        #expect(test.failures.allSatisfy { $0.kind == .rig })
        #expect(
            Set(test.failures.map(\.message)) == [
                "bluetoothd on the accessory board was ended by signal 11\nbluetoothd+0x1",
                "the host board's agent refused bytes: 12 bytes",
            ])
    }

    @Test("A daemon that ends while an accessory is on is the accessory's failure, and names a late answer")
    func provoked() {
        func failure(
            _ name: String = "bluetoothd", after: LateAnswer? = nil, board: BoardRole = .accessory,
            version: String? = "5.82", isInUse: Bool = true, how: String = "it was ended by signal 6 (Aborted)"
        ) -> Failure {
            DaemonLoss(name: name, how: how + "\nbluetoothd+0x1", after: after, board: board, version: version)
                .failure(isInUse: isInUse)
        }
        let ended = "bluetoothd on the accessory board was ended by signal 6 (Aborted)"
        #expect(failure(isInUse: false).kind == .rig && failure(isInUse: false).message == ended + "\nbluetoothd+0x1")
        #expect(failure("wpa_supplicant", board: .host).kind == .rig)
        #expect(failure().kind == .product)
        #expect(failure().message == ended + ", while it worked for the accessory\nbluetoothd+0x1")
        #expect(failure().finding == Finding(.daemon, of: .accessory, program: "bluetoothd"))
        let phone = DeviceAddress("4F:BC:8F:E1:D4:D4")
        func late(_ call: String) -> LateAnswer {
            LateAnswer(call: call, object: "/com/example/service0/char1", phone: phone, late: 0.21, before: 0.003)
        }
        let told =
            ": 3 ms before, the accessory answered ReadValue of service0/char1, 210 ms after the link with "
            + "4F:BC:8F:E1:D4:D4 had ended"
        let known = failure(after: late("ReadValue")).message
        #expect(
            known.hasPrefix(ended + ", as in bluez/bluez#2447, in BlueZ since 5.64" + told + "; answer"), "\(known)")
        let never = LateAnswer(call: "ReadValue", object: "/a/service0/char1", phone: phone, late: nil, before: 5)
        let open =
            ": 5 s before, the link with 4F:BC:8F:E1:D4:D4 ended, and the accessory had not answered ReadValue of "
            + "service0/char1; answer at once"
        #expect(failure(after: never).message.contains("#2447, in BlueZ since 5.64" + open), "\(failure(after: never))")
        #expect(failure(after: late("AcquireNotify")).message.contains("bluez/bluez#525"))
        #expect(!failure(after: late("ReadValue"), version: "5.50").message.contains("#"))
        #expect(failure(after: late("ReadValue"), version: nil).message.contains("#2447"))
        #expect(!failure("hostapd", after: late("ReadValue")).message.contains("#"))
        #expect(failure().basis == .certain, "a late machine makes no daemon crash")
        for how in ["it was ended by signal 9 (Killed)", "it was ended by signal 15 (Terminated)", "it exited with 1"] {
            #expect(failure(how: how).basis == .seen, "\(how)")
        }
    }

    @Test("A daemon that the accessory brings down is missed no more afterwards, whether its failure counts or not")
    func broughtDown() {
        func end(_ name: String, isInUse: Bool) -> Failure {
            DaemonLoss(name: name, how: "it exited with 1", after: nil, board: .accessory, version: nil)
                .failure(isInUse: isInUse)
        }
        let health = BoardHealth(clock: 1, areRadiosPowered: true)
        let missed = RigHandle.faultsAlways(health, of: .accessory, asked: 1, answered: 1)
        #expect(missed.count == 2)
        for counts in [true, false] {
            let recorder = ScenarioRecorder { _ in }
            recorder.collect { _ in !counts }
            recorder.record(.failure(end("bluetoothd", isInUse: true)))
            #expect(recorder.failures.isEmpty == !counts)
            let left = RigHandle.faults(missed, without: recorder.broughtDown)
            #expect(left.map(\.message) == ["hostapd does not run on the accessory board"])
            recorder.record(.failure(end("hostapd", isInUse: false)))
            #expect(RigHandle.faults(missed, without: recorder.broughtDown).count == 1, "that one is the rig's fault")
        }
    }

    @Test("An event that a fault causes is not a failure, once for each time the fault was asked for")
    func tolerance() {
        let tolerance = Tolerance()
        let loss = BoardEvent.daemonLost(name: "hostapd", how: "it was ended by signal 9 (Killed)")
        #expect(!tolerance.covers(loss, of: .accessory))
        tolerance.expectLoss(of: .hostapd, on: .accessory)
        #expect(!tolerance.covers(loss, of: .host))
        #expect(tolerance.covers(loss, of: .accessory))
        #expect(!tolerance.covers(loss, of: .accessory))

        tolerance.expectRestart(of: .host)
        #expect(tolerance.covers(.refused("half a frame"), of: .host))
        #expect(!tolerance.covers(.refused("half a frame"), of: .accessory))
        #expect(tolerance.covers(.agentStarted, of: .host))
        #expect(!tolerance.covers(.agentStarted, of: .host))

        tolerance.expectRadiosGone(true, of: .host)
        #expect(tolerance.coversRadios(of: "host bluetooth"))
        #expect(!tolerance.coversRadios(of: "accessory wifi"))
        tolerance.expectRadiosGone(false, of: .host)
        #expect(!tolerance.coversRadios(of: "host bluetooth"))
    }

    @Test("A fault without proof is an error of the rig, and its body does not run")
    func unproved() async throws {
        // The stub's clock stays at zero, so the jump cannot be seen.
        let (end, stub) = try UnixSocket.pair()
        let agent = StubAgent(stub, role: .host) { command in
            if case .system(.health(let reply)) = command { reply(BoardHealth(clock: 0)) } else { nil }
        }
        let client = BoardClient(end, role: .host)
        let rig = RigHandle(bare(client))
        await #expect(throws: RigFailure.self) {
            try await rig.withFault(.clockJump(by: .seconds(3600), on: .host)) { Issue.record("the body ran") }
        }
        withExtendedLifetime(agent) {}
    }

    @Test("A board that does not report its fault in time is an error of the rig, never of the product")
    func untold() async throws {
        let clock = ManualClock()
        let (end, stub) = try UnixSocket.pair()
        let agent = StubAgent(stub, role: .accessory)
        let client = BoardClient(end, role: .accessory)
        let rig = RigHandle(bare(client), clock: clock)
        for (fault, limit) in [(.killed(.hostapd, on: .accessory), 5), (.agentKilled(on: .accessory), 30)]
            as [(BoardFault, Int)]
        {
            let fired = Task { @MainActor in
                try await rig.withFault(fault) { Issue.record("the body ran") }
            }
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(limit))
            let error = await #expect(throws: RigFailure.self) { try await fired.value }
            #expect(error?.description.hasPrefix("firing “\(fault)”: waited \(limit) s for ") == true)
        }
        withExtendedLifetime(agent) {}
    }

    @Test("A power switch that refuses, or that ends, is an error of the rig, never of the product")
    func brokenSwitch() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hil-switch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("qmp.sock").path
        let listener = try UnixSocket.listen(at: path)
        let (end, stub) = try UnixSocket.pair()
        let agent = StubAgent(stub, role: .host) { command in
            switch command {
            case .system(.health(let reply)): reply(BoardHealth(clock: 0))
            default: nil
            }
        }
        let client = BoardClient(end, role: .host)
        var connection = bare(client)
        connection.power = VirtualPower(sockets: [.host: path])
        let rig = RigHandle(connection)
        for words in [#"{"error":{"class":"GenericError","desc":"no"},"id":0}"# + "\n", ""] {
            startThread(named: "switch") {
                guard let connection = try? UnixSocket.accept(on: listener) else { return }
                if !words.isEmpty {
                    _ = try? connection.read()
                    try? connection.write(Array(words.utf8))
                }
                connection.close()
            }
            await #expect(throws: RigFailure.self) {
                try await rig.withFault(.powerCut(on: .host)) { Issue.record("the body ran") }
            }
        }
        #expect(Failure.Kind(of: RigFailure("keeping both boards", "the disk is full")) == .rig)
        withExtendedLifetime(agent) {}
    }

    @Test("A fault is repaired if its body throws, and the error is the body's")
    func undone() async throws {
        struct Broken: Error {}
        let asked = EventLog<String>()
        let (end, stub) = try UnixSocket.pair()
        let agent = StubAgent(stub, role: .host) { command in
            asked.append(command.name)
            switch command {
            case .fault(.fillDisk(let bytes, let reply)): return reply(bytes)
            case .fault(.freeDisk(let reply)): return reply(1 << 20)
            default: return nil
            }
        }
        let client = BoardClient(end, role: .host)
        let rig = RigHandle(bare(client))
        await #expect(throws: Broken.self) {
            try await rig.withFault(.diskFull(on: .host, leaving: 4096)) { throw Broken() }
        }
        #expect(asked.events == ["fault.fillDisk", "fault.freeDisk"])
        withExtendedLifetime(agent) {}
    }
}

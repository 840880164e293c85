import Foundation
import HILPOSIX
import RigModel
import Synchronization

@testable import VirtualRig

/// A stock board as a process of this machine: the kernel of native boards with Debian's own first program. It is several
/// times as fast as an emulated one.
///
/// Its network is a tap interface of this machine, which needs root.
final class NativeStockMachine: StockMachine {
    private struct Running {
        let process: ChildProcess
        /// Its end is the end of all the board's processes.
        let lifeline: Descriptor
    }

    let name: String
    let address: String
    let port: UInt16 = 22
    private let command: [String]
    private let folder: String
    private let tap: String
    private let server: SerialServer
    private let running: Mutex<Running>

    /// - Parameters:
    ///   - number: The number of the board in this process, 0 to 15.
    ///   - folder: Where the air looks for its ports: `bluetooth.sock` and `wifi.sock`.
    init(
        _ name: String, number: Int, kernel: NativeKernel, image: String, agentDisk: String, folder: String
    ) async throws {
        (self.name, self.folder) = (name, folder)
        let own = Self.address(number, 2)
        address = own
        tap = "hil\(getpid())-\(number)"
        server = try SerialServer(
            kernelSocket: "\(folder)/serial.sock",
            ports: [("bluetooth", 2), ("wifi", 3)].map { port, number in
                PortPlan(number: number, name: port, path: "\(folder)/\(port).sock")
            }
        ) { _ in }
        command =
            NativeCommand.endsTogether + [
                "setarch", "--addr-no-randomize", try Self.launcher(of: kernel.linux, in: folder), "mem=512M",
                "ubd0=\(folder)/changes,\(image)/root.ext4",
                "ubd1rcd=\(agentDisk)", "root=/dev/ubda", "rootfstype=ext4", "rw", "init=/usr/sbin/init",
                "con0=null,fd:1", "con=null", "uml_dir=\(folder)", "lpj=20000000", "seccomp=auto", "quiet", "panic=-1",
                "mac80211_hwsim.radios=0", "virtio_uml.device=\(folder)/serial.sock:3",
                "vec0:transport=tap,ifname=\(tap),gro=1,mac=52:54:00:48:49:\(String(0x10 + number, radix: 16))",
                "systemd.hostname=\(name)", "stock.address=\(own)/30",
            ]
        for words in [
            ["ip", "tuntap", "add", "dev", tap, "mode", "tap"],
            ["ip", "address", "add", "\(Self.address(number, 1))/30", "dev", tap], ["ip", "link", "set", tap, "up"],
        ] { try await Self.run(words) }
        running = Mutex(try Self.start(command, in: folder))
    }

    /// An address of a board's network of four, in the block for tests (198.18.0.0/15, RFC 2544). Two processes have
    /// different ones.
    private static func address(_ number: Int, _ place: Int) -> String {
        let offset = (Int(getpid()) % 2048 * 16 + number) * 4 + place
        return "198.\(18 + offset >> 16).\(offset >> 8 & 0xFF).\(offset & 0xFF)"
    }

    /// Writes a program that Linux calls in place of itself when the board restarts, and returns its path. Otherwise the
    /// new Linux would find its devices in use, by descriptors of the old one.
    private static func launcher(of linux: String, in folder: String) throws -> String {
        let path = "\(folder)/linux"
        let script = """
            #!/bin/bash
            {
                for file in /proc/$$/fd/*; do
                    number=${file##*/}
                    if [ "$number" -gt 2 ]; then exec {number}>&-; fi
                done
                exec -a "$0" '\(linux)' "$@"
            }
            """
        try Data(script.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o700)
        return path
    }

    private static func start(_ command: [String], in folder: String) throws -> Running {
        let output = try Descriptor.open("\(folder)/kernel.log", O_WRONLY | O_CREAT | O_APPEND)
        let lifeline = try Descriptor.pipe()
        let process = try ChildProcess.spawn(
            command, environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR=/dev/shm"],
            streams: [.descriptor(lifeline.read), .descriptor(output), .descriptor(output)], ownGroup: true)
        lifeline.read.close()
        return Running(process: process, lifeline: lifeline.write)
    }

    private static func run(_ words: [String]) async throws {
        let program = try ChildProcess.spawn(words, streams: [.null, .null, .null], atParentDeath: .kill)
        let status = await program.wait()
        guard status.isSuccess else { throw RigFailure("calling \(words.joined(separator: " "))", "it \(status)") }
    }

    /// Whether this machine allows its interfaces.
    static func isPossible() async -> Bool {
        let name = "hil\(getpid())-99"
        do {
            try await run(["ip", "tuntap", "add", "dev", name, "mode", "tap"])
            try await run(["ip", "link", "delete", name])
            return true
        } catch { return false }
    }

    /// Removes the interfaces of processes that are gone, which could not do it themselves.
    static func sweep() async {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/class/net")) ?? []
        for name in names {
            guard let match = name.wholeMatch(of: /hil([0-9]+)-[0-9]+/), let owner = pid_t(match.1) else { continue }
            if kill(owner, 0) != 0 { try? await run(["ip", "link", "delete", name]) }
        }
    }

    var end: ExitStatus? { running.withLock { $0.process }.status }

    /// What this machine sends goes to an address that no board has: it is lost without an error, as on a cut cable. An
    /// interface that is down would be an error, after which the board's driver gives up.
    func setNetwork(_ isUp: Bool) async throws {
        let nobody = ["lladdr", "02:00:00:00:00:99", "nud", "permanent"]
        try await Self.run(
            ["ip", "neighbour", isUp ? "delete" : "replace", address, "dev", tap] + (isUp ? [] : nobody))
    }

    func reset() async throws {
        await switchOff()
        let next = try Self.start(command, in: folder)
        running.withLock { $0 = next }
    }

    private func switchOff() async {
        let running = running.withLock { $0 }
        running.lifeline.close()
        _ = await running.process.wait()
    }

    func stop() async {
        await switchOff()
        try? await Self.run(["ip", "link", "delete", tap])
    }
}

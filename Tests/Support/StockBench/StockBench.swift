import Foundation
import HILPOSIX
import HILTiming
import RigModel
import StubRig
import TestSupport

/// Benches of two boards each with Debian's own services, which this process has started and can only log in to.
package final class StockBench: Sendable {
    /// Whether their disk can be built here. It needs root, and two minutes for the first time.
    package static var isPossible: Bool { geteuid() == 0 }

    package static let host = "host-1", accessory = "accessory-1"

    /// The path of their SSH configuration.
    package let configuration: String
    /// How many benches there are: `host-1` with `accessory-1`, `host-2` and so on.
    package let count: Int
    private let program: LineProcess
    private let orders: Descriptor

    /// Starts the boards, and waits until they can be logged in to: some seconds, or two minutes if they are emulated.
    ///
    /// - Parameter count: How many benches, 1 to 8.
    package static func start(_ count: Int = 1) async throws -> StockBench {
        let script = "\(checkout)/Tests/Programs/Probe/StockBoards/build"
        let built = try await ProgramOutput(of: [script])
        guard built.status.isSuccess, let image = built.text.split(separator: "\n").last.map(String.init) else {
            throw RigFailure("building the disk of a stock board", "\(script) \(built.status)")
        }
        let orders = try Descriptor.pipe()
        let program = try LineProcess(
            [RunnerProcess.path(of: TestProgram.probe), "boards", image, "\(count)"],
            environment: ProcessInfo.processInfo.environment, input: orders.read, withErrors: false)
        orders.read.close()
        let ready = try await program.lines.first(
            within: .seconds(300 + 100 * count), waitingFor: "the stock boards")
        return StockBench(program, orders.write, count, configuration: String(ready.event.dropFirst("ready ".count)))
    }

    private init(_ program: LineProcess, _ orders: Descriptor, _ count: Int, configuration: String) {
        (self.program, self.orders, self.count, self.configuration) = (program, orders, count, configuration)
    }

    package func stop() async {
        orders.close()
        _ = await program.process.wait()
    }

    /// Does something to the boards from outside: `cut host-1`, `mend host-1`, `reset host-1`, `unplug host-1`.
    package func order(_ order: String) async throws {
        let place = program.lines.count
        try orders.write(Array("\(order)\n".utf8))
        let answer = try await program.lines.first(from: place, within: .seconds(400), waitingFor: "“\(order)”").event
        guard answer == "done" else { throw RigFailure(order, "hil-probe answered “\(answer)”") }
    }

    /// With these variables `hil` reaches the boards.
    package var environment: [String: String] { ["HIL_SSH_CONFIG": configuration] }

    /// Runs a command as root on a board, and returns what it printed.
    package func shell(_ board: String, _ command: String) async throws -> String {
        let words = ["ssh", "-F", configuration, "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", board]
        return try await ProgramOutput(of: words + ["sudo sh -c '\(command)'"]).text
    }

    /// Runs a command as root on a board that makes it unusable until ``undo(_:)``: then perhaps nobody can become root
    /// there, or knows its key.
    package func spoil(_ board: String, _ command: String, undoing: String) async throws {
        let waiting = "until test -e /tmp/undo; do sleep 0.2; done; rm /tmp/undo; \(undoing)"
        _ = try await shell(board, "systemd-run --quiet sh -c \"\(waiting)\"\n\(command)")
    }

    package func undo(_ board: String) async throws {
        _ = try await ProgramOutput(
            of: [
                "ssh", "-F", configuration, "-o", "BatchMode=yes", "-o", "ConnectTimeout=10",
                "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", board, "touch /tmp/undo",
            ])
    }

    /// Calls `hil` with these words, and returns what it printed and its exit code.
    ///
    /// - Parameter variables: Further variables of its environment.
    package func hil(
        _ words: [String], program: String = "hil", with variables: [String: String] = [:]
    ) async throws -> (output: String, code: Int32) {
        let all = environment.merging(variables) { $1 }
        let output = try await ProgramOutput(
            of: [RunnerProcess.path(of: program)] + words,
            environment: RunnerProcess.environment + all.map { "\($0.key)=\($0.value)" }, withErrors: true)
        guard case .exited(let code) = output.status else { return (output.text, -1) }
        return (output.text, code)
    }

    /// What a run must leave as it was: services and whether they are masked, interfaces and their addresses and who
    /// manages them, the adapter's power, bonds and configuration by their content, and what runs of ours.
    ///
    /// busctl tells whether the adapter pairs: bluetoothctl is an agent itself, and bluetoothd may pair while there is one.
    package func state(of board: String) async throws -> String {
        try await shell(
            board,
            """
            for adapter in $(busctl --list tree org.bluez | grep -E "hci[0-9]+$"); do
                busctl get-property org.bluez $adapter org.bluez.Adapter1 Pairable
            done
            systemctl list-units --type=service --state=running --no-legend --plain | cut -d. -f1 \
                | grep -Ev "^(run-|user@|session|serial-getty@|systemd-(timedated|hostnamed)|nm-|NetworkManager-d|polkit)" | sort
            systemctl list-unit-files --state=masked,masked-runtime --no-legend | sort
            nmcli -t -f DEVICE,STATE device | grep -v p2p | sort
            ip -br address | cut -c 1-40 | sort
            bluetoothctl show | grep -E "Powered|Discoverable:"
            bluetoothctl devices Paired
            find /var/lib/bluetooth /etc -type f ! -path "*/settings" -exec sha256sum {} + | sort -k 2
            find /run/hil-keeper /run/hil /run/NetworkManager/conf.d -type f ! -name lock 2>/dev/null
            ps -e -o args | grep -E "^(/opt/hil|unshare|hostapd|dnsmasq)"
            """)
    }

    /// Waits until a board is as it was.
    ///
    /// - Returns: In what it differs when the time is over; nil if it is as it was.
    package func difference(of board: String, from before: String, within limit: Duration) async throws -> String? {
        let began = ContinuousClock.now
        var now = ""
        while began.duration(to: .now) < limit {
            now = (try? await state(of: board)) ?? "nobody can log in"
            if now == before { return nil }
            try await Task.sleep(for: .seconds(1))
        }
        let (old, new) = (Set(before.split(separator: "\n")), Set(now.split(separator: "\n")))
        return "gone \(old.subtracting(new)), new \(new.subtracting(old))"
    }
}

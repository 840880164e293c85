import Foundation
import HILFraming
import HILPOSIX
import HILTiming
import StubRig
import Testing

/// A bench of two boards with Debian's own services, which this test run has started and can only log in to.
final class StockBench: Sendable {
    /// Whether its disk can be built here. It needs root, and two minutes for the first time.
    static let isPossible =
        ProcessInfo.processInfo.environment["HIL_TESTS"] == "all" && geteuid() == 0

    static let host = "host-1", accessory = "accessory-1"

    /// The path of its SSH configuration.
    let configuration: String
    private let process: ChildProcess
    private let orders: Descriptor
    private let answers: EventLog<String>

    /// Starts both boards, and waits until they can be logged in to: a minute.
    static func start() async throws -> StockBench {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("StockBoards/build").path
        let image = try #require(await Shell.output([script])?.split(separator: "\n").last.map(String.init))
        let (orders, output) = (try Descriptor.pipe(), try Descriptor.pipe())
        let process = try ChildProcess.spawn(
            [RunnerProcess.path(of: "hil-stock-boards"), image, "1"], environment: RunnerProcess.environment,
            streams: [.descriptor(orders.read), .descriptor(output.write), .inherit], atParentDeath: .kill)
        orders.read.close()
        output.write.close()
        let answers = EventLog<String>()
        startThread(named: "stock-boards") { [read = output.read] in
            var lines = LineSplitter()
            while let bytes = try? read.read(), !bytes.isEmpty {
                for line in lines.push(bytes) { answers.append(String(decoding: line, as: UTF8.self)) }
            }
            answers.finish(throwing: CancellationError())
        }
        let ready = try await answers.first(within: .seconds(400), waitingFor: "the stock boards").event
        return StockBench(process, orders.write, answers, configuration: String(ready.dropFirst("ready ".count)))
    }

    private init(
        _ process: ChildProcess, _ orders: Descriptor, _ answers: EventLog<String>, configuration: String
    ) {
        (self.process, self.orders, self.answers, self.configuration) = (process, orders, answers, configuration)
    }

    func stop() async {
        orders.close()
        _ = await process.wait()
    }

    /// Does something to the boards from outside: `cut host-1`, `mend host-1`, `reset host-1`, `unplug host-1`.
    func order(_ order: String) async throws {
        let place = answers.count
        try orders.write(Array("\(order)\n".utf8))
        let answer = try await answers.first(from: place, within: .seconds(400), waitingFor: "“\(order)”").event
        #expect(answer == "done")
    }

    var environment: [String: String] { ["HIL_SSH_CONFIG": configuration] }

    /// Runs a command as root on a board, and returns what it printed.
    func shell(_ board: String, _ command: String) async throws -> String {
        let words = ["ssh", "-F", configuration, "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", board]
        return try #require(await Shell.output(words + ["sudo sh -c '\(command)'"]))
    }

    /// Calls `hil` with these words, and returns what it printed and its exit code.
    func hil(_ words: [String], program: String = "hil") async throws -> (output: String, code: Int32) {
        let pipe = try Descriptor.pipe()
        let child = try ChildProcess.spawn(
            [RunnerProcess.path(of: program)] + words,
            environment: RunnerProcess.environment + environment.map { "\($0.key)=\($0.value)" },
            streams: [.null, .descriptor(pipe.write), .descriptor(pipe.write)])
        pipe.write.close()
        let text = await withCheckedContinuation { continuation in
            startThread(named: "hil-output") { [read = pipe.read] in
                var bytes: [UInt8] = []
                while let more = try? read.read(), !more.isEmpty { bytes += more }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
        guard case .exited(let code) = await child.wait() else { return (text, -1) }
        return (text, code)
    }

    /// What a run must leave as it was: services and whether they are masked, interfaces and their addresses and who
    /// manages them, the adapter's power, bonds and configuration by their content, and what runs of ours.
    func state(of board: String) async throws -> String {
        try await shell(
            board,
            """
            systemctl list-units --type=service --state=running --no-legend --plain | cut -d. -f1 \
                | grep -Ev "^(run-|user@|session|systemd-(timedated|hostnamed)|nm-|NetworkManager-d|polkit)" | sort
            systemctl list-unit-files --state=masked,masked-runtime --no-legend | sort
            nmcli -t -f DEVICE,STATE device | grep -v p2p | sort
            ip -br address | cut -c 1-40 | sort
            bluetoothctl show | grep -E "Powered|Discoverable:|Pairable:"
            bluetoothctl devices Paired
            find /var/lib/bluetooth /etc -type f ! -path "*/settings" -exec sha256sum {} + | sort -k 2
            find /run/hil-keeper /run/hil /run/NetworkManager/conf.d -type f ! -name lock 2>/dev/null
            ps -e -o args | grep -E "^(/opt/hil|unshare|hostapd|dnsmasq)"
            """)
    }

    /// Waits until a board is as it was.
    func waitUntil(_ board: String, is before: String, within limit: Duration, _ comment: Comment) async throws {
        let began = ContinuousClock.now
        var now = ""
        while began.duration(to: .now) < limit {
            now = (try? await state(of: board)) ?? "nobody can log in"
            if now == before { return }
            try await Task.sleep(for: .seconds(1))
        }
        let (old, new) = (Set(before.split(separator: "\n")), Set(now.split(separator: "\n")))
        Issue.record("\(comment): gone \(old.subtracting(new)), new \(new.subtracting(old))")
    }
}

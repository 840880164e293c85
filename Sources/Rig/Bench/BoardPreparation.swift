import Foundation
import HILPOSIX
import RigModel
import Synchronization

/// Installs and removes the files that runs need on a board. The board's network is not changed.
package struct BoardPreparation: Sendable {
    /// The programs that a run needs on a board, and the Debian package of each.
    static let programs = [
        "avahi-daemon=avahi-daemon", "bluetoothd=bluez", "busybox=busybox", "dnsmasq=dnsmasq-base", "hostapd=hostapd",
        "ip=iproute2", "iw=iw",
        "unshare=util-linux", "wpa_supplicant=wpasupplicant",
    ]

    private let board: BoardAddress
    /// The folder `Fixtures/Bench`, with the scripts that run on the board.
    private let scripts: String
    private let progress: @Sendable (String) -> Void
    private let clock: any Clock<Duration>

    /// The limits of a command on a board.
    enum Limit {
        /// How long it may print nothing. Installing packages on a slow board takes a few minutes.
        static let silence = Duration.seconds(600)
        /// How much it may print, in bytes.
        static let output = 1 << 20
    }

    /// - Parameters:
    ///   - clock: Measures how long the board is silent.
    ///   - progress: Called with a line for each step.
    package init(
        _ board: BoardAddress, scripts: String, clock: any Clock<Duration> = ContinuousClock(),
        progress: @escaping @Sendable (String) -> Void
    ) {
        (self.board, self.scripts, self.clock, self.progress) = (board, scripts, clock, progress)
    }

    /// The board's processor architecture: `x86_64`, `aarch64`. It also shows whether the board can be reached.
    package func machine() async throws(RigFailure) -> String {
        let output = try await run("uname -m", input: nil, while: "checking the board")
        return output.last ?? ""
    }

    /// Installs packages and programs. It can be called again.
    ///
    /// - Parameters:
    ///   - tree: A folder with the files for `/opt/hil`.
    ///   - adapter: The address of the Bluetooth adapter that runs use; nil for the only one, or no change.
    ///   - interface: The name of the Wi-Fi interface that runs use; nil for the only one, or no change.
    package func prepare(tree: String, adapter: String?, interface: String?) async throws(RigFailure) {
        let words = [BoardPreparation.programs.joined(separator: " "), adapter ?? "-", interface ?? "-"]
        let command = try script("prepare") + words.map { " " + quoted($0) }.joined()
        let archive: Descriptor
        let tar: ChildProcess
        do throws(SystemError) {
            let pipe = try Descriptor.pipe()
            archive = pipe.read
            tar = try ChildProcess.spawn(
                ["tar", "--create", "--owner=0", "--group=0", "--directory", tree, "."],
                streams: [.null, .descriptor(pipe.write), .null], atParentDeath: .kill)
            pipe.write.close()
        } catch { throw .wrapping(error, while: "packing hil-board") }
        _ = try await run(command, input: archive, while: "preparing the board")
        guard await tar.wait().isSuccess else {
            throw RigFailure("packing hil-board", "tar could not read all of \(tree)")
        }
    }

    /// Undoes ``prepare(tree:adapter:interface:)``.
    package func restore() async throws(RigFailure) {
        _ = try await run(try script("restore"), input: nil, while: "restoring the board")
    }

    /// A command for a shell that runs one of our scripts.
    private func script(_ name: String) throws(RigFailure) -> String {
        do { return "sh -c \(quoted(try String(contentsOfFile: "\(scripts)/\(name)", encoding: .utf8))) \(name)" } catch
        {
            throw .wrapping(error, while: "reading \(scripts)/\(name)")
        }
    }

    /// Runs a command as root on the board, and passes on the steps that it prints.
    ///
    /// - Returns: The other lines that it printed.
    private func run(_ command: String, input: Descriptor?, while action: String) async throws(RigFailure) -> [String] {
        let child: ChildProcess
        let (output, errors): (Descriptor, Descriptor)
        do throws(SystemError) {
            let (first, second) = (try Descriptor.pipe(), try Descriptor.pipe())
            child = try ChildProcess.spawn(
                LoginCommand.run(command, on: board),
                streams: [
                    input.map { .descriptor($0) } ?? .null, .descriptor(first.write), .descriptor(second.write),
                ], ownGroup: true, atParentDeath: .kill)
            (output, errors) = (first.read, second.read)
            first.write.close()
            second.write.close()
            input?.close()
        } catch { throw .wrapping(error, while: action, on: "\(board)") }
        let printed = Printed()
        let (board, progress) = (board, progress)
        let end: @Sendable (String) -> Void = { why in
            printed.state.withLock { $0.ended = $0.ended ?? why }
            child.signal(SIGKILL, group: true)
        }
        let watch = Task { [clock] in
            var seen = -1
            while true {
                let now = printed.state.withLock { $0.bytes }
                if now == seen { return end("it has printed nothing for \(Limit.silence.short)") }
                seen = now
                try await clock.sleep(for: Limit.silence)
            }
        }
        defer { watch.cancel() }
        @Sendable func count(_ bytes: Int) {
            let isTooMuch = printed.state.withLock { state in
                state.bytes += bytes
                return state.bytes > Limit.output
            }
            if isTooMuch { end("it has printed more than \(Limit.output >> 20) MiB") }
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await BoardPreparation.readAll(output, count) { line in
                    if line.hasPrefix("step ") {
                        progress("\(board): \(line.dropFirst(5))")
                    } else {
                        printed.state.withLock { $0.lines.append(line) }
                    }
                }
            }
            group.addTask {
                await BoardPreparation.readAll(errors, count) { line in
                    printed.state.withLock { $0.errors = ($0.errors + Array("\(line)\n".utf8)).suffix(8192) }
                }
            }
        }
        let status = await child.wait()
        if let why = printed.state.withLock({ $0.ended }) {
            throw RigFailure(
                "\(action) \(board)", why, remedy: "check that it answers `ssh \(board) true` at once, then repeat")
        }
        guard status.isSuccess else {
            throw SSHTrouble.explain(
                printed.state.withLock { String(decoding: $0.errors, as: UTF8.self) }, on: board, while: action,
                otherwise: "\(status)")
        }
        return printed.state.withLock { $0.lines }
    }

    private static func readAll(
        _ pipe: Descriptor, _ count: @escaping @Sendable (Int) -> Void, _ take: @escaping @Sendable (String) -> Void
    ) async {
        await withCheckedContinuation { continuation in
            startThread(named: "preparation") {
                var splitter = LineSplitter(limit: 4096)
                while let bytes = try? pipe.read(), !bytes.isEmpty {
                    count(bytes.count)
                    for line in splitter.push(bytes) { take(String(decoding: line, as: UTF8.self)) }
                }
                if let rest = splitter.finish() { take(String(decoding: rest, as: UTF8.self)) }
                continuation.resume()
            }
        }
    }
}

/// The output of a command so far.
private final class Printed: Sendable {
    struct State {
        var lines: [String] = []
        var errors: [UInt8] = []
        /// How many bytes came.
        var bytes = 0
        /// Why it was ended.
        var ended: String?
    }

    let state = Mutex(State())
}

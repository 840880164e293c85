import BoardProtocol
import Dispatch
import Foundation
import HILExecution
import HILPOSIX
import HILTiming
import RigModel
import VirtualRig

/// Runs a shell or one command on a board, connected to this process's terminal or standard streams.
struct BoardShell: Sendable {
    /// The key to leave the shell: Ctrl-], as in telnet.
    private static let leavingKey: UInt8 = 0x1D

    let role: BoardRole
    /// The command to run; empty for an interactive shell.
    let command: [String]
    let interruption: Interruption
    /// Called with messages about the shell.
    let note: @Sendable (String) -> Void

    /// Runs the shell or the command on a rig.
    ///
    /// - Returns: The exit code of the command, or 128 plus a signal's number.
    func run(on rig: RunningRigInfo) async throws -> Int32 {
        let (port, hold) = try rig.connectShell(of: role)
        defer { withExtendedLifetime(hold) {} }
        let hasTerminal = LocalTerminal.isAvailable
        let channel = FrameChannel(port, name: "shell")
        defer { channel.close() }
        let token = UInt64.random(in: 1...UInt64.max)
        let terminal =
            hasTerminal ? ShellRequest.Terminal(kind: LocalTerminal.kind, size: LocalTerminal.size) : nil
        let ends = EventLog<Int32>()
        let opened = EventLog<Bool>()
        let listening = Task { await listen(to: channel, token: token, opened, ends) }
        defer { listening.cancel() }
        channel.send(ShellMessage.open(ShellRequest(token: token, command: command, terminal: terminal)).frame)
        let signals = Task {
            try await interruption.wait()
            ends.append(128 + (interruption.signal ?? SIGTERM))
        }
        defer { signals.cancel() }
        do {
            _ = try await opened.first(within: .seconds(20), waitingFor: "the \(role.rawValue) board's shell")
        } catch is TimedOut where interruption.signal == nil {
            throw RigFailure(
                "opening a shell on the \(role.rawValue) board", "its agent does not answer",
                remedy: "is the board still booting, or was its agent killed?")
        }
        if hasTerminal, command.isEmpty {
            note("a shell on the \(role.rawValue) board of \(rig.label); leave it with Ctrl-] or exit")
        }
        return try await LocalTerminal.raw(hasTerminal) {
            let resizing = watchSize(hasTerminal, channel)
            defer { resizing?.cancel() }
            readKeys(hasTerminal, channel, ends)
            return try await ends.first(within: .seconds(1_000_000), waitingFor: "the shell's end").event
        }
    }

    /// Writes the shell's output, and reports its end.
    private func listen(
        to channel: FrameChannel, token: UInt64, _ opened: EventLog<Bool>, _ ends: EventLog<Int32>
    ) async {
        let output = Descriptor(adopting: dup(STDOUT_FILENO))
        let errors = Descriptor(adopting: dup(STDERR_FILENO))
        var isOurs = false
        for await item in channel.items {
            guard case .frame(let frame) = item, let message = ShellMessage(frame) else { continue }
            switch message {
            // Earlier messages belong to a client that has left.
            case .opened(token):
                isOurs = true
                opened.append(true)
            case _ where !isOurs: break
            // The reader is gone, as in `| head`.
            case .output(let bytes): if (try? output.write(bytes)) == nil { ends.append(128 + SIGPIPE) }
            case .errors(let bytes): try? errors.write(bytes)
            case .ended(let code): ends.append(code)
            case .failed(let why): ends.finish(throwing: RigFailure("running the shell", why))
            case .open, .input, .resize, .opened: break
            }
        }
        let gone = RigFailure("running the shell", "the rig has ended")
        opened.finish(throwing: gone)
        ends.finish(throwing: gone)
    }

    /// Sends the input on a separate thread, until the leaving key.
    private func readKeys(_ hasTerminal: Bool, _ channel: FrameChannel, _ ends: EventLog<Int32>) {
        startThread(named: "keys") {
            let input = Descriptor(adopting: dup(STDIN_FILENO))
            while let bytes = try? input.read(upTo: 4096), !bytes.isEmpty {
                if hasTerminal, bytes.contains(BoardShell.leavingKey) { return ends.append(0) }
                channel.send(ShellMessage.input(bytes).frame)
            }
            channel.send(ShellMessage.input([]).frame)
        }
    }

    private func watchSize(_ hasTerminal: Bool, _ channel: FrameChannel) -> (any DispatchSourceSignal)? {
        guard hasTerminal else { return nil }
        let source = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: .global())
        source.setEventHandler { channel.send(ShellMessage.resize(LocalTerminal.size).frame) }
        source.resume()
        return source
    }
}

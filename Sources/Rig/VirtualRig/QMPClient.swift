import FoundationEssentials
import POSIX
import RigModel
import Timing

/// A conversation with one QEMU over its machine protocol (`docs/interop/qmp-spec`).
final class QMPClient: Sendable {
    /// What QEMU said last, in order; it ends with ``RigFailure`` when QEMU is gone.
    let messages = EventLog<QMPMessage>(keepingAtMost: 1000)
    private let descriptor: Descriptor
    private let name: String

    /// Talks over a connected socket.
    ///
    /// - Parameter name: Whose QEMU it is, for errors.
    init(_ descriptor: Descriptor, name: String) {
        self.descriptor = descriptor
        self.name = name
        startThread(named: "qmp-\(name)") { [descriptor, messages, name] in
            var reader = QMPReader()
            while let bytes = try? descriptor.read(), !bytes.isEmpty {
                for message in reader.push(bytes) { messages.append(message) }
            }
            messages.finish(throwing: RigFailure("talking to the \(name) board's QEMU", "it ended"))
        }
    }

    deinit { descriptor.shutDown() }

    /// Gives a command, and waits for its answer.
    ///
    /// - Parameter arguments: A JSON object.
    /// - Returns: The `status` of the answer, if it has one.
    @discardableResult
    func run(
        _ command: String, _ arguments: String = "{}", within limit: Duration = .seconds(10)
    ) async throws -> String {
        let start = messages.count
        // The place in the log is the command's number: no two commands are given at once.
        try descriptor.write(Array(#"{"execute":"\#(command)","arguments":\#(arguments),"id":\#(start)}\#n"#.utf8))
        let (answer, _) = try await messages.first(
            from: start, within: limit, waitingFor: "the \(name) board's QEMU to answer \(command)"
        ) { message in
            switch message {
            // It may be the answer that could not be read.
            case .answer(start, _), .failure(start, _), .refused: true
            default: false
            }
        }
        switch answer {
        case .answer(_, let detail): return detail
        case .failure(_, let why): throw RigFailure("\(command) on the \(name) board's QEMU", why)
        case .refused(let why):
            throw RigFailure(
                "\(command) on the \(name) board's QEMU", "it told something that cannot be read: \(why)")
        default: return ""
        }
    }

    /// Waits for the end of a migration that was begun when the log had `start` messages.
    ///
    /// - Parameter action: What it is for, for the error.
    func migrationEnd(
        from start: Int, within limit: Duration, for action: String, remedy: String? = nil
    ) async throws {
        let (event, _) = try await messages.first(
            from: start, within: limit, waitingFor: "the \(name) board's snapshot"
        ) { $0 == .event("MIGRATION", status: "completed") || $0 == .event("MIGRATION", status: "failed") }
        guard event == .event("MIGRATION", status: "completed") else {
            throw RigFailure("\(action) the \(name) board's snapshot", "QEMU failed", remedy: remedy)
        }
    }
}

/// A JSON string literal.
func jsonText(_ text: String) -> String {
    (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
}

import FoundationEssentials
import HILPOSIX
import HILTiming
import RigModel

/// A conversation with one QEMU over QMP, its machine protocol (`docs/interop/qmp-spec`).
final class QMPClient: Sendable {
    /// QEMU's last 1000 messages, in order. The log ends with ``RigFailure`` when QEMU is gone.
    let messages = EventLog<QMPMessage>(keepingAtMost: 1000)
    private let descriptor: Descriptor
    private let name: String

    /// Starts a conversation over a connected socket.
    ///
    /// - Parameter name: The board's name, for errors.
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

    /// Sends a command, and waits for its answer.
    ///
    /// - Parameter arguments: A JSON object.
    /// - Returns: The `status` of the answer, if it has one.
    @discardableResult
    func run(
        _ command: String, _ arguments: String = "{}", within limit: Duration = .seconds(10)
    ) async throws -> String {
        let start = messages.count
        // The number of messages so far identifies the command: commands are sent one after the other.
        try descriptor.write(Array(#"{"execute":"\#(command)","arguments":\#(arguments),"id":\#(start)}\#n"#.utf8))
        let (answer, _) = try await messages.first(
            from: start, within: limit, waitingFor: "the \(name) board's QEMU to answer \(command)"
        ) { message in
            switch message {
            // An unreadable message may be the answer.
            case .answer(start, _), .failure(start, _), .refused: true
            default: false
            }
        }
        switch answer {
        case .answer(_, let detail): return detail
        case .failure(_, let why): throw RigFailure("\(command) on the \(name) board's QEMU", why)
        case .refused(let why):
            throw RigFailure(
                "\(command) on the \(name) board's QEMU", "its answer cannot be read: \(why)")
        default: return ""
        }
    }

    /// Waits for the end of a migration that began when the log had `start` messages.
    ///
    /// - Parameter action: `saving` or `restoring`, for the error.
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

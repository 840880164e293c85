import BoardProtocol
import Dispatch
import FoundationEssentials
import Glibc
import HILPOSIX
import Synchronization

/// The log of the board. Each line is a ``BoardProtocol/JournalLine``.
///
/// Writing never waits. Lines that arrive faster than they can be written are dropped and counted in the journal.
package final class Journal: Sendable {
    /// The source name for reports of crashed programs.
    static let crashes = "crashes"
    /// The most bytes that may wait to be written.
    static let limit = 8 << 20

    private struct State {
        var waiting = 0
        var dropped = 0
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "journal")
    private let clock: @Sendable () -> UInt64
    private let output: @Sendable ([UInt8]) -> Void

    /// - Parameters:
    ///   - clock: Returns nanoseconds since 1970.
    ///   - output: Writes a line with its line break. Called in order; may wait.
    package init(
        clock: @escaping @Sendable () -> UInt64 = wallClockNanoseconds, output: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.clock = clock
        self.output = output
    }

    /// Opens a journal in a file or a character device.
    package convenience init(path: String) throws(SystemError) {
        let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_APPEND)
        self.init { try? file.write($0) }
    }

    /// Adds a line.
    ///
    /// - Parameters:
    ///   - source: The program that wrote the line: `hostapd`.
    ///   - clockSet: Set if the line says that the clock was set.
    package func write(_ line: String, from source: String, clockSet: JournalLine.ClockSet? = nil) {
        let bytes = Journal.text(JournalLine(t: clock(), source: source, line: line, clockSet: clockSet))
        let lost: Int? = state.withLock { state in
            guard state.waiting + bytes.count <= Journal.limit else {
                state.dropped += 1
                return nil
            }
            state.waiting += bytes.count
            defer { state.dropped = 0 }
            return state.dropped
        }
        guard let lost else { return }
        queue.async { [self] in
            if lost > 0 {
                output(Journal.text(JournalLine(t: clock(), source: "agent", line: "\(lost) lines were dropped")))
            }
            output(bytes)
            state.withLock { $0.waiting -= bytes.count }
        }
    }

    /// Waits until all lines so far are written.
    package func flush() { queue.sync {} }

    private static func text(_ line: JournalLine) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Numbers and strings can always be encoded.
        let data = (try? encoder.encode(line)) ?? Data()
        return Array(data) + [0x0A]
    }
}

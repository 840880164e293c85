import BoardProtocol
import Dispatch
import FoundationEssentials
import Glibc
import POSIX
import Synchronization

/// The board's log: a ``BoardProtocol/JournalLine`` a line.
///
/// Writing never waits; lines that arrive faster than they can be written away are dropped, and the journal says how many.
package final class Journal: Sendable {
    /// The source of reports of crashed programs.
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
    ///   - clock: Nanoseconds since 1970.
    ///   - output: Writes the bytes of a line with its end; called in order, may wait.
    package init(
        clock: @escaping @Sendable () -> UInt64 = wallClockNanoseconds, output: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.clock = clock
        self.output = output
    }

    /// A journal in a file or a character device.
    package convenience init(path: String) throws(SystemError) {
        let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_APPEND)
        self.init { try? file.write($0) }
    }

    /// Adds a line.
    ///
    /// - Parameters:
    ///   - source: The program that says it: `hostapd`.
    ///   - clockSet: Where the line tells that the clock was set.
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

    /// Returns when all that was written so far is out.
    package func flush() { queue.sync {} }

    private static func text(_ line: JournalLine) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Numbers and texts always encode.
        let data = (try? encoder.encode(line)) ?? Data()
        return Array(data) + [0x0A]
    }
}

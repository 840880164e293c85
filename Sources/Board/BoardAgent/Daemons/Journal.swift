import Dispatch
import FoundationEssentials
import Glibc
import POSIX
import Synchronization

/// The board's log: one JSON object a line, `{"line":"…","source":"hostapd","t":1795216965863590000}`.
///
/// Writing never waits; lines that arrive faster than they can be written away are dropped, and the journal says how many.
public final class Journal: Sendable {
    /// The source of reports of crashed programs.
    static let crashes = "crashes"
    /// The most bytes that may wait to be written.
    static let limit = 8 << 20

    private struct Entry: Encodable {
        let t: UInt64
        let source: String
        let line: String
    }

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
    public init(
        clock: @escaping @Sendable () -> UInt64 = wallClockNanoseconds, output: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.clock = clock
        self.output = output
    }

    /// A journal in a file or a character device.
    public convenience init(path: String) throws(SystemError) {
        let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_APPEND)
        self.init { try? file.write($0) }
    }

    /// Adds a line.
    ///
    /// - Parameter source: The program that says it: `hostapd`.
    public func write(_ line: String, from source: String) {
        let bytes = Journal.text(t: clock(), source: source, line: line)
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
            if lost > 0 { output(Journal.text(t: clock(), source: "agent", line: "\(lost) lines were dropped")) }
            output(bytes)
            state.withLock { $0.waiting -= bytes.count }
        }
    }

    /// Returns when all that was written so far is out.
    public func flush() { queue.sync {} }

    private static func text(t: UInt64, source: String, line: String) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Three fields of plain types always encode.
        let data = (try? encoder.encode(Entry(t: t, source: source, line: line))) ?? Data()
        return Array(data) + [0x0A]
    }
}

import BoardProtocol
import Foundation
import HILPOSIX
import Synchronization

/// The log files of one board in a scenario's folder: `journal.jsonl` and `kernel.log`. The times in the journal are
/// converted to this machine's clock.
final class EvidenceFiles: Sendable {
    private struct State {
        var splitter = LineSplitter(limit: 1 << 20, overlong: .cut)
        var journal: Descriptor?
        var kernel: Descriptor?
    }

    private let state = Mutex(State())
    private let redaction: Redaction
    private let clock: @Sendable () -> ClockEstimate

    /// - Parameters:
    ///   - folder: The board's folder of logs, which is made if it does not exist.
    ///   - redaction: Takes secrets out of the lines.
    init(
        in folder: String, hiding redaction: Redaction = Redaction([]), clock: @escaping @Sendable () -> ClockEstimate
    ) throws(SystemError) {
        self.clock = clock
        self.redaction = redaction
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let journal = try Descriptor.open("\(folder)/journal.jsonl", O_WRONLY | O_CREAT | O_APPEND, mode: 0o644)
        let kernel = try Descriptor.open("\(folder)/kernel.log", O_WRONLY | O_CREAT | O_APPEND, mode: 0o644)
        state.withLock { ($0.journal, $0.kernel) = (journal, kernel) }
    }

    func addJournal(_ bytes: [UInt8]) {
        let clock = clock()
        state.withLock { state in
            for line in state.splitter.push(bytes) {
                try? state.journal?.write(EvidenceFiles.moved(hidden(line), by: clock) + [0x0A])
            }
        }
    }

    private func hidden(_ line: [UInt8]) -> [UInt8] {
        redaction.isEmpty ? line : Array(redaction.apply(String(decoding: line, as: UTF8.self)).utf8)
    }

    func addKernel(_ bytes: [UInt8]) { state.withLock { try? $0.kernel?.write(bytes) } }

    /// A line of the journal with its time by our clock. Other text, such as the output of a shell, becomes such a
    /// line.
    static func moved(_ line: [UInt8], by clock: ClockEstimate) -> [UInt8] {
        let decoded = try? JSONDecoder().decode(JournalLine.self, from: Data(line))
        var journal =
            decoded
            ?? JournalLine(
                t: wallClockNanoseconds(), source: "board", line: String(decoding: line, as: UTF8.self))
        if decoded != nil { journal.t = clock.here(journal.t) }
        return (try? JSONEncoder().encode(journal)).map(Array.init) ?? line
    }

    func close() {
        state.withLock { state in
            if let rest = state.splitter.finish() { try? state.journal?.write(hidden(rest) + [0x0A]) }
            (state.journal, state.kernel) = (nil, nil)
        }
    }
}

import Foundation
import HILExecution
import HILPOSIX
import HILRecord
import Synchronization

/// The record of a run in progress, read from its folder as it grows.
///
/// Most lines come from scenarios that passed, and a page that lists scenarios does not show them. So the lines
/// of a scenario are kept as bytes until it has ended, and then read only as far as they are needed.
final class LiveRun: Sendable {
    private struct State {
        var record = RunRecord()
        /// The lines about the running attempt of each scenario, as they were written.
        var stories: [String: [Data]] = [:]
        var offset = 0
        /// The beginning of a line whose end is not written yet.
        var rest = Data()
        /// How many lines were read.
        var lines = 0
    }

    /// How much of the file is read at once, in bytes.
    private static let piece = 1 << 20

    /// The run's folder, without links.
    let folder: String
    private let state = Mutex(State())

    init(folder: String) { self.folder = folder }

    /// Reads the lines that were written since the last call.
    ///
    /// - Returns: How many lines were read in all.
    @discardableResult
    func advance() -> Int {
        state.withLock { state in
            guard let file = FileHandle(forReadingAtPath: "\(folder)/events.jsonl") else { return state.lines }
            defer { try? file.close() }
            guard (try? file.seek(toOffset: UInt64(state.offset))) != nil else { return state.lines }
            while let more = try? file.read(upToCount: LiveRun.piece), !more.isEmpty {
                state.offset += more.count
                LiveRun.take(state.rest + more, &state)
            }
            return state.lines
        }
    }

    /// Takes the complete lines of these bytes, and keeps the remaining bytes.
    private static func take(_ bytes: Data, _ state: inout State) {
        var begin = 0
        bytes.withUnsafeBytes { bytes in
            while begin < bytes.count, let base = bytes.baseAddress,
                let end = memchr(base + begin, Int32(UInt8(ascii: "\n")), bytes.count - begin)
            {
                let count = base.distance(to: end) - begin
                state.lines += 1
                take(line: Data(bytes: base + begin, count: count), &state)
                begin += count + 1
            }
        }
        state.rest = Data(bytes.dropFirst(begin))
    }

    private static func take(line bytes: Data, _ state: inout State) {
        if let scenario = LiveLine.teller(of: bytes) {
            // Lines before an attempt or after it belong to no story.
            state.stories[scenario]?.append(bytes)
            return
        }
        guard let line = RunLine(bytes) else { return }
        guard let scenario = line.scenario else { return state.record.take(line) }
        switch line.runner {
        case .attemptBegan: state.stories[scenario] = [bytes]
        case .attemptEnded(let result): fold(scenario, isFine: result.judgement.isFine, &state)
        case .scenarioEnded(let result): fold(scenario, isFine: result.judgement.isFine, &state)
        case .scenarioInterrupted: fold(scenario, isFine: false, &state)
        case .runBegan, .roundBegan, .scenarioBegan, .explorationBegan, .trialEnded, .runEnded: break
        case nil: state.stories[scenario]?.append(bytes)
        }
        if line.runner != nil { state.record.take(line) }
    }

    /// Reads the story of an attempt that has ended into the record.
    private static func fold(_ scenario: String, isFine: Bool, _ state: inout State) {
        let story = state.stories.removeValue(forKey: scenario) ?? []
        for bytes in story where !isFine || LiveLine.isOfStep(bytes) { read(bytes, into: &state.record) }
    }

    private static func read(_ bytes: Data, into record: inout RunRecord) {
        guard let line = RunLine(bytes), line.worker != nil else { return }
        record.take(line)
    }

    /// The record, without the lines of running scenarios.
    var record: RunRecord { state.withLock { $0.record } }

    /// The record with the lines of this scenario, if it is running.
    func record(with scenario: String) -> RunRecord {
        var (record, story) = state.withLock { ($0.record, $0.stories[scenario] ?? []) }
        for bytes in story { LiveRun.read(bytes, into: &record) }
        return record
    }

    var isOver: Bool { state.withLock { $0.record.end != nil } }

    /// The lines about the attempt of a running scenario; nil if it is not running.
    func story(of scenario: String) -> [RunLine]? {
        state.withLock { $0.stories[scenario] }?.compactMap { RunLine($0) }
    }
}

/// What the bytes of a line show before it is read as JSON. Keys are sorted, so a line of a worker begins with its
/// scenario.
enum LiveLine {
    private static let beginning = Array(#"{"scenario":""#.utf8)
    private static let steps = [#""worker":{"step"#, #""worker":{"body"#].map { Data($0.utf8) }

    /// The scenario whose worker wrote the line; nil for any other line, or if only a JSON reader can find it.
    static func teller(of line: Data) -> String? {
        line.withUnsafeBytes { line in
            guard line.count > beginning.count, let base = line.baseAddress,
                memcmp(base, beginning, beginning.count) == 0
            else { return nil }
            let rest = UnsafeRawBufferPointer(rebasing: line[beginning.count...])
            guard let start = rest.baseAddress, let end = memchr(start, Int32(UInt8(ascii: "\"")), rest.count) else {
                return nil
            }
            let count = start.distance(to: end)
            // A quoted quotation mark ends the name too early.
            guard memchr(start, Int32(UInt8(ascii: "\\")), count) == nil else { return nil }
            return String(decoding: UnsafeRawBufferPointer(rebasing: rest[..<count]), as: UTF8.self)
        }
    }

    /// Whether the line says that a step or the body began or ended.
    static func isOfStep(_ line: Data) -> Bool { steps.contains { line.range(of: $0) != nil } }
}

extension Judgement {
    /// Whether it needs no reason.
    fileprivate var isFine: Bool { verdict == .passed || verdict == .skipped }
}

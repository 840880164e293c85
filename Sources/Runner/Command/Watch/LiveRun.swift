import Foundation
import HILExecution
import HILPOSIX
import Synchronization

/// The record of a run that goes on, read from its folder as it grows.
final class LiveRun: Sendable {
    private struct State {
        var record = RunRecord()
        /// The lines about the running attempt of each scenario.
        var stories: [String: [RunLine]] = [:]
        var offset = 0
        /// The beginning of a line whose end is not written yet.
        var rest = Data()
        /// How many lines were read.
        var lines = 0
    }

    /// The run's folder, without links.
    let folder: String
    private let state = Mutex(State())

    init(folder: String) { self.folder = folder }

    /// Reads what was written since.
    ///
    /// - Returns: How many lines were read in all.
    @discardableResult
    func advance() -> Int {
        state.withLock { state in
            guard let file = FileHandle(forReadingAtPath: "\(folder)/events.jsonl") else { return state.lines }
            defer { try? file.close() }
            guard (try? file.seek(toOffset: UInt64(state.offset))) != nil, let more = try? file.readToEnd() else {
                return state.lines
            }
            state.offset += more.count
            state.rest += more
            let decoder = JSONDecoder()
            while let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
                let bytes = state.rest[..<end]
                state.rest = Data(state.rest[(end + 1)...])
                state.lines += 1
                if let line = try? decoder.decode(RunLine.self, from: bytes) { LiveRun.take(line, &state) }
            }
            return state.lines
        }
    }

    private static func take(_ line: RunLine, _ state: inout State) {
        state.record.take(line)
        guard let scenario = line.scenario else { return }
        switch line.runner {
        case .attemptBegan: state.stories[scenario] = [line]
        case .scenarioEnded, .scenarioInterrupted: state.stories[scenario] = nil
        default: state.stories[scenario]?.append(line)
        }
    }

    var record: RunRecord { state.withLock { $0.record } }

    var isOver: Bool { state.withLock { $0.record.end != nil } }

    /// What was told of the attempt of a scenario that runs; nil if it does not.
    func story(of scenario: String) -> [RunLine]? { state.withLock { $0.stories[scenario] } }
}

/// Tells when a file grows.
final class FileNews {
    private let news: Descriptor

    /// Waits for a file that grows.
    convenience init(of path: String) throws(SystemError) { try self.init(path, for: IN_MODIFY) }

    /// Waits for files that appear in a folder.
    convenience init(inFolder path: String) throws(SystemError) { try self.init(path, for: IN_CREATE | IN_MOVED_TO) }

    private init(_ path: String, for events: Int32) throws(SystemError) {
        let raw = try valueOrErrno("inotify_init1", "watching \(path)") { inotify_init1(Int32(IN_CLOEXEC)) }
        news = Descriptor(adopting: raw)
        try valueOrErrno("inotify_add_watch", "watching \(path)") { inotify_add_watch(raw, path, UInt32(events)) }
    }

    /// Waits for news at most so long.
    ///
    /// - Returns: Whether there are any.
    func wait(milliseconds: Int32) -> Bool {
        var look = pollfd(fd: news.raw, events: Int16(POLLIN), revents: 0)
        guard poll(&look, 1, milliseconds) == 1 else { return false }
        _ = try? news.read()
        return true
    }
}

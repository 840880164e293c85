import HILExecution
import HILHistory
import HILRecord
import HILReports
import Synchronization

/// The news of a run in progress since the last good one. It is updated whenever a scenario ends.
final class LiveNews: Sendable {
    private struct State {
        /// The run to compare with; nil if it was not looked for yet.
        var baseline: ComparedRun??
        /// How many scenarios had ended when the news was found.
        var ended = -1
        var news: PageNews?
    }

    /// The folder of the runs' folders, with the history.
    let results: String
    private let state = Mutex(State())

    init(results: String) { self.results = results }

    /// The news of what has ended so far; nil if there is nothing to compare with.
    ///
    /// What has not run yet is not gone.
    func page(of record: RunRecord) -> PageNews? {
        state.withLock { state in
            let ended = record.entries.count { $0.result != nil } + (record.end == nil ? 0 : 1)
            guard ended != state.ended else { return state.news }
            state.ended = ended
            let found = state.baseline ?? find(record)
            state.baseline = .some(found)
            guard let found else { return nil }
            let comparing = RunComparing(results: results) { _ in }
            let comparison = comparing.compare(found, ComparedRun(record))
            var news = RunNews(baseline: found, comparison: comparison).page
            if record.end == nil { news.groups.removeAll { $0.kind == "gone" } }
            state.news = news
            return news
        }
    }

    /// The newest good run before this one that has most of its cases. A history that cannot be read has none.
    private func find(_ record: RunRecord) -> ComparedRun? {
        guard let history = Baseline.history(results) else { return nil }
        let cases = Set(record.entries.map(\.info.caseAndRound.identifier))
        return try? history.use { store throws(HistoryError) in
            try store.lastGoodRun(before: record.began, of: cases)
        }.value.map(ComparedRun.init)
    }
}

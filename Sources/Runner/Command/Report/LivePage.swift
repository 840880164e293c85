import HILExecution
import HILPOSIX
import HILRecord
import HILReports
import Synchronization

/// Keeps the page of a run in progress: the files of each scenario when it ends, and at the end the page itself.
///
/// The run does not depend on its page. Errors are reported at the end.
final class LivePage: RunObserver {
    private let page: RunPage
    private let baseline: Baseline
    private let note: @Sendable (String) -> Void
    /// The first error.
    private let problem = Mutex<String?>(nil)

    /// - Parameter note: Called with a message that is not a result.
    init(_ page: RunPage, _ baseline: Baseline, note: @escaping @Sendable (String) -> Void) {
        self.page = page
        self.baseline = baseline
        self.note = note
        // Before the run, so that its page has the code that was built with this program.
        self.note { _ = try PageDocuments.get() }
    }

    /// Writes the scenario's files for the page. Observe the run with it after the reports, because a person waits for
    /// them.
    func take(_ line: RunLine, _ record: RunRecord) {
        switch line.runner {
        case .scenarioEnded, .scenarioInterrupted: break
        default: return
        }
        guard let entry = line.scenario.flatMap({ record[$0] }) else { return }
        note { try page.write(entry, of: record) }
    }

    /// Writes into a scenario's folder the page that leads to its view.
    func writeLink(to scenario: RunInfo.Entry) { note { try page.files.writeLink(to: scenario) } }

    /// Writes the page.
    ///
    /// - Returns: Lines for the terminal: what is new, and where the page is.
    func finish(_ record: RunRecord) -> [String] {
        var lines: [String] = []
        note {
            let run = ComparedRun(record)
            var news: RunNews?
            if let earlier = try baseline.find(for: run, in: page.results), earlier.began != run.began {
                let comparing = RunComparing(results: page.results, note: note)
                news = RunNews(baseline: earlier, comparison: comparing.compare(earlier, run))
            }
            lines += news?.lines ?? []
            try page.write(record, news)
            let shown =
                page.folder.hasPrefix(page.root + "/")
                ? String(page.folder.dropFirst(page.root.count + 1)) : page.folder
            lines.append("page: \(shown)/\(PageFiles.page)")
        }
        if let problem = problem.withLock({ $0 }) { note("the page is not complete: \(problem)") }
        return lines
    }

    private func note(_ work: () throws -> Void) {
        do { try work() } catch { problem.withLock { $0 = $0 ?? "\(error)" } }
    }
}

/// Writes into the folder of each scenario that does not pass the page that leads to its view. Observe a run with it before
/// the reports, which attach the page.
struct PageLinks: RunObserver {
    private let pages: LivePage

    /// - Parameter pages: Says at the end if one could not be written: the reports then attach one file less.
    init(_ pages: LivePage) { self.pages = pages }

    func take(_ line: RunLine, _ record: RunRecord) {
        guard case .scenarioEnded(let result)? = line.runner, result.judgement.verdict != .passed,
            result.judgement.verdict != .skipped, let entry = line.scenario.flatMap({ record[$0] })
        else { return }
        pages.writeLink(to: entry.info)
    }
}

import HILExecution
import HILHistory
import HILPOSIX
import HILReports
import HILTiming

/// What is new in a run since its baseline, for the terminal and for the page.
struct RunNews {
    let baseline: ComparedRun
    let comparison: Comparison

    /// The groups, the worst first, with a sentence for each case.
    private var groups: [(kind: String, name: String, items: [PageNews.Item])] {
        func items(_ changes: [Comparison.Change]) -> [PageNews.Item] {
            changes.map { PageNews.Item($0.scenario, $0.cause) }
        }
        func steps(_ changes: [StepTimes.Change]) -> [PageNews.Item] {
            changes.map { change in
                let times = [change.before, change.after].map { Duration.seconds($0).short }
                return PageNews.Item(
                    change.key.scenario, "step “\(change.key.step)”: \(times[0]) before, \(times[1]) now")
            }
        }
        return [
            ("newlyFailed", "newly failed", items(comparison.newlyFailed)),
            ("newBreaches", "new breaches", items(comparison.newBreaches)),
            ("noLongerAccepted", "no longer accepted", items(comparison.noLongerAccepted)),
            ("failedUnknown", "failed, unknown before", items(comparison.failedUnknown)),
            ("newlyFlaky", "newly flaky", items(comparison.newlyFlaky)),
            ("slower", "slower", steps(comparison.times.slower)),
            ("rigErrors", "errors of the rig", items(comparison.rigErrors)),
            ("stillFailed", "failed as before", items(comparison.stillFailed)),
            ("fixed", "fixed", items(comparison.fixed)), ("mended", "mended", items(comparison.mended)),
            ("newlyAccepted", "accepted now", items(comparison.newlyAccepted)),
            ("faster", "faster", steps(comparison.times.faster)),
            ("new", "new", items(comparison.new)), ("gone", "gone", items(comparison.gone)),
        ]
    }

    /// For the page.
    var page: PageNews {
        PageNews(
            baseline: baseline.name, began: baseline.began,
            groups: groups.map { PageNews.Group($0.kind, $0.items) }, times: ComparisonText.summary(comparison.times))
    }

    /// The most cases that a line of the terminal names.
    private static let mostNames = 5

    /// Lines for the terminal: what is new to somebody who knows the baseline. Without news, one line says so.
    var lines: [String] {
        let told = [
            "newlyFailed", "newBreaches", "noLongerAccepted", "failedUnknown", "newlyFlaky", "slower", "rigErrors",
            "fixed", "mended", "newlyAccepted",
        ]
        let failed = comparison.new.filter { $0.after == .failed }.map { PageNews.Item($0.scenario, $0.cause) }
        let news =
            (groups.filter { told.contains($0.kind) } + [("newFailed", "failed, and not in that run", failed)])
            .filter { !$0.items.isEmpty }
        let since = "since \(PlainText.line(baseline.name)):"
        if news.allSatisfy({ $0.kind == "newFailed" }) {
            let rest = comparison.new.count - failed.count
            let unknown = rest > 0 ? "; \(rest) more \(rest == 1 ? "is" : "are") not in that run" : ""
            return ["\(since) \(comparison.unchanged)\(unknown)"] + lines(news)
        }
        return [since] + lines(news)
    }

    private func lines(_ groups: [(kind: String, name: String, items: [PageNews.Item])]) -> [String] {
        groups.map { _, name, items in
            var names: [String] = []
            for item in items where !names.contains(item.scenario) { names.append(item.scenario) }
            let more = names.count - RunNews.mostNames
            let list = names.prefix(RunNews.mostNames).map { PlainText.line($0) }.joined(separator: ", ")
            return "  \(name): \(list)" + (more > 0 ? ", and \(more) more" : "")
        }
    }
}

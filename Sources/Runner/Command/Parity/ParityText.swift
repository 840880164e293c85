import HIL
import HILExecution
import HILHistory
import HILPOSIX
import HILRecord
import HILTiming

/// The differences between two runs on different rigs for a person at the terminal. Pure: lines without newlines come
/// out.
struct ParityText {
    /// The most lines about the events or the times of one case.
    private static let most = 10

    func lines(_ parity: Parity, _ first: RunRecord, _ second: RunRecord) -> [String] {
        var lines = [ParityText.head("first ", first), ParityText.head("second", second)]
        let verdicts = parity.unlikeVerdicts
        if !verdicts.isEmpty {
            lines += ["", "different verdicts: \(verdicts.count)"]
            for one in verdicts {
                lines.append("  \(PlainText.line(one.scenario)): \(one.first.rawValue), then \(one.second.rawValue)")
                lines += [one.firstCause, one.secondCause].compactMap { $0 }.map { "    \(ParityText.start($0))" }
            }
        }
        let orders = parity.cases.filter { $0.order?.isSame == false }
        if !orders.isEmpty {
            lines += ["", "different events: \(orders.count)"]
            for one in orders {
                lines.append("  \(PlainText.line(one.scenario))")
                lines += one.order.map(ParityText.lines) ?? []
            }
        }
        let times = parity.cases.filter { !$0.times.isEmpty }
        if !times.isEmpty {
            lines += ["", "different times: \(times.count)"]
            for one in times {
                lines.append("  \(PlainText.line(one.scenario))")
                lines += ParityText.cut(one.times.map(ParityText.line))
            }
        }
        for (title, names) in [("only in the first", parity.onlyFirst), ("only in the second", parity.onlySecond)]
        where !names.isEmpty {
            lines += ["", "\(title): \(names.count)"] + names.map { "  \(PlainText.line($0))" }
        }
        let unknown = parity.cases.compactMap(\.whyNoOrder)
        if !unknown.isEmpty {
            lines += ["", "not compared by their events: \(unknown.count)"]
            lines += ParityText.cut(unknown.map { "  \(PlainText.line($0))" })
        }
        return lines + ["", ParityText.summary(parity)]
    }

    private static func head(_ name: String, _ record: RunRecord) -> String {
        let counts = Verdict.allCases.map { (record.count($0), $0) }.filter { $0.0 > 0 }.map {
            "\($0.0) \($0.1.rawValue)"
        }
        let folder = record.info?.folder.split(separator: "/").last.map(String.init) ?? ""
        return PlainText.line("\(name)  \(folder)  \(record.bench): \(counts.joined(separator: ", "))")
    }

    private static func lines(_ request: EventSequence) -> [String] {
        func surplus(_ events: [EventSequence.Surplus], _ which: String) -> [String] {
            events.map { "    only \(which)\($0.count > 1 ? ", \($0.count) times more" : ""): \(words($0.event))" }
        }
        return cut(surplus(request.onlyFirst, "in the first") + surplus(request.onlySecond, "in the second"))
            + cut(request.exchanged.map { "    in the opposite order: \(words($0.first)), and \(words($0.second))" })
    }

    private static func words(_ event: EventKey) -> String {
        let text = event.text.hasPrefix("\(event.source): ") ? event.text : "\(event.source): \(event.text)"
        return PlainText.line(PlainText.cut(String(text.prefix { !$0.isNewline }), to: 150))
    }

    private static func line(_ times: Parity.Times) -> String {
        let what = times.step.map { "step “\(PlainText.line($0))”" } ?? "the whole scenario"
        let factor = times.factor.map { ", \($0.formatted(decimals: 2)) times" } ?? ""
        return
            "    \(what): \(Duration.seconds(times.first).short), then \(Duration.seconds(times.second).short)\(factor)"
    }

    private static func cut(_ lines: [String]) -> [String] {
        lines.count <= most ? lines : lines.prefix(most) + ["    and \(lines.count - most) more"]
    }

    private static func summary(_ parity: Parity) -> String {
        let cases = "\(parity.cases.count) case\(parity.cases.count == 1 ? "" : "s")"
        let factor = parity.medianFactor.map {
            "; a step takes \($0.formatted(decimals: 2)) times as long in the second (the median of \(parity.steps))"
        }
        let same = parity.isSame ? ", and nothing differs" : ""
        return "\(cases) compared\(same)\(factor ?? "")"
    }

    private static func start(_ cause: String) -> String {
        PlainText.line(PlainText.cut(String(cause.prefix { !$0.isNewline }), to: 200))
    }
}

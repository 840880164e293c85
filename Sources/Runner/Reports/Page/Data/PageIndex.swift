import Foundation
import HILPOSIX
import HILRecord

/// What is in the page itself: the runs, a line for each scenario, and what is new.
struct PageIndex: Encodable {
    /// How much of each scenario is included, from all to as little as possible.
    enum Detail: Int, CaseIterable {
        case all, shortCauses, brief, failuresOnly, few

        /// The most characters of a text.
        var textLimit: Int {
            switch self {
            case .all: 1200
            case .shortCauses: 300
            case .brief, .failuresOnly: 120
            case .few: 60
            }
        }

        /// The most scenarios.
        var most: Int { self == .few ? 2000 : .max }
    }

    var format = 1
    let runs: [PageRun]
    let entries: [PageEntry]
    /// How many scenarios are left out, because the page would be too large.
    let leftOut: Int
    let news: PageNews?
    let rules: [Page.Rule]
    let isLive: Bool

    init(_ page: Page, _ detail: Detail) {
        runs = page.sources.map { PageRun($0, detail, root: page.root) }
        var entries: [PageEntry] = []
        var leftOut = 0
        for (run, source) in page.sources.enumerated() {
            for entry in source.record.entries {
                let isShown = detail.rawValue < Detail.failuresOnly.rawValue || !PageIndex.isFine(entry)
                if isShown, entries.count < detail.most {
                    entries.append(PageEntry(entry, of: source.record, run: run, root: page.root, detail))
                } else {
                    leftOut += 1
                }
            }
        }
        self.entries = entries
        self.leftOut = leftOut
        news = page.news.map { PageIndex.cut($0, to: detail) }
        rules = detail.rawValue < Detail.failuresOnly.rawValue ? page.rules : []
        isLive = page.isLive
    }

    private static func isFine(_ entry: RunRecord.Entry) -> Bool {
        entry.result.map { [.passed, .skipped, .quarantined].contains($0.judgement.verdict) } ?? false
    }

    private static func cut(_ news: PageNews, to detail: Detail) -> PageNews {
        var news = news
        news.groups = news.groups.map { group in
            let items = group.items.prefix(detail == .all ? 5000 : 200).map { item in
                PageNews.Item(
                    PlainText.cut(item.scenario, to: 300), item.text.map { PlainText.cut($0, to: detail.textLimit) })
            }
            return PageNews.Group(group.kind, items)
        }
        return news
    }
}

/// A run, for the head of the page.
struct PageRun: Encodable {
    let name: String
    /// Where commands find it: its name in the package's folder `results`, or else its path.
    let place: String
    /// From the page's folder to the run's; empty for the page's own.
    let path: String
    /// Milliseconds since 1970.
    let began: Double
    let seconds: Double?
    let version, rig, machine, program: String
    let choice, accessory, commit, firmware, options, stoppedBy: String?
    /// How many rigs had scenarios.
    let rigs: Int
    let signal: Int32?
    let missedBudget: Double?
    /// The phones that scenarios chose: `iPhone17,3 named iPhone`, with how many scenarios if it is not all.
    let phones: [String]
    /// What did not begin because the budget was used up, with the names; nil if that is nothing.
    let left: String?
    /// By board, then by name.
    let versions: [String: [String: String]]
    let unreadableLines: Int
    /// Whether it has ended.
    let isOver: Bool
    /// Nil if it is no audit, or has no room.
    let audit: PageAudit?

    /// - Parameter root: The folder of the package; nil if it is not known.
    init(_ source: Page.Source, _ detail: PageIndex.Detail, root: String? = nil) {
        let record = source.record
        let info = record.info
        func cut(_ text: String) -> String { PlainText.cut(text, to: 500) }
        name = info.map { cut(String($0.folder.split(separator: "/").last ?? "")) } ?? ""
        place = info.map { PageRun.place(of: $0.folder, in: root) } ?? ""
        path = source.path
        began = Double(record.began / 1_000_000)
        seconds = record.end?.seconds
        version = cut(info?.version ?? "")
        rig = cut(info?.rig ?? "")
        machine = cut(info?.machine ?? "")
        program = cut(info?.program ?? "hil")
        choice = info?.choice.map(cut)
        accessory = info?.accessory.map(cut)
        commit = info?.commit.map(cut)
        firmware = record.firmware.map(cut)
        options = info.map { String($0.options.text.dropFirst(2)) }.flatMap { $0.isEmpty ? nil : $0 }
        stoppedBy = record.end?.stoppedBy.map(cut)
        rigs = Set(record.entries.compactMap(\.rig)).count
        signal = record.end?.signal
        missedBudget = record.end?.missedBudget
        phones = record.phoneTexts.map(cut)
        left = record.leftWords.map { PlainText.cut($0, to: detail.textLimit) }
        versions = record.versions.mapValues { $0.mapValues(cut) }
        unreadableLines = record.unreadableLines
        isOver = record.end != nil
        audit = AuditReport(record).map { PageAudit($0, textLimit: detail.textLimit) }
    }
}

extension PageRun {
    /// - Parameters:
    ///   - folder: The run's folder, absolute.
    ///   - root: The folder of the package.
    static func place(of folder: String, in root: String?) -> String {
        let usual = "\(root ?? "")/results/"
        return PlainText.cut(folder.hasPrefix(usual) ? String(folder.dropFirst(usual.count)) : folder, to: 500)
    }
}

/// A scenario, as the first screen and the list show it.
struct PageEntry: Encodable {
    /// The number of its run.
    let run: Int
    let id, title, folder: String
    /// A verdict, or `running`, `waiting`, `interrupted` or `notRun`.
    let verdict: String
    /// The verdict without the quarantine.
    let actual: String?
    let remark: String?
    /// Seconds since the run began; nil while it waits.
    let at: Double?
    /// The duration of the last attempt's body, or of everything if it did not end.
    let seconds: Double?
    let rig: Int?
    /// Its bench, and the one that it was moved from; nil where rigs have no names.
    let bench: String?
    let tags, rules: [String]
    /// The values of the axes by their names: `["security", "wpa3"]`.
    let axes: [[String]]
    let attempts: Int
    let replay: String
    /// The first failure, its place in the sources, and the name of its step.
    let cause, place, step: String?
    /// The screen that the phone showed when it failed, in the page's folder: light, dark.
    let picture: [String]?
    let warnings: Int
    /// The grid of its exploration; nil if it was not explored.
    let exploration: PageExploration?

    init(_ entry: RunRecord.Entry, of record: RunRecord, run: Int, root: String?, _ detail: PageIndex.Detail) {
        func cut(_ text: String) -> String { PlainText.cut(text, to: min(300, detail.textLimit)) }
        let judgement = entry.result?.judgement
        let isFine = judgement.map { $0.verdict == .passed || $0.verdict == .skipped } ?? false
        let isBrief = detail.rawValue >= PageIndex.Detail.brief.rawValue && isFine
        self.run = run
        id = PlainText.cut(entry.info.identifier, to: 300)
        title = cut(entry.info.title)
        folder = entry.info.folder
        verdict = judgement?.verdict.rawValue ?? PageEntry.state(entry, record)
        actual = judgement?.actual?.rawValue
        remark = judgement?.remark.map(cut)
        at = entry.began.map { Double(Int64(bitPattern: $0 &- record.began)) * 1e-9 }
        seconds = entry.result.map { PageNumber.short($0.bodySeconds ?? $0.seconds) }
        rig = entry.rig
        bench = entry.result?.whereItRan.map(cut)
        tags = isBrief ? [] : entry.info.tags.prefix(50).map(cut)
        rules = isBrief ? [] : entry.info.rules.prefix(100).map(cut)
        axes = PageEntry.axes(entry.info.identifier)
        attempts = entry.attempts.count
        replay = isBrief ? "" : PlainText.cut(entry.info.replay, to: 1000)
        // After an error of the rig, failures of the product are a consequence.
        let cause = judgement?.verdict == .error ? judgement?.cause : judgement?.headlines.first
        self.cause = cause.map { PlainText.cut($0.message, to: detail.textLimit) }
        place = cause?.location.map { cut($0.text(below: root)) }
        let attempt = entry.decisive
        let failure = attempt.failures.first { $0.value == cause } ?? attempt.failures.first
        step = failure?.step.flatMap { number in attempt.steps.first { $0.number == number } }.map { cut($0.name) }
        let moment = failure?.time ?? .max
        let shown = isFine ? nil : attempt.screens.last { $0.time <= moment && $0.value.picture != nil }?.value.picture
        let folder = attempt.number == 1 ? entry.info.folder : "\(entry.info.folder)/attempt-\(attempt.number)"
        picture = shown.map { ["\(folder)/\($0.light)", "\(folder)/\($0.dark)"] }
        warnings = entry.result?.warnings?.count ?? 0
        exploration = entry.exploration.map { PageExploration($0, of: entry) }
    }

    private static func state(_ entry: RunRecord.Entry, _ record: RunRecord) -> String {
        if entry.isInterrupted { return "interrupted" }
        if record.end != nil { return "notRun" }
        return entry.began == nil ? "waiting" : "running"
    }

    /// The settings in an identifier: `join[security=wpa3,distance=10]#2`.
    private static func axes(_ identifier: String) -> [[String]] {
        guard let open = identifier.firstIndex(of: "["), let close = identifier.lastIndex(of: "]"), open < close else {
            return []
        }
        return identifier[identifier.index(after: open)..<close].split(separator: ",").prefix(10).compactMap {
            setting in
            let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
            return parts.count == 2 ? parts.map { PlainText.cut($0, to: 60) } : nil
        }
    }
}

/// Numbers of the page.
enum PageNumber {
    /// Seconds, rounded to a tenth of a millisecond: more digits only need space.
    static func short(_ seconds: Double) -> Double { (seconds * 10_000).rounded() / 10_000 }
}

import Foundation
import HILRecord

/// The page of one run or of several: `index.html`, which any browser opens from disk, with no server and no network.
///
/// Pure: records and the code of the page go in, documents come out. What a reader always wants is in the page itself, at most ``limit`` bytes.
/// The remaining data is in further files, which the page loads when somebody looks at them. A page from disk may not
/// fetch files, but it may load scripts. So each of these files is a script that is one call with data, and nothing
/// else:
///
/// | file | its call | content |
/// |---|---|---|
/// | `SCENARIO/scenario.js` | `hil.part({…})` | ``ScenarioPart``: attempts, steps, expectations, failures, screens |
/// | `SCENARIO/lanes.js`, `SCENARIO/attempt-2/lanes.js` | `hil.lanes("…")` | the `timeline.json` beside it, in base 64 |
/// | `SCENARIO/before.js` | `hil.lanes("…")` | the same of the last run that passed, if this one did not |
///
/// A timeline is in base 64, because it may come from another machine, and must be read as data even if it is something
/// else. The pictures of the screens are plain files.
///
/// Every text of a run may be hostile: a name from the air, a message of an app. The page puts all of them into text
/// nodes, and its own JSON has no `<`, so that no text can end the script element around it.
package struct Page: Sendable {
    /// The most bytes of `index.html`.
    package static let limit = 3 << 20

    /// A run, and where the files of its scenarios are.
    package struct Source: Sendable {
        package var record: RunRecord
        /// The path from the page's folder to the run's folder: empty for its own run, or `../20261123-050217-1nyz`.
        package var path: String

        package init(_ record: RunRecord, path: String = "") {
            self.record = record
            self.path = path
        }
    }

    /// A rule that scenarios cover.
    package struct Rule: Sendable, Encodable {
        /// `K3`.
        package var id: String
        package var text: String

        package init(id: String, text: String) {
            self.id = id
            self.text = text
        }
    }

    package var sources: [Source]
    /// What is new since an earlier run; nil if there is none to compare with.
    package var news: PageNews?
    /// All rules, in the order in which they are listed; empty if they are not known.
    package var rules: [Rule]
    /// The package's folder; paths of source files are relative to it.
    package var root: String?
    /// Whether the run is still in progress, so that a page from a server asks for news.
    package var isLive = false

    package init(_ sources: [Source], news: PageNews? = nil, rules: [Rule] = [], root: String? = nil) {
        self.sources = sources
        self.news = news
        self.rules = rules
        self.root = root
    }

    /// The document.
    ///
    /// A run that is too large for the limit loses text first: long causes, then all but
    /// the name of each case that passed, and at last these cases. The page says so.
    ///
    /// - Parameter limit: The most bytes.
    package func document(in documents: PageDocuments, limit: Int = Page.limit) -> [UInt8] {
        documents.run.around(index(documents.run, limit))
    }

    /// The page as one file, with the files of the scenarios in it.
    ///
    /// - Parameter contents: What is added as long as there is room.
    package func document(in documents: PageDocuments, with contents: PageContents) -> [UInt8] {
        documents.run.around(index(documents.run, Page.limit), files: contents.bytes)
    }

    /// The data of the page alone, as JSON in one line: for a page that is open already.
    package func data(in documents: PageDocuments, limit: Int = Page.limit) -> [UInt8] { index(documents.run, limit) }

    /// The data of the page, as much of them as fit.
    private func index(_ frame: PageFrame, _ limit: Int) -> [UInt8] {
        var data: [UInt8] = []
        for detail in PageIndex.Detail.allCases {
            data = ScriptJSON.bytes(PageIndex(self, detail))
            if data.count + frame.count <= limit { break }
        }
        return data
    }
}

/// What is new in a run since an earlier one.
package struct PageNews: Sendable, Encodable {
    /// A scenario with the reason, or the two times, for which it is listed.
    package struct Item: Sendable, Encodable {
        /// The identifier of the case, without a round.
        package var scenario: String
        /// A sentence about it: the cause of a failure, or `step “join”: 1.2 s before, 2.4 s now`.
        package var text: String?

        package init(_ scenario: String, _ text: String? = nil) {
            self.scenario = scenario
            self.text = text
        }
    }

    /// A list with its name: `newly failed`.
    package struct Group: Sendable, Encodable {
        /// The kind, for its sign: `newlyFailed`, `fixed`, `newlyFlaky`, `slower`, `faster`, `rigErrors`, `new`, `gone`; of
        /// audits `newBreaches`, `noLongerAccepted`, `mended`, `newlyAccepted`.
        package var kind: String
        package var items: [Item]

        package init(_ kind: String, _ items: [Item]) {
            self.kind = kind
            self.items = items
        }
    }

    /// The name of the earlier run.
    package var baseline: String
    /// Milliseconds since 1970.
    package var began: Double
    package var groups: [Group]
    /// A sentence about the times: how many steps are compared, or why none is.
    package var times: String

    package init(baseline: String, began: UInt64, groups: [Group], times: String) {
        self.baseline = baseline
        self.began = Double(began / 1_000_000)
        self.groups = groups
        self.times = times
    }
}

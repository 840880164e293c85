import Foundation
import HILPOSIX
import HILRecord

/// Writes the page of a run into its folder, and the files that the page loads.
///
/// The scripts of a scenario are written when it ends, and the page when the run ends: after a crash of the runner,
/// `hil report` can still make the page.
package struct PageFiles: Sendable {
    package static let page = "index.html"
    static let part = "scenario.js"
    static let lanes = "lanes.js"
    static let before = "before.js"

    /// The run's folder.
    private let folder: String
    /// The package's folder; paths of source files are relative to it.
    private let root: String?

    package init(folder: String, root: String?) {
        self.folder = folder
        self.root = root
    }

    /// Writes `index.html`.
    package func write(_ page: Page) throws {
        try replaceFile("\(folder)/\(PageFiles.page)", with: page.document(in: PageDocuments.get()))
    }

    /// Writes a page into a scenario's folder that leads to the scenario's view, for a CI that shows files of a case but not
    /// where they are. It also works from the folder `attachments` beside it.
    package func writeLink(to entry: RunInfo.Entry) throws {
        guard FileManager.default.fileExists(atPath: "\(folder)/\(entry.folder)") else { return }
        let link = try PageDocuments.get().link(to: "../\(PageFiles.page)#s/\(PageAddress.text(entry.folder))")
        try replaceFile("\(folder)/\(entry.folder)/\(RunInfo.Entry.page)", with: link.utf8)
    }

    /// Writes the scripts of a scenario. Without its folder there is nothing to write: the page says what is missing.
    ///
    /// - Parameter before: The last run in which it passed, and that attempt's folder; nil if there is none.
    package func write(
        _ entry: RunRecord.Entry, of record: RunRecord, before: (run: ScenarioPart.Before, folder: String)? = nil
    ) throws(SystemError) {
        let scenario = "\(folder)/\(entry.info.folder)"
        guard FileManager.default.fileExists(atPath: scenario) else { return }
        var known: ScenarioPart.Before?
        if let before, let timeline = FileManager.default.contents(atPath: "\(before.folder)/timeline.json") {
            try replaceFile("\(scenario)/\(PageFiles.before)", with: LanesScript.bytes(timeline))
            known = before.run
        }
        for attempt in entry.attempts {
            let place = attempt.number == 1 ? scenario : "\(scenario)/attempt-\(attempt.number)"
            guard let timeline = FileManager.default.contents(atPath: "\(place)/timeline.json") else { continue }
            try replaceFile("\(place)/\(PageFiles.lanes)", with: LanesScript.bytes(timeline))
        }
        let part = ScenarioPart(entry, of: record, root: root, before: known)
        try replaceFile("\(scenario)/\(PageFiles.part)", with: part.script)
    }
}

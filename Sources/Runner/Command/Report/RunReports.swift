import Foundation
import HILExecution
import HILPOSIX
import HILRecord
import HILReports
import HILRules

/// The folder of a new run, and all that is written about it: the terminal's lines, the reports, the page, the history.
struct RunReports: Sendable {
    let folder: RunFolder
    let writer: ReportWriter
    private let pages: LivePage
    private let observed: ObservedRun
    private let results: String
    private let format: ReportWriter.Format

    /// - Parameters:
    ///   - results: The folder of the runs' folders.
    ///   - root: The package's folder.
    ///   - flavor: The dialect of `junit.xml`.
    ///   - baseline: The run with which the page compares it.
    /// - Throws: `RigFailure` if the folder cannot be written.
    init(
        in results: String, root: String, _ format: ReportWriter.Format, _ flavor: JUnit.Flavor,
        comparedWith baseline: Baseline, _ rules: [Rule]
    ) throws {
        (self.results, self.format) = (results, format)
        let summary = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"].flatMap { $0.isEmpty ? nil : $0 }
        do throws(SystemError) {
            folder = try RunFolder.create(in: results)
            writer = try ReportWriter(
                folder.path, root: root, format: format, flavor: flavor, stepSummary: summary,
                isTerminal: isatty(STDOUT_FILENO) == 1, print: Command.write)
        } catch { throw Command.notKept(error) }
        let page = RunPage(folder: folder.path, results: results, root: root, rules: rules)
        pages = LivePage(page, baseline, note: Command.complain)
        observed = ObservedRun([PageLinks(pages), writer, pages])
    }

    /// What is known of the run so far.
    var record: RunRecord { observed.record }

    func take(_ line: RunLine) { observed.take(line) }

    /// Adds the run to the history, writes the page, and says what of it all is missing.
    ///
    /// - Returns: The exit code of the command.
    func finish() -> Int32 {
        if let error = writer.stepSummaryError {
            Command.complain("GitHub's summary of the step lacks this run: \(error)")
        }
        Command.remember(record, in: results)
        let told = pages.finish(record)
        if format == .text { Command.say(told) }
        let code = record.exitCode
        guard let (what, error) = writer.missing else { return code }
        Command.complain("\(Command.notKept(error)); \(what)")
        return code == 0 ? Command.ExitCode.rig : code
    }
}

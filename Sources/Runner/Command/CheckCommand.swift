import Foundation
import HILPhone
import HILReports

/// `hil check`: finds mistakes in an app's files without a rig.
struct CheckCommand {
    let request: Request.Checking
    /// Called with the lines to print.
    let say: ([String]) -> Void

    /// Prints a line or a JSON object for each finding: see ``HILPhone/AppFinding``.
    ///
    /// - Returns: The exit code: 1 if there are findings.
    /// - Throws: ``UsageError`` if the folder does not exist.
    func run() throws -> Int32 {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: request.folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw UsageError(description: "\(request.folder) is not a folder; --app names the folder of the Info.plist")
        }
        let findings = AppCheck.findings(inFolder: request.folder)
        switch request.format {
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            say(try findings.map { String(decoding: try encoder.encode($0), as: UTF8.self) })
        case .text: say(CheckCommand.lines(findings))
        }
        return findings.isEmpty ? 0 : 1
    }

    static func lines(_ findings: [AppFinding]) -> [String] {
        if findings.isEmpty { return ["nothing is wrong with the property lists and the pictures"] }
        let lines = findings.map { finding in
            let rule = finding.rule + String(repeating: " ", count: max(1, 5 - finding.rule.count))
            return "\(finding.isFatal ? "WRONG  " : "warning")  \(rule)\(finding.file): \(plain(finding.text))"
        }
        let wrong = findings.count { $0.isFatal }
        let warnings = findings.count - wrong
        return lines + ["\(wrong) wrong, \(warnings) warning\(warnings == 1 ? "" : "s")"]
    }

    /// Replaces control characters, because a property list may contain any text.
    private static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
    }
}

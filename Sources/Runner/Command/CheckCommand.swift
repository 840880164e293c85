import Foundation
import Phone
import Reports

/// `hil check`: what can be seen of an app's mistakes without a rig.
struct CheckCommand {
    let order: Request.Checking
    /// Takes the lines.
    let say: ([String]) -> Void

    /// A line for each finding, or a JSON object: see ``Phone/AppFinding``.
    ///
    /// - Returns: The exit code: 1 when there is any.
    /// - Throws: ``UsageError`` when there is no such folder.
    func run() throws -> Int32 {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: order.folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw UsageError(description: "\(order.folder) is no folder; --app names the one that has the Info.plist")
        }
        let findings = AppCheck.findings(inFolder: order.folder)
        switch order.format {
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

    /// In one line, whatever a property list holds.
    private static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
    }
}

import Foundation
import HIL
import POSIX

/// What is left of a scenario for who wants to know why.
enum Evidence {
    /// Cuts the journals into logs, and finds what is there.
    ///
    /// - Returns: The files worth opening, the best first, relative to the folder; and what is missing, and why.
    static func collect(in folder: String) -> (files: [String], missing: [String]) {
        var missing: [String] = []
        for board in ["host", "accessory"] {
            do throws(SystemError) { try JournalSplitter.split(in: "\(folder)/\(board)") } catch {
                missing.append("the logs of the \(board) board: \(error)")
            }
        }
        var files = ["capture.pcapng", "worker.log"].filter { size(of: "\(folder)/\($0)") > 0 }
        for board in ["accessory", "host"] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(board)")) ?? []
            files += names.filter { size(of: "\(folder)/\(board)/\($0)") > 0 }.sorted().map { "\(board)/\($0)" }
        }
        return (files, missing)
    }

    /// Writes `verdict.json`; gives what kept it from that.
    static func write(_ result: ScenarioResult, of planned: PlannedScenario, to folder: String) -> String? {
        struct Content: Encodable {
            let identifier: String
            let title: String
            let result: ScenarioResult
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let content = Content(identifier: planned.identifier, title: planned.title, result: result)
        do {
            try replaceFile("\(folder)/verdict.json", with: try encoder.encode(content) + [UInt8(ascii: "\n")])
            return nil
        } catch {
            return "verdict.json: \(error)"
        }
    }

    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}

import BoardProtocol
import Foundation
import HIL
import HILPOSIX
import HILRecord
import Synchronization

/// The files that explain how a scenario ended.
package enum Evidence {
    /// The capture of the air, in an attempt's folder.
    package static let capture = "capture.pcapng"
    /// The folder with the saved state of both boards at the failure, in an attempt's folder.
    package static let boards = "rig.snapshot"
    /// The folder with drawings of the phone's screens, in an attempt's folder.
    static let screens = "screens"

    /// Splits the journals into logs, writes timeline and story, and lists the files.
    ///
    /// - Parameters:
    ///   - planned: The scenario.
    ///   - story: The events of runner and worker.
    ///   - judgement: The result; nil if the scenario was interrupted.
    /// - Returns: The files worth opening, the most useful first, relative to the folder; and what is missing, and why.
    static func collect(
        in folder: String, of planned: PlannedScenario, story: [RunLine], judgement: Judgement?
    ) -> (files: [String], missing: [String]) {
        var missing: [String] = []
        var timeline = Timeline()
        timeline.add(story)
        for role in [BoardRole.host, .accessory] {
            let board = role.rawValue
            do throws(SystemError) {
                let journal = try JournalSplitter.split(in: "\(folder)/\(board)", of: role)
                let kernel = CappedLog("\(folder)/\(board)/kernel.log").read()?.bytes ?? []
                timeline.add(board: board, journal: journal, kernel: String(decoding: kernel, as: UTF8.self))
            } catch { missing.append("the logs of the \(board) board: \(error)") }
        }
        timeline.add(capture: [UInt8](FileManager.default.contents(atPath: "\(folder)/\(capture)") ?? Data()))
        do throws(SystemError) {
            try replaceFile("\(folder)/story.txt", with: timeline.story(titled: planned.scenario.title, judgement).utf8)
            try replaceFile("\(folder)/timeline.json", with: timeline.json(of: planned.identifier))
        } catch { missing.append("story.txt or timeline.json: \(error)") }
        let names = [
            capture, "story.txt", PacketMinimiser.shortest, PacketMinimiser.sent, "timeline.json", "worker.log",
        ]
        var files = names.filter {
            size(of: "\(folder)/\($0)") > 0
        }
        let drawings = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(screens)")) ?? []
        // The dark drawings show the same.
        files += drawings.filter { $0.hasSuffix(".light.svg") }.sorted().map { "\(screens)/\($0)" }
        for board in ["accessory", "host"] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(board)")) ?? []
            files += names.filter { size(of: "\(folder)/\(board)/\($0)") > 0 }.sorted().map { "\(board)/\($0)" }
        }
        return (files, missing)
    }

    /// Writes `verdict.json`. Returns why that failed, or nil.
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

/// Collects the events of one scenario for its timeline. The file of all events also has those of other scenarios.
final class Story: Sendable {
    private let told = Mutex<[RunLine]>([])

    var lines: [RunLine] { told.withLock { $0 } }

    func add(_ line: RunLine) { told.withLock { $0.append(line) } }
}

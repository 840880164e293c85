import Foundation
import HILExecution
import HILHistory
import HILRecord

/// `hil parity A B`: where two runs of the same scenarios on different rigs differ.
struct ParityCommand {
    let request: Request.ParityRequest
    /// The folder of the runs' folders.
    let results: String
    /// Called with the lines to print.
    let say: ([String]) -> Void
    /// Called with a message that is not a result.
    let note: (String) -> Void

    func run() throws {
        let (first, second) = (try read(request.first), try read(request.second))
        let parity = Parity(
            first.record, second.record, least: request.leastChange,
            timelines: (ParityCommand.timeline(in: first.folder), ParityCommand.timeline(in: second.folder)))
        switch request.format {
        case .json: say([try ParityJSON(parity).line])
        case .text: say(ParityText().lines(parity, first.record, second.record))
        }
    }

    /// Reads a run by its folder or its name in the results.
    private func read(_ name: String) throws -> (record: RunRecord, folder: String) {
        let places = [name, "\(results)/\(name)"]
        let folder = places.first { FileManager.default.fileExists(atPath: "\($0)/events.jsonl") } ?? name
        do {
            let record = try RunRecord.read(in: folder)
            if record.unreadableLines > 0 {
                note("\(record.unreadableLines) lines of \(folder)/events.jsonl cannot be read, and are left out")
            }
            return (record, folder)
        } catch { throw UsageError(description: "\(error)") }
    }

    /// Reads timelines from the current place of a run's folder, which may have moved since.
    private static func timeline(in folder: String) -> Parity.Timeline {
        { entry in
            let attempt = entry.decisive.number
            let name = entry.info.folder
            // The name is from the record, and must not lead out of the folder.
            guard !name.isEmpty, !name.contains("/"), name != ".." else {
                return .failure(.init(description: "“\(name)” is not the name of a scenario's folder"))
            }
            let path = "\(folder)/\(name)" + (attempt > 1 ? "/attempt-\(attempt)" : "")
            return Result { () throws(RecordedTimeline.Unreadable) in try RecordedTimeline.read(in: path) }
        }
    }
}

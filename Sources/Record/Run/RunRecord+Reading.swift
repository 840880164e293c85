import Foundation
import HILPOSIX

extension RunRecord {
    /// Why the record of a run cannot be read.
    package enum Unreadable: Error, CustomStringConvertible {
        /// There is no `events.jsonl` in the folder.
        case missing(folder: String)
        /// Its first event is not the beginning of a run.
        case foreign(folder: String)
        /// A later version of hil wrote it.
        case later(folder: String, format: Int)

        package var description: String {
            switch self {
            case .missing(let folder): "\(folder) is not a run's folder: it has no events.jsonl"
            case .foreign(let folder): "\(folder)/events.jsonl is not the record of a run"
            case .later(let folder, let format):
                "\(folder)/events.jsonl has format \(format), and this version reads up to \(RunLine.format): "
                    + "use the version of hil that wrote it"
            }
        }
    }

    /// Reads the record in a run's folder, of this or an earlier version. A line that cannot be read, such as the last
    /// one of a run whose process was killed, is left out and counted.
    package static func read(in folder: String) throws(Unreadable) -> RunRecord {
        guard let bytes = FileManager.default.contents(atPath: "\(folder)/events.jsonl") else {
            throw .missing(folder: folder)
        }
        let record = RunRecord(lines: bytes)
        if record.format > RunLine.format { throw .later(folder: folder, format: record.format) }
        guard record.info != nil else { throw .foreign(folder: folder) }
        return record
    }

    /// The record of the content of an `events.jsonl`.
    package init(lines bytes: Data) {
        self.init()
        let decoder = JSONDecoder()
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            if let line = RunLine(line, decoder) { take(line) } else { unreadableLines += 1 }
        }
    }
}

extension RunLine {
    /// Reads a line of this or an earlier version; nil if it cannot be read.
    package init?(_ bytes: Data, _ decoder: JSONDecoder = JSONDecoder()) {
        guard PlausibleNumbers.are(in: bytes) else { return nil }
        if let line = try? decoder.decode(RunLine.self, from: bytes) {
            self = line
            return
        }
        guard var object = (try? JSONSerialization.jsonObject(with: bytes)) as? [String: Any],
            let runner = object["runner"] as? [String: Any]
        else { return nil }
        object["runner"] = RunLine.named(runner)
        guard let named = try? JSONSerialization.data(withJSONObject: object),
            let line = try? decoder.decode(RunLine.self, from: named)
        else { return nil }
        self = line
    }

    /// An event of the runner with names for its values. The first versions wrote `_0` for them.
    private static func named(_ event: [String: Any]) -> [String: Any] {
        let names = [
            "runBegan": "info", "roundBegan": "scenarios", "attemptEnded": "result", "scenarioEnded": "result",
            "runEnded": "end",
        ]
        return event.reduce(into: [:]) { event, pair in
            guard let name = names[pair.key], var values = pair.value as? [String: Any], let value = values["_0"] else {
                return event[pair.key] = pair.value
            }
            values["_0"] = nil
            values[name] = value
            event[pair.key] = values
        }
    }
}

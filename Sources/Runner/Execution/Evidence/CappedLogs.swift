import BoardProtocol
import Foundation
import HILPOSIX
import HILRecord

/// The logs of an attempt: its own and those of its rig and boards. Each is kept within its limit, whatever writes to
/// it.
struct CappedLogs: Sendable {
    /// How often they are checked while they are written.
    private static let interval = Duration.milliseconds(100)

    /// The attempt's folder.
    let folder: String
    var limit = CappedLog.limit

    private var logs: [(name: String, log: CappedLog)] {
        ["", "host/", "accessory/"].flatMap { place in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(place)")) ?? []
            return names.filter { $0.hasSuffix(".log") || $0.hasSuffix(".jsonl") }.sorted().map {
                (place + $0, CappedLog("\(folder)/\(place)\($0)", limit: limit))
            }
        }
    }

    /// Keeps them within the limit until the task is cancelled.
    func watch() async {
        while (try? await Task.sleep(for: CappedLogs.interval)) != nil { for (_, log) in logs { log.release() } }
    }

    /// Cuts logs that are too long, after the last write.
    ///
    /// - Returns: A warning for each log that was cut.
    func settle() -> [Warning] {
        logs.compactMap { name, log in
            do throws(SystemError) {
                let written = try log.settle { leftOut, lastLine in
                    note(leftOut, in: name, after: lastLine)
                }
                return written.map {
                    Warning("\(name) was cut: only the beginning and end of its \(megabytes($0)) are kept")
                }
            } catch { return Warning("\(name) is too long and could not be cut: \(error)") }
        }
    }

    /// The line where something is left out. In a journal it belongs to whoever wrote the line before it.
    private func note(_ leftOut: Int, in name: String, after lastLine: ArraySlice<UInt8>) -> String {
        let text =
            "[\(megabytes(leftOut)) are left out here: only the beginning and end of a log are kept, "
            + "\(megabytes(limit))]"
        guard name.hasSuffix(".jsonl") else { return text }
        let last = try? JSONDecoder().decode(JournalLine.self, from: Data(lastLine))
        let line = JournalLine(t: last?.t ?? 0, source: last?.source ?? "hil", line: text)
        return (try? JSONEncoder().encode(line)).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    private func megabytes(_ bytes: Int) -> String {
        bytes < 1_000_000 ? "\(bytes) bytes" : "\((bytes + (1 << 19)) >> 20) MB"
    }
}

extension CappedLog.Content {
    /// Both parts. A new line alone marks the gap.
    var bytes: [UInt8] { head + tail }
}

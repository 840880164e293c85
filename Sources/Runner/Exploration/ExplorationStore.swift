import Foundation
import HILPOSIX
import HILRecord
import Synchronization

/// The results of explorations of one scenario, in a file that a later exploration reads.
///
/// The first line has a key: what the results depend on. With another key the file begins anew. Every further line is a
/// ``HILRecord/TrialResult`` in JSON. The file may be cut anywhere: a line that cannot be read does not count.
package final class ExplorationStore: Sendable {
    private struct Head: Codable { var key: String }

    /// The largest file that is read, in bytes.
    private static let sizeLimit = 64 << 20

    private let file: Descriptor
    private let known: Mutex<[TrialResult]>

    /// - Parameters:
    ///   - path: The file, which is made if it does not exist.
    ///   - key: What the results depend on: scenario, app and accessory by their content, and the kind of boards.
    package init(_ path: String, key: String) throws(SystemError) {
        let content = ExplorationStore.content(path)
        let lines = content.split(separator: UInt8(ascii: "\n"))
        let decoder = JSONDecoder()
        let isSame = lines.first.flatMap { try? decoder.decode(Head.self, from: Data($0)) }?.key == key
        let results: [TrialResult] =
            isSame ? lines.dropFirst().compactMap { try? decoder.decode(TrialResult.self, from: Data($0)) } : []
        known = Mutex(results)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Written anew as a whole, so that a cut line does not swallow the next one.
        var bytes = (try? encoder.encode(Head(key: key))).map(Array.init) ?? []
        bytes.append(UInt8(ascii: "\n"))
        for result in results {
            bytes += (try? encoder.encode(result)).map(Array.init) ?? []
            bytes.append(UInt8(ascii: "\n"))
        }
        try replaceFile(path, with: bytes)
        file = try Descriptor.open(path, O_WRONLY | O_APPEND)
    }

    /// The bytes of the file; none if it is not there, is too large, or is no plain file.
    private static func content(_ path: String) -> Data {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular, let size = attributes?[.size] as? Int,
            size <= sizeLimit
        else { return Data() }
        return FileManager.default.contents(atPath: path) ?? Data()
    }

    /// The results so far, oldest first.
    package var results: [TrialResult] { known.withLock { $0 } }

    /// Adds a result. One that cannot be written is tried again by the next exploration.
    package func add(_ result: TrialResult) {
        known.withLock { known in
            known.append(result)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let line = try? encoder.encode(result) else { return }
            try? file.write(Array(line) + [UInt8(ascii: "\n")])
        }
    }
}

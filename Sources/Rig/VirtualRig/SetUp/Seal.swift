import Foundation
import HILPOSIX

/// Detects changes in the large files of a folder: for every file it records the size and a checksum over samples.
///
/// Files get into the cache only complete and by renaming, so only a broken disk or a person can change them. Reading
/// hundreds of MiB for every scenario would cost too much, so 64 blocks spread over each file are compared, including
/// its first and last.
struct Seal {
    private static let samples = 64
    private static let sampleSize = 4096

    /// The name of the file with the seal.
    static let name = "manifest.json"

    private let folder: String
    private var path: String { "\(folder)/\(Seal.name)" }

    /// The seal of a folder, which need not exist yet.
    init(of folder: String) { self.folder = folder }

    /// The content of the seal, which differs if the files differ; empty if there is no seal.
    var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    /// Records the size and checksum of the named files.
    func make(for names: [String]) throws {
        let manifest = try Dictionary(uniqueKeysWithValues: names.map { ($0, try Seal.mark(of: "\(folder)/\($0)")) })
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try encoder.encode(manifest).write(to: URL(fileURLWithPath: path))
    }

    /// How the named files have changed since they were sealed; nil if they are unchanged.
    func damage(to names: [String]) -> String? {
        let manifest: [String: String]
        do {
            manifest = try JSONDecoder().decode(
                [String: String].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        } catch { return "\(path) cannot be read" }
        for name in names {
            guard let mark = try? Seal.mark(of: "\(folder)/\(name)") else { return "\(folder)/\(name) cannot be read" }
            guard manifest[name] == mark else { return "\(folder)/\(name) has changed since it was made" }
        }
        return nil
    }

    /// The size of a file and a checksum over samples.
    private static func mark(of path: String) throws -> String {
        let descriptor = try Descriptor.open(path, O_RDONLY)
        let size = try valueOrErrno("lseek", "measuring \(path)") { lseek(descriptor.raw, 0, SEEK_END) }
        var fingerprint = Fingerprint()
        let last = max(0, size - sampleSize)
        for index in 0..<samples {
            try valueOrErrno("lseek", "reading \(path)") {
                lseek(descriptor.raw, last * index / (samples - 1), SEEK_SET)
            }
            fingerprint.add(try descriptor.read(upTo: sampleSize))
        }
        return "\(size)-\(fingerprint.name)"
    }
}

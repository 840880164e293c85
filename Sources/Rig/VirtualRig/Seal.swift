import Foundation
import POSIX

/// What the big files of a folder were like when they were made: for every file its size and a sum over samples of it.
///
/// Files get into the cache only whole and by renaming, so what is left to find is a disk or a person that changed them.
/// Reading hundreds of MiB for every scenario would cost more than it is worth: 64 blocks spread over each file are
/// compared, head and tail among them.
struct Seal {
    private static let samples = 64
    private static let sampleSize = 4096

    private let folder: String
    private var path: String { "\(folder)/manifest.json" }

    /// The seal of a folder, there or still to be made.
    init(of folder: String) { self.folder = folder }

    /// What it says, as a text that differs where the files differ; empty where nothing was sealed.
    var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    /// Writes down what the named files are like.
    func make(for names: [String]) throws {
        let manifest = try Dictionary(uniqueKeysWithValues: names.map { ($0, try Seal.mark(of: "\(folder)/\($0)")) })
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try encoder.encode(manifest).write(to: URL(fileURLWithPath: path))
    }

    /// Why the named files are no longer what they were; nil when they are.
    func damage(to names: [String]) -> String? {
        let manifest: [String: String]
        do {
            manifest = try JSONDecoder().decode(
                [String: String].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        } catch { return "\(path) cannot be read" }
        for name in names {
            guard let mark = try? Seal.mark(of: "\(folder)/\(name)") else { return "\(folder)/\(name) cannot be read" }
            guard manifest[name] == mark else { return "\(folder)/\(name) is not what it was" }
        }
        return nil
    }

    /// A file's size, and a sum over samples of it.
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

import Foundation
import HILPOSIX

/// The commit of the package whose scenarios run.
enum Commit {
    /// How git names it: `4f2e91c03a7d`, with `-dirty` after it if files were changed; nil without git or a repository.
    ///
    /// - Parameter folder: The package's folder.
    static func describe(_ folder: String) async -> String? {
        let words = ["git", "-C", folder, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
        guard let (read, write) = try? Descriptor.pipe() else { return nil }
        defer { read.close() }
        guard let child = try? ChildProcess.spawn(words, streams: [.null, .descriptor(write), .null]) else {
            write.close()
            return nil
        }
        write.close()
        // A line: the pipe holds all of it.
        let status = await child.wait()
        let bytes = (try? read.read()) ?? []
        guard status.isSuccess, let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first else {
            return nil
        }
        return String(line.prefix(100))
    }
}

import BoardProtocol
import CryptoKit
import Glibc
import HILPOSIX

extension EncodedPayload {
    /// Reads a folder of the runner's machine with all that is below it.
    ///
    /// - Throws: `PayloadError`; ``HILPOSIX/SystemError`` if something cannot be read.
    package init(folder path: String) throws {
        var entries: [Payload.Entry] = []
        var size = 0
        try EncodedPayload.add(path, "", &entries, &size)
        let bytes = try Payload(entries).encoded()
        let digest = SHA256.hash(data: bytes).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
        self.init(id: PayloadID(digest: digest, size: bytes.count), bytes: bytes)
    }

    /// Adds the content of a folder, sorted by name, so that the same files always have the same digest.
    private static func add(
        _ folder: String, _ prefix: String, _ entries: inout [Payload.Entry], _ size: inout Int
    ) throws {
        for name in try names(in: folder) {
            let (path, place) = ("\(folder)/\(name)", prefix + name)
            var status = stat()
            try valueOrErrno("lstat", "reading \(path)") { lstat(path, &status) }
            let mode = UInt16(status.st_mode & 0o777)
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                entries.append(.init(place, mode: mode, .folder))
                guard entries.count <= Payload.mostEntries else { throw PayloadError.tooMany(entries.count) }
                try add(path, place + "/", &entries, &size)
            case S_IFREG:
                size += Int(status.st_size)
                guard size <= Payload.longest else { throw PayloadError.tooLong(size) }
                entries.append(.init(place, mode: mode, .file(try content(of: path)[...])))
            case S_IFLNK: entries.append(.init(place, .link(target: try target(of: path))))
            default: throw PayloadError.unreadable("\(path) is not a file, a folder or a symbolic link")
            }
            guard entries.count <= Payload.mostEntries else { throw PayloadError.tooMany(entries.count) }
        }
    }

    private static func names(in path: String) throws -> [String] {
        guard let folder = opendir(path) else { throw SystemError(code: errno, action: "reading the folder \(path)") }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                throw PayloadError.unreadable(
                    "a name in \(path) is not UTF-8: \(String(decoding: bytes, as: UTF8.self))")
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func content(of path: String) throws -> [UInt8] {
        let file = try Descriptor.open(path, O_RDONLY | O_NOFOLLOW)
        var bytes: [UInt8] = []
        while true {
            let more = try file.read(upTo: 1 << 20)
            if more.isEmpty { return bytes }
            bytes += more
            guard bytes.count <= Payload.longest else { throw PayloadError.tooLong(bytes.count) }
        }
    }

    private static func target(of path: String) throws -> String {
        var buffer = [UInt8](repeating: 0, count: Payload.longestPath + 1)
        let count = try valueOrErrno("readlink", "reading the link \(path)") {
            buffer.withUnsafeMutableBytes { bytes in
                bytes.withMemoryRebound(to: CChar.self) { readlink(path, $0.baseAddress!, $0.count) }  // not empty
            }
        }
        guard let target = String(validating: buffer.prefix(count), as: UTF8.self) else {
            throw PayloadError.unreadable("the target of the link \(path) is not UTF-8")
        }
        return target
    }
}

/// Whether a folder is at this path, or a link to one.
func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

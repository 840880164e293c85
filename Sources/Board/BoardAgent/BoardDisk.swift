import FoundationEssentials
import Glibc
import HILPOSIX
import RadioModel
import Synchronization

/// The disk of a virtual board: a layer in memory above its read-only image.
final class BoardDisk: Sendable {
    /// Where the layer is mounted on its own. It is also a part of the root file system.
    private static let mountPoint = "/memory"
    /// The folder that a board keeps through a power cut.
    private static let keptFolder = "/var/lib/bluetooth"
    /// The size of the layer in bytes before it was filled; nil if it is not filled.
    private let sizeBefore = Mutex<Int?>(nil)

    /// The free space in bytes.
    func free() throws(SystemError) -> Int { try BoardDisk.room(at: "/").free }

    /// Fills the disk so that at most this many bytes are free, and checks that it is really full.
    ///
    /// - Returns: The free bytes.
    func fill(leaving bytes: Int) throws -> Int {
        guard access(BoardDisk.mountPoint, F_OK) == 0 else {
            throw RadioError.invalid("this board's disk cannot be filled: it has no \(BoardDisk.mountPoint)")
        }
        let room = try BoardDisk.room(at: BoardDisk.mountPoint)
        sizeBefore.withLock { $0 = $0 ?? room.size }
        try BoardDisk.resize(to: room.size - room.free + max(0, bytes))
        let left = try free()
        try BoardDisk.checkThatItIsFull(left)
        return left
    }

    /// Restores the size of the disk.
    func release() throws -> Int {
        let size = sizeBefore.withLock { size in
            defer { size = nil }
            return size
        }
        if let size { try BoardDisk.resize(to: size) }
        return try free()
    }

    private static func room(at path: String) throws(SystemError) -> (size: Int, free: Int) {
        var status = statvfs()
        try valueOrErrno("statvfs", "measuring \(path)") { statvfs(path, &status) }
        return (Int(status.f_blocks * status.f_frsize), Int(status.f_bavail * status.f_frsize))
    }

    /// Resizes the layer. The kernel rounds up to whole pages.
    private static func resize(to bytes: Int) throws(SystemError) {
        try valueOrErrno("mount", "setting the size of the board's disk") {
            mount("memory", mountPoint, "tmpfs", UInt(MS_REMOUNT), "size=\(max(4096, bytes & ~4095))")
        }
    }

    /// Tries to allocate more bytes than are free. This must fail.
    private static func checkThatItIsFull(_ left: Int) throws {
        let path = "/hil-disk-probe"
        let file = try? Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC)
        defer { unlink(path) }
        guard let file, posix_fallocate(file.raw, 0, off_t(left + 4097)) == 0 else { return }
        throw RadioError.rig("the board's disk accepts more than the \(left) bytes that should be free")
    }

    // MARK: - Power cut

    private struct Saved: Codable {
        /// Contents by path below the kept folder.
        var files: [String: Data]
    }

    /// The files that survive a power cut, for ``restore(_:)``.
    func save() throws -> Data {
        var files: [String: Data] = [:]
        try BoardDisk.collect("", into: &files, depth: 0)
        return try JSONEncoder().encode(Saved(files: files))
    }

    func restore(_ saved: Data) throws {
        let files = try JSONDecoder().decode(Saved.self, from: saved).files
        for (name, content) in files {
            guard !name.split(separator: "/").contains("..") else { continue }
            let path = "\(BoardDisk.keptFolder)/\(name)"
            BoardDisk.makeFolders(of: path)
            try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC).write(content)
        }
    }

    private static func collect(_ name: String, into files: inout [String: Data], depth: Int) throws {
        let path = name.isEmpty ? keptFolder : "\(keptFolder)/\(name)"
        var status = stat()
        guard depth < 8, lstat(path, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFREG {
            let file = try Descriptor.open(path, O_RDONLY)
            var content = Data()
            while case let more = try file.read(), !more.isEmpty { content.append(contentsOf: more) }
            files[name] = content
        } else if status.st_mode & S_IFMT == S_IFDIR, let directory = opendir(path) {
            defer { closedir(directory) }
            while let entry = readdir(directory) {
                let child = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if child == "." || child == ".." { continue }
                try collect(name.isEmpty ? child : "\(name)/\(child)", into: &files, depth: depth + 1)
            }
        }
    }

    private static func makeFolders(of path: String) {
        var folder = ""
        for part in path.split(separator: "/").dropLast() {
            folder += "/\(part)"
            mkdir(folder, 0o700)
        }
    }
}

import Glibc
import HILPOSIX
import RadioModel
import Synchronization

/// The disk of a virtual board. Its files lie above the read-only image. After a power cut, it still has all synced
/// data.
final class BoardDisk: Sendable {
    /// Where the disk itself is mounted. Its layer is also a part of the root file system.
    static let mountPoint = "/disk"
    /// The devices of the image, for QEMU's boards and for native ones.
    private static let images = ["/dev/vda", "/dev/ubda"]
    /// The file that fills it. The board's first program removes it, because a fault does not outlive a boot.
    private static let filler = "\(mountPoint)/filler"
    private static let block = 4096

    /// Whether this board has such a disk. A board of a bench has only its normal disk.
    static var isThere: Bool { access(mountPoint, F_OK) == 0 }

    /// The device with the image, a read-only file system of type erofs; nil on a board of a bench.
    static var image: String? { isThere ? images.first { access($0, R_OK) == 0 } : nil }

    /// Makes a folder on the disk itself, for file systems that cannot be on a layer of another. Other users may pass
    /// through it.
    ///
    /// - Returns: Its path; nil on a board of a bench.
    static func makeFolder(_ name: String) throws(SystemError) -> String? {
        guard isThere else { return nil }
        return try AgentFolder(path: "\(mountPoint)/\(name)").path
    }

    /// The free space in bytes.
    func free() throws(SystemError) -> Int { try BoardDisk.free(at: "/") }

    /// Writes everything to the disk. Does nothing on a board of a bench, whose disk may be slow.
    static func flush() {
        if isThere { sync() }
    }

    /// Fills the disk so that at most this many bytes are free, and checks that it is really full.
    ///
    /// - Returns: The free bytes.
    func fill(leaving bytes: Int) throws -> Int {
        guard BoardDisk.isThere else {
            throw RadioError.invalid("this board's disk cannot be filled: it has no \(BoardDisk.mountPoint)")
        }
        let file = try Descriptor.open(BoardDisk.filler, O_RDWR | O_CREAT, mode: 0o600)
        // The file's metadata needs blocks as well, so the last blocks are taken one by one.
        var most = Int.max
        while case let wanted = min(most, (try free() - max(0, bytes)) / BoardDisk.block), wanted > 0 {
            var status = stat()
            try valueOrErrno("fstat", "measuring \(BoardDisk.filler)") { fstat(file.raw, &status) }
            if posix_fallocate(file.raw, status.st_size, off_t(wanted * BoardDisk.block)) != 0 { most = wanted / 2 }
        }
        let left = try free()
        try BoardDisk.checkThatItIsFull(left)
        return left
    }

    /// Frees the filled space.
    func release() throws -> Int {
        unlink(BoardDisk.filler)
        return try free()
    }

    private static func free(at path: String) throws(SystemError) -> Int {
        var status = statvfs()
        try valueOrErrno("statvfs", "measuring \(path)") { statvfs(path, &status) }
        return Int(status.f_bavail * status.f_frsize)
    }

    /// Tries to allocate more bytes than are free. This must fail.
    private static func checkThatItIsFull(_ left: Int) throws {
        let path = "/hil-disk-probe"
        let file = try? Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC)
        defer { unlink(path) }
        guard let file, posix_fallocate(file.raw, 0, off_t(left + 4097)) == 0 else { return }
        throw RadioError.rig("the board's disk accepts more than the \(left) bytes that should be free")
    }
}

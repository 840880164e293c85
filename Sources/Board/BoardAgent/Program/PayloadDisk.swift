import BoardProtocol
import FoundationEssentials
import Glibc
import HILPOSIX

/// A read-only disk of a board with the files of an accessory's program, in a file system of type erofs.
///
/// Its identifier names the payload. Source of the layout: `struct erofs_super_block` in the kernel's
/// `fs/erofs/erofs_fs.h`.
struct PayloadDisk: Sendable, Equatable {
    /// The devices of the fourth disk: of QEMU's boards, and of native ones.
    static let devices = ["/dev/vdd", "/dev/ubdd"]
    private static let superblock = 1024
    private static let magic: [UInt8] = [0xE2, 0xE1, 0xF5, 0xE0]
    private static let identifier = 48..<64

    let device: String

    /// - Returns: Nil if there is no such device, or it does not have this payload.
    init?(_ device: String, with payload: PayloadID) {
        guard let file = try? Descriptor.open(device, O_RDONLY) else { return nil }
        guard lseek(file.raw, off_t(PayloadDisk.superblock), SEEK_SET) == PayloadDisk.superblock,
            let bytes = try? file.read(upTo: PayloadDisk.identifier.upperBound),
            PayloadDisk.identifier(in: bytes) == payload.diskIdentifier
        else { return nil }
        self.device = device
    }

    /// The identifier in a superblock, written as a UUID; nil for other bytes.
    static func identifier(in superblock: [UInt8]) -> String? {
        guard superblock.count >= identifier.upperBound, superblock.starts(with: magic) else { return nil }
        let digits = superblock[identifier].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }

    /// Mounts the files at a path, under a layer on the path's own disk, so that they can be written to. Changes from
    /// before a power cut are still there.
    func mount(at path: String) throws {
        let layers = PayloadDisk.layers(of: path)
        for folder in [path, layers, "\(layers)/disk", "\(layers)/upper", "\(layers)/work"] {
            try valueOrErrno("mkdir", "making the folder \(folder)") {
                mkdir(folder, 0o755) == 0 || errno == EEXIST ? 0 : -1
            }
        }
        try valueOrErrno("mount", "mounting the program's files of \(device)") {
            Glibc.mount(device, "\(layers)/disk", "erofs", UInt(MS_RDONLY), nil)
        }
        let options = "lowerdir=\(layers)/disk,upperdir=\(layers)/upper,workdir=\(layers)/work"
        try valueOrErrno("mount", "mounting the program's files at \(path)") {
            Glibc.mount("program", path, "overlay", 0, options)
        }
    }

    /// Whether files were mounted at a path, perhaps before a power cut.
    static func hasLayers(_ path: String) -> Bool { access(layers(of: path), F_OK) == 0 }

    /// Whether files are mounted at a path now.
    static func isMounted(_ path: String) -> Bool {
        var (own, layer) = (stat(), stat())
        return stat(path, &own) == 0 && stat(layers(of: path), &layer) == 0 && own.st_dev != layer.st_dev
    }

    /// Undoes ``mount(at:)``, and removes all changes there. Does nothing if nothing is mounted.
    static func unmount(_ path: String) {
        for mounted in [path, "\(layers(of: path))/disk"] { umount2(mounted, Int32(MNT_DETACH)) }
        try? FileManager.default.removeItem(atPath: layers(of: path))
    }

    private static func layers(of path: String) -> String { "\(path).layers" }
}

import Glibc
import HILPOSIX

/// The writable disk of a virtual board: a separate file in its rig's folder, almost empty at the start.
///
/// A power cut clears the board's memory and keeps this file. At the next start, it has all data that the board's
/// kernel has written. Data that was only in the kernel's memory is lost, as on a real board. The file need not survive
/// a crash of this machine, so a board's flush never waits for a disk of this machine.
enum DiskFile {
    /// The name of the file in a rig's folder.
    static let name = "disk"
    private static let blockSize = 1 << 16
    /// SEEK_DATA and SEEK_HOLE of linux/fs.h.
    private static let (seekData, seekHole) = (Int32(3), Int32(4))

    /// Makes a copy that uses no space for blocks of zeros.
    ///
    /// - Parameter target: The path of the copy, which must not exist.
    static func copy(_ source: String, to target: String) throws(SystemError) {
        let input = try Descriptor.open(source, O_RDONLY)
        let output = try Descriptor.open(target, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        let size = try valueOrErrno("lseek", "measuring \(source)") { lseek(input.raw, 0, SEEK_END) }
        var next: off_t = 0
        while next < size {
            let start = lseek(input.raw, next, seekData)
            // ENXIO: only a hole is left.
            if start < 0, errno == ENXIO { break }
            try valueOrErrno("lseek", "reading \(source)") { start < 0 ? -1 : 0 }
            next = try valueOrErrno("lseek", "reading \(source)") { lseek(input.raw, start, seekHole) }
            try copy(input, start..<next, to: output, source, target)
        }
        try valueOrErrno("ftruncate", "giving \(target) its size") { ftruncate(output.raw, size) }
    }

    private static func copy(
        _ input: Descriptor, _ range: Range<off_t>, to output: Descriptor, _ source: String, _ target: String
    ) throws(SystemError) {
        try valueOrErrno("lseek", "reading \(source)") { lseek(input.raw, range.lowerBound, SEEK_SET) }
        var place = range.lowerBound
        while place < range.upperBound {
            let bytes = try input.read(upTo: min(blockSize, Int(range.upperBound - place)))
            if bytes.isEmpty { return }
            if bytes.contains(where: { $0 != 0 }) {
                try valueOrErrno("lseek", "writing \(target)") { lseek(output.raw, place, SEEK_SET) }
                try output.write(bytes)
            }
            place += off_t(bytes.count)
        }
    }
}

/// A cpio archive of the format “newc” (cpio(5)), as a kernel uses it for its first file system. Pure.
struct CPIOArchive: Equatable {
    struct Entry: Equatable {
        var path: String
        /// File type and permissions, as of stat(2).
        var mode: UInt32
        var content: [UInt8]
    }

    var entries: [Entry] = []

    private static let magic = "070701"
    private static let headerLength = 110
    private static let trailer = "TRAILER!!!"

    init() {}

    /// Reads an archive; nil if it is not one.
    init?(_ bytes: [UInt8]) {
        var offset = 0
        while offset + CPIOArchive.headerLength <= bytes.count {
            guard String(decoding: bytes[offset..<offset + 6], as: UTF8.self) == CPIOArchive.magic else { return nil }
            func field(_ number: Int) -> Int? {
                let start = offset + 6 + number * 8
                return UInt32(String(decoding: bytes[start..<start + 8], as: UTF8.self), radix: 16).map(Int.init)
            }
            guard let mode = field(1), let length = field(6), let nameLength = field(11), nameLength > 0 else {
                return nil
            }
            let name = offset + CPIOArchive.headerLength
            let content = CPIOArchive.rounded(name + nameLength)
            guard content + length <= bytes.count else { return nil }
            let path = String(decoding: bytes[name..<name + nameLength - 1], as: UTF8.self)
            if path == CPIOArchive.trailer { return }
            entries.append(Entry(path: path, mode: UInt32(mode), content: Array(bytes[content..<content + length])))
            offset = CPIOArchive.rounded(content + length)
        }
        return nil
    }

    /// The bytes of the archive.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for (number, entry) in entries.enumerated() { CPIOArchive.append(entry, number + 1, to: &bytes) }
        CPIOArchive.append(Entry(path: CPIOArchive.trailer, mode: 0, content: []), 0, to: &bytes)
        return bytes
    }

    private static func append(_ entry: Entry, _ inode: Int, to bytes: inout [UInt8]) {
        // inode, mode, owner, group, links, time, length, device (2), the device it stands for (2), name, checksum
        let fields = [
            inode, Int(entry.mode), 0, 0, 1, 0, entry.content.count, 0, 0, 0, 0, entry.path.utf8.count + 1, 0,
        ]
        bytes += magic.utf8
        for field in fields {
            let digits = String(field, radix: 16)
            bytes += (String(repeating: "0", count: max(0, 8 - digits.count)) + digits).utf8
        }
        bytes += Array(entry.path.utf8) + [0]
        bytes += [UInt8](repeating: 0, count: rounded(bytes.count) - bytes.count)
        bytes += entry.content
        bytes += [UInt8](repeating: 0, count: rounded(bytes.count) - bytes.count)
    }

    private static func rounded(_ count: Int) -> Int { (count + 3) & ~3 }
}

import Glibc
import HILPOSIX

/// Fills the kernel's cache of files in advance.
enum PageCache {
    /// Reads all files that running processes have mapped, and further files.
    ///
    /// - Parameter paths: Programs that will run later.
    /// - Returns: How many bytes were read.
    static func fill(and paths: [String]) -> Int {
        var files = Set(paths)
        for process in names(in: "/proc") where process.allSatisfy(\.isNumber) {
            guard let maps = try? read("/proc/\(process)/maps") else { continue }
            for line in maps.split(separator: "\n") {
                // Address, permissions, offset, device, inode, and the path, which may contain spaces.
                let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
                guard fields.count == 6 else { continue }
                let path = fields[5].drop { $0 == " " }
                if path.hasPrefix("/") { files.insert(String(path)) }
            }
        }
        return files.reduce(0) { $0 + ((try? readThrough($1)) ?? 0) }
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names
    }

    private static func read(_ path: String) throws(SystemError) -> String {
        let file = try Descriptor.open(path, O_RDONLY)
        var text: [UInt8] = []
        while case let more = try file.read(), !more.isEmpty { text += more }
        return String(decoding: text, as: UTF8.self)
    }

    private static func readThrough(_ path: String) throws(SystemError) -> Int {
        // Reading a device might never end.
        guard !path.hasPrefix("/dev/") else { return 0 }
        let file = try Descriptor.open(path, O_RDONLY)
        var count = 0
        while case let more = try file.read(), !more.isEmpty { count += more.count }
        return count
    }
}

import Glibc
import HILPOSIX

/// Files of `/proc` and `/sys`, and folders.
enum SmallFile {
    /// The first 64 KiB of a file without white space at its end; nil if it cannot be read.
    static func text(_ path: String) -> String? {
        guard let file = try? Descriptor.open(path, O_RDONLY), let bytes = try? file.read() else { return nil }
        var text = Substring(decoding: bytes, as: UTF8.self)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// Writes into a file that exists.
    static func write(_ text: String, to path: String) throws(SystemError) {
        try Descriptor.open(path, O_WRONLY).write(text.utf8)
    }

    /// The names in a folder, sorted; empty if there is no such folder.
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The last part of a symbolic link's target; nil for other files.
    static func target(of link: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = readlink(link, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "/").last.map(String.init)
    }

    /// Empties a folder, and makes it if it does not exist. Only its owner may use it.
    static func empty(_ folder: String) throws(SystemError) {
        for name in names(in: folder) { remove("\(folder)/\(name)") }
        guard mkdir(folder, 0o700) == -1, errno != EEXIST else { return }
        throw SystemError(code: errno, action: "making the folder \(folder)")
    }

    /// Makes a folder and those above it.
    static func make(_ folder: String) throws(SystemError) {
        if access(folder, F_OK) == 0 { return }
        if let end = folder.lastIndex(of: "/"), end > folder.startIndex { try make(String(folder[..<end])) }
        guard mkdir(folder, 0o755) == -1, errno != EEXIST else { return }
        throw SystemError(code: errno, action: "making the folder \(folder)")
    }

    /// Replaces a file in one step.
    static func replace(_ path: String, by text: String, mode: mode_t = 0o644) throws(SystemError) {
        try replaceFile(path, with: Array(text.utf8), mode: mode)
    }

    /// Removes a file, or a folder with its content.
    static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in names(in: path) { remove("\(path)/\(name)") }
        rmdir(path)
    }
}

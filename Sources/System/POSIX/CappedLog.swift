import Glibc
import HILCLinux

/// A log that others write. Only its beginning and end are kept.
///
/// The writer need not know about that. While the log is written, ``release()`` frees the disk space of the middle; the
/// file then has a hole. When nobody writes it any more, ``settle(note:)`` closes the hole.
package struct CappedLog {
    /// The most bytes that are kept of a log, half of them from its beginning.
    package static let limit = 8 << 20

    package let path: String
    private let limit: Int
    /// How much of the limit is reserved for the line in place of the omitted part.
    private static let room = 512
    /// Holes begin and end at pages of this size on every file system.
    private static let page = 4096

    /// - Parameter limit: In bytes; a multiple of two pages.
    package init(_ path: String, limit: Int = CappedLog.limit) { (self.path, self.limit) = (path, limit) }

    /// The content of a log: its beginning and its end in whole lines, and how many bytes were between them.
    package struct Content: Sendable, Equatable {
        package var head: [UInt8]
        package var tail: [UInt8] = []
        /// In bytes; zero if the log is complete.
        package var leftOut = 0
    }

    /// How many bytes others have written, and how many the file uses on the disk.
    private var size: (written: Int, used: Int) {
        var status = stat()
        guard stat(path, &status) == 0 else { return (0, 0) }
        return (Int(status.st_size), Int(status.st_blocks) * 512)
    }

    /// Frees the disk space between beginning and end, if the log exceeds its limit by more than a quarter.
    package func release() {
        let (written, used) = size
        guard written > limit, used > limit + limit / 4, let file = try? Descriptor.open(path, O_WRONLY) else { return }
        let start = limit / 2
        let end = (written - limit / 2) / CappedLog.page * CappedLog.page
        if end > start, punch_hole(file.raw, off_t(start), off_t(end - start)) == 0 { return }
        // A file system without holes. What is written next comes after the beginning.
        ftruncate(file.raw, off_t(start))
    }

    /// The log, or its beginning and its end if it is longer than its limit; nil if it cannot be read.
    package func read() -> Content? {
        guard let file = try? Descriptor.open(path, O_RDONLY) else { return nil }
        let written = size.written
        guard written > limit else { return bytes(of: file, 0..<written).map { Content(head: $0) } }
        let half = (limit - CappedLog.room) / 2
        guard var head = bytes(of: file, 0..<half), var tail = bytes(of: file, written - half..<written)
        else { return nil }
        let newline = UInt8(ascii: "\n")
        if let last = head.lastIndex(of: newline) { head.removeSubrange((last + 1)...) }
        if let first = tail.firstIndex(of: newline), first + 1 < tail.count { tail.removeSubrange(...first) }
        return Content(head: head, tail: tail, leftOut: written - head.count - tail.count)
    }

    /// Rewrites a log that is longer than its limit, with a line in place of the omitted part. Nobody else may write it
    /// any more.
    ///
    /// - Parameter note: Makes the line, from the number of omitted bytes and the last line before them.
    /// - Returns: How many bytes were written to the log in total; nil if it is complete.
    package func settle(
        note: (_ leftOut: Int, _ lastLine: ArraySlice<UInt8>) -> String
    ) throws(SystemError) -> Int? {
        let written = size.written
        guard written > limit, let content = read() else { return nil }
        let lines = content.head.dropLast()
        let lastLine = lines[(lines.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? lines.startIndex)...]
        let line = Array((note(content.leftOut, lastLine) + "\n").utf8)
        try replaceFile(path, with: content.head + line + content.tail)
        return written
    }

    private func bytes(of file: Descriptor, _ range: Range<Int>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        while bytes.count < range.count {
            let wanted = min(range.count - bytes.count, 1 << 20)
            let more = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
                count = max(0, pread(file.raw, buffer.baseAddress, wanted, off_t(range.lowerBound + bytes.count)))
            }
            // It has become shorter.
            guard !more.isEmpty else { return bytes }
            bytes += more
        }
        return bytes
    }
}

/// Splits a stream of bytes into lines. The bytes may be anything; empty lines are left out.
package struct LineSplitter: Sendable {
    /// What happens to a line that is longer than the limit.
    package enum Overlong: Sendable {
        /// The rest of the line is dropped.
        case truncated
        /// The line is split into several pieces.
        case cut
    }

    private let limit: Int
    private let overlong: Overlong
    private var pending: [UInt8] = []

    /// - Parameter limit: The longest line or piece in bytes, and the most bytes that are kept of an unfinished line.
    package init(limit: Int = 1 << 20, overlong: Overlong = .truncated) {
        self.limit = limit
        self.overlong = overlong
    }

    /// Adds bytes, and returns the lines that are complete now, without their line breaks.
    package mutating func push(_ bytes: some Collection<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if part.offset > 0, let line = finish() { lines.append(line) }
            var rest = part.element[...]
            while true {
                let piece = rest.prefix(limit - pending.count)
                pending += piece
                rest = rest[piece.endIndex...]
                guard overlong == .cut, pending.count == limit, let line = finish() else { break }
                lines.append(line)
            }
        }
        return lines
    }

    /// The last line if it has no line break; nil if nothing is left.
    package mutating func finish() -> [UInt8]? {
        defer { pending = [] }
        return pending.isEmpty ? nil : pending
    }
}

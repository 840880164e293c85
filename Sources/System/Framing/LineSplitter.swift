/// Cuts a stream of bytes into lines, whatever the bytes are; empty lines are left out.
package struct LineSplitter: Sendable {
    /// What becomes of a line that is longer than the limit.
    package enum Overlong: Sendable {
        /// It loses its end.
        case truncated
        /// It is given in pieces.
        case cut
    }

    private let limit: Int
    private let overlong: Overlong
    private var pending: [UInt8] = []

    /// - Parameter limit: The most bytes that are given at once, and kept of a line that has no end yet.
    package init(limit: Int = 1 << 20, overlong: Overlong = .truncated) {
        self.limit = limit
        self.overlong = overlong
    }

    /// Takes bytes; gives the lines that they complete, without their ends.
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

    /// The last line, if it has no end; nil where there is nothing left.
    package mutating func finish() -> [UInt8]? {
        defer { pending = [] }
        return pending.isEmpty ? nil : pending
    }
}

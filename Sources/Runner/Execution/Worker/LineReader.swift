/// Cuts a stream of bytes into lines, whatever the bytes are; a line that is too long loses its end.
public struct LineReader: Sendable {
    private let limit: Int
    private var rest: [UInt8] = []

    /// - Parameter limit: The most bytes that are kept of a line.
    public init(limit: Int = 1 << 20) { self.limit = limit }

    /// Takes bytes; gives the lines that they complete, without their newlines.
    public mutating func push(_ bytes: some Collection<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if part.offset > 0 {
                lines.append(rest)
                rest = []
            }
            rest += part.element.prefix(max(0, limit - rest.count))
        }
        return lines.filter { !$0.isEmpty }
    }

    /// The last line, if it had no newline.
    public mutating func finish() -> [[UInt8]] {
        defer { rest = [] }
        return rest.isEmpty ? [] : [rest]
    }
}

import BoardProtocol
import HILPOSIX
import HILTiming

/// Splits a program's output into lines. Pure.
///
/// A line that is too long is cut between two characters, not inside one.
struct ProgramLines: Sendable {
    /// The longest line in bytes.
    static let longest = 4096
    private var splitter = LineSplitter(limit: longest, overlong: .cut)
    /// The first bytes of a character whose line was cut.
    private var carry: [UInt8] = []

    /// Adds bytes, and returns the lines that are complete now. Empty lines are left out.
    mutating func push(_ bytes: [UInt8]) -> [String] { splitter.push(bytes).compactMap { line(of: $0) } }

    /// The last line, if it has no line break.
    mutating func finish() -> String? {
        let rest = carry + (splitter.finish() ?? [])
        carry = []
        return rest.isEmpty ? nil : text(rest)
    }

    private mutating func line(of piece: [UInt8]) -> String? {
        var bytes = carry + piece
        carry = []
        if piece.count == ProgramLines.longest {
            carry = Array(bytes.suffix(ProgramLines.openCharacter(at: bytes)))
            bytes.removeLast(carry.count)
        }
        return bytes.isEmpty ? nil : text(bytes)
    }

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }

    /// How many bytes at the end belong to an incomplete character.
    private static func openCharacter(at bytes: [UInt8]) -> Int {
        for length in 1...3 where length <= bytes.count {
            let byte = bytes[bytes.count - length]
            if byte & 0xC0 == 0x80 { continue }
            let whole = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length < whole ? length : 0
        }
        return 0
    }
}

/// Limits how many lines of a program are reported, and counts the lines that are left out. Pure.
///
/// The program itself never waits: all its output is read.
struct OutputBudget: Sendable {
    /// How much may be reported at once, and how much more in each second.
    struct Limits: Sendable {
        var lines = 5000
        var bytes = 1 << 20
        var linesPerSecond = 500
        var bytesPerSecond = 256 << 10
    }

    private let limits: Limits
    private var lines: Double
    private var bytes: Double
    private var last = Duration.zero
    private var dropped = 0

    init(_ limits: Limits = Limits()) {
        self.limits = limits
        (lines, bytes) = (Double(limits.lines), Double(limits.bytes))
    }

    /// The printed lines to report, with a note of the board where lines are left out.
    ///
    /// - Parameter now: The time since any fixed moment.
    mutating func take(_ printed: [ProgramLine], at now: Duration) -> [ProgramLine] {
        let seconds = max(0, (now - last).seconds)
        last = max(last, now)
        lines = min(Double(limits.lines), lines + seconds * Double(limits.linesPerSecond))
        bytes = min(Double(limits.bytes), bytes + seconds * Double(limits.bytesPerSecond))
        return printed.flatMap { line -> [ProgramLine] in
            let size = Double(line.text.utf8.count)
            // After a gap it waits until there is room for more than a few lines, to avoid many gaps.
            let room = dropped == 0 ? 1 : 0.1 * Double(limits.lines)
            guard lines >= room, bytes >= (dropped == 0 ? size : max(size, 0.1 * Double(limits.bytes))) else {
                dropped += 1
                return dropped == 1 ? [note("the program prints too much: lines are left out from here on")] : []
            }
            (lines, bytes) = (lines - 1, bytes - size)
            return [gap(), line].compactMap { $0 }
        }
    }

    /// The note on the last omitted lines; nil if there are none.
    mutating func finish() -> ProgramLine? { gap() }

    private mutating func gap() -> ProgramLine? {
        defer { dropped = 0 }
        return dropped == 0 ? nil : note("\(dropped) lines were left out")
    }

    private func note(_ text: String) -> ProgramLine { ProgramLine(text, from: .board) }
}

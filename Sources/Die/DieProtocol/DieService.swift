/// The die's service over IP, on each network that it opens: one question over TCP, one answer, then the die closes the
/// connection.
///
/// The question is the line `ROLL?`. The answer is the line `ROLL <number> <face> <serial>`: the number and the face of
/// the last roll, both 0 before the first, and the die's serial number. Lines are UTF-8 and end with a line feed.
package enum DieService {
    /// The TCP port.
    package static let port: UInt16 = 7007
    /// The longest line in bytes, including its line feed.
    package static let longestLine = 512
    /// The question.
    package static let question = "ROLL?\n"

    /// The answer of the die.
    package struct Answer: Sendable, Hashable {
        package var roll: Roll
        package var serialNumber: String

        package init(roll: Roll, serialNumber: String) {
            self.roll = roll
            self.serialNumber = serialNumber
        }

        /// Parses a received line.
        package init(decoding line: String) throws(DieProtocolError) {
            guard line.utf8.count <= DieService.longestLine, line.hasSuffix("\n") else {
                throw .invalid(what: "the die's answer")
            }
            let words = line.dropLast().split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
            guard words.count == 4, words[0] == "ROLL", let number = UInt32(words[1]), let face = UInt8(words[2]),
                (face == 0) == (number == 0), !words[3].isEmpty
            else { throw .invalid(what: "the die's answer") }
            roll = Roll(number: number, face: face)
            serialNumber = String(words[3])
        }

        /// The line to send.
        package var line: String { "ROLL \(roll.number) \(roll.face) \(serialNumber)\n" }
    }
}

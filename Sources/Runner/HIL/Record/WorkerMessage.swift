import Foundation
import HILPOSIX
import HILPhone
import HILRecord

/// One line of a worker's output: an event of its scenario for the record, and what the runner needs beside it while a
/// person plays the scenario by hand.
package struct WorkerMessage: Sendable, Codable {
    /// What the person of a played scenario sees and does.
    package enum Played: Sendable, Codable {
        /// The topmost screen changed; nil means that the person now sees the app itself.
        case screen(Screen?)
        case bluetoothPower(Bool)
        case wifiPower(Bool)
        case play(PlayEvent)
        /// What is said to a person with a real phone, or asked of them.
        case hand(HandTurn)
    }

    /// Raised when the messages from or to a worker change, so that a worker and a runner of different builds notice it
    /// at once.
    package static let version = 11
    /// The most bytes of a line that a worker writes. It is less than the runner accepts.
    package static let longestLine = 512 << 10

    package var stamped: StampedEvent
    package var played: Played?

    package init(_ stamped: StampedEvent, played: Played? = nil) {
        self.stamped = stamped
        self.played = played
    }

    /// The message as a line of JSON, without a newline. What a person sees is left out if the line would be longer than
    /// ``longestLine``; a note replaces an event that is longer by itself.
    package func line() throws -> [UInt8] {
        let bytes = [UInt8](try JSONEncoder().encode(self))
        if bytes.count <= WorkerMessage.longestLine { return bytes }
        if played != nil { return try WorkerMessage(stamped).line() }
        let start = PlainText.cut(String(describing: stamped.event), to: PlainText.longestValue)
        let note = "an event of \(PlainText.grouped(bytes.count)) bytes is left out: \(start)"
        let short = StampedEvent(time: stamped.time, event: .note(text: note))
        return [UInt8](try JSONEncoder().encode(WorkerMessage(short)))
    }
}

/// One event of a `timeline.json`: every event of every source of one attempt, on one clock.
///
/// The file is one JSON object. Each event has its own line, in order of time:
///
/// | member | content |
/// |---|---|
/// | `format` | 2 |
/// | `scenario` | the identifier |
/// | `began`, `ended` | nanoseconds since 1970, of the first and the last event; 0 if there is none |
/// | `zero` | nanoseconds since 1970: when the scenario began; story and console count from it |
/// | `events` | objects with the members of this type |
///
/// Format 1 had only `t`, `source`, `kind` and `text` of an event.
///
/// Sources are `runner`, `scenario` (steps, expectations, failures), `person`, `phone`, `app`, `air`, the accessory's
/// kind in one word (`lamp`), and for programs on a board the names of both: `host/bluetoothd`, `accessory/kernel`.
package struct TimelineEvent: Sendable, Hashable, Codable {
    /// The format of `timeline.json` that this version writes, and the newest that it reads.
    package static let format = 2

    /// Where a reader draws an event.
    package enum Lane: String, Sendable, Hashable, Codable {
        case runner, scenario, person, phone, app, accessory
        /// What the air itself reports: faults, distances, radios.
        case air
        /// A packet between a board and its Bluetooth controller.
        case bluetooth
        /// A frame of 802.11.
        case wifi
        /// A line of the host board's daemons or its kernel.
        case hostBoard
        /// A line of the accessory board's daemons or its kernel.
        case accessoryBoard
    }

    /// Nanoseconds since 1970.
    package var t: UInt64
    package var source: String
    /// The kind of event, as a word that does not change between versions: `screen`, `stepBegan`, `line`, `packet`.
    package var kind: String
    /// One line for people.
    package var text: String
    /// nil in format 1.
    package var lane: Lane?
    /// Its receiver: `phone`, the identifier of an app, the address of a device, or for HCI `host` or `controller`; nil if
    /// it has none.
    package var to: String?
    /// The number of the step that begins or ends, or in which the event happened; nil between steps.
    package var step: Int?
    /// The file with its picture, relative to the attempt's folder: `screens/03-setting-up.light.svg`.
    package var file: String?
    /// The number of a packet in the capture, from 1, as Wireshark's `frame.number`; nil for any other event.
    package var frame: Int?

    package init(
        t: UInt64, source: String, kind: String, text: String, lane: Lane? = nil, to: String? = nil, step: Int? = nil,
        file: String? = nil, frame: Int? = nil
    ) {
        (self.t, self.source, self.kind, self.text, self.lane) = (t, source, kind, text, lane)
        (self.to, self.step, self.file, self.frame) = (to, step, file, frame)
    }
}

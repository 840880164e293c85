import Foundation
import HIL
import HILPOSIX
import HILRecord
import RadioModel

/// The events of a running scenario, one after the other, for the lanes of a page: each a JSON object as in
/// `timeline.json`.
package struct PlayedEvents: Sendable {
    private var owners = AddressOwners([])
    /// The events that show whose an address is.
    private var opening: [RunLine] = []
    private var open: [Int] = []

    package init() {}

    /// - Returns: nil for an event that has no place in a lane.
    package mutating func json(of told: StampedEvent) -> String? {
        note(told)
        guard var event = TimelineEvent(told.event, at: told.time) else { return nil }
        event.text = owners.named(event.text, of: told.event)
        if let step = event.step {
            if event.kind == "stepBegan" { open.append(step) } else { open.removeAll { $0 == step } }
        }
        event.step = event.step ?? open.last
        return event.json
    }

    private mutating func note(_ told: StampedEvent) {
        switch told.event {
        case .onAir: break
        case .phone(.radio(let radio)) where radio.kind == "addressChanged": break
        default: return
        }
        opening.append(RunLine(scenario: "", worker: told))
        owners = AddressOwners(opening)
        for line in opening.dropLast() { if let event = line.worker { _ = owners.named("", of: event) } }
    }
}

/// The packets of a growing capture, each as a JSON object as in `timeline.json`.
package struct PlayedPackets: Sendable {
    /// The most bytes of an incomplete packet. A file that needs more was not written by hil.
    private static let longestBlock = 1 << 20

    private var rest: [UInt8] = []
    private var count = 0
    private var isBroken = false

    package init() {}

    /// Takes the next bytes of the file.
    ///
    /// - Returns: The packets that are complete now. Constant traffic, such as beacons, is left out.
    package mutating func json(of more: [UInt8]) -> [String] {
        guard !isBroken else { return [] }
        rest += more
        var packets = PcapNGPackets(rest)
        var found: [String] = []
        while let packet = packets.next() {
            count += 1
            guard let text = PacketText.line(packet.bytes, of: packet.interface), !PlayedPackets.isBackground(text)
            else { continue }
            let event = TimelineEvent(
                t: packet.time, source: "air", kind: "packet", text: text,
                lane: packet.interface == 2 ? .wifi : .bluetooth,
                to: PacketText.receiver(of: packet.bytes, of: packet.interface), frame: count)
            found.append(event.json)
        }
        rest = Array(rest.suffix(packets.unreadCount))
        if rest.count > PlayedPackets.longestBlock { (isBroken, rest) = (true, []) }
        return found
    }

    private static func isBackground(_ text: String) -> Bool {
        ["802.11 beacon", "802.11 null data", "802.11 control"].contains { text.hasPrefix($0) }
            || text.contains(" packets completed") || text.contains("advertising report")
    }
}

extension TimelineEvent {
    /// The event in one line of JSON, with the control characters of its texts made visible.
    fileprivate var json: String {
        var event = self
        event.text = PlainText.lines(text)
        event.to = to.map(PlainText.line)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(event)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}

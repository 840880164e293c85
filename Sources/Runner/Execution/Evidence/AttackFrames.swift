import Foundation
import HIL
import HILRecord

/// The packets of an audit's strangers in a capture, for each note of the check.
///
/// A note has those that came since the note before: what was sent and received on a link, or, if there was no link, what
/// was heard; and the Wi-Fi frames from and to a stranger's station.
enum AttackFrames {
    private enum Kind { case link, heard }

    /// The packets in the capture of an attempt's folder.
    ///
    /// - Returns: In the order of the notes; nil if the story is no check's, or has no note.
    static func find(in folder: String, of story: [RunLine]) -> [AuditFrames]? {
        let isCheck = story.contains { if case .audit(.tried)? = $0.worker { true } else { false } }
        guard isCheck, let capture = FileManager.default.contents(atPath: "\(folder)/\(Evidence.capture)") else {
            return nil
        }
        return find(in: [UInt8](capture), of: story)
    }

    static func find(in capture: [UInt8], of story: [RunLine]) -> [AuditFrames]? {
        let notes = story.filter { if case .audit(.tried)? = $0.worker { true } else { false } }.map(\.time)
        guard !notes.isEmpty else { return nil }
        let strangers = Strangers(story, interfaces: PcapNGPackets.interfaces(in: capture))
        var links = notes.map { _ in [Int]() }
        var heard = links
        var place = 0
        for (number, packet) in PcapNGPackets(capture).enumerated() {
            while place < notes.count, notes[place] < packet.time { place += 1 }
            guard place < notes.count else { break }
            switch strangers.kind(of: packet) {
            case .link: links[place].append(number + 1)
            case .heard: heard[place].append(number + 1)
            case nil: break
            }
        }
        return zip(links, heard).map { AuditFrames($0.isEmpty ? $1 : $0) }
    }

    /// Who the strangers of a story are in its capture.
    private struct Strangers {
        private static let wifi = "air-wifi"
        private static let phone = "host-hci0"
        /// The numbers of the interfaces of their controllers, and since when strangers have them, or have them no longer.
        private let controllers: [UInt32: [(time: UInt64, isStrangers: Bool)]]
        /// The number of the interface with all Wi-Fi frames; nil if no stranger has a station.
        private let wifi: UInt32?
        /// The addresses of their stations.
        private let stations: Set<String>

        init(_ story: [RunLine], interfaces: [String]) {
            let numbers = Dictionary(interfaces.enumerated().map { ($1, UInt32($0)) }) { first, _ in first }
            var controllers: [UInt32: [(time: UInt64, isStrangers: Bool)]] = [:]
            var stations: Set<String> = []
            for line in story {
                switch line.worker {
                case .audit(.stranger(let address, Strangers.wifi)): stations.insert(address.lowercased())
                case .audit(.stranger(_, let interface)):
                    if let number = numbers[interface] { controllers[number, default: []].append((line.time, true)) }
                // On a bench strangers borrow the phone's controller.
                case .onAir(_, "the phone"):
                    if let number = numbers[Strangers.phone] {
                        controllers[number, default: []].append((line.time, false))
                    }
                default: break
                }
            }
            (self.controllers, self.stations) = (controllers, stations)
            wifi = stations.isEmpty ? nil : numbers[Strangers.wifi]
        }

        /// Whether strangers have a controller at a time. The first packets of a stranger may come before the story names it.
        private func own(_ interface: UInt32, at time: UInt64) -> Bool {
            guard let turns = controllers[interface] else { return false }
            return (turns.last { $0.time <= time } ?? turns.first)?.isStrangers == true
        }

        /// What a packet is to them; nil for one of somebody else.
        func kind(of packet: PcapNGPackets.Packet) -> Kind? {
            let bytes = PacketBytes(packet.bytes)
            if own(packet.interface, at: packet.time) { return controllerKind(bytes) }
            guard packet.interface == wifi, let header = bytes.word(2) else { return nil }
            let frame = bytes.dropFirst(Int(header))
            // The receiver's address is at 4, the transmitter's at 10.
            return [4, 10].contains { frame.address($0).map(stations.contains) == true } ? .link : nil
        }

        /// Four bytes of direction, then the type of H4: 2 is data of a link, 4 an event, of which the reports of
        /// advertisements count.
        private func controllerKind(_ bytes: PacketBytes) -> Kind? {
            switch (bytes.byte(4), bytes.byte(5), bytes.byte(7)) {
            case (2, _, _): .link
            case (4, 0x3E, 0x02), (4, 0x3E, 0x0D): .heard
            default: nil
            }
        }
    }
}

import HIL
import HILRecord
import RadioModel
import RigModel

/// Reads in a capture whom the strangers of an audit reach: by commands and data of their controllers, and by frames of their
/// stations.
///
/// What everybody in range gets, such as an advertisement, a scan request or a probe request, is for nobody alone.
package struct AttackReach {
    /// Whom a stranger has reached or tried to reach, and must not: one line each, with the number of the frame.
    package private(set) var strays: [String] = []
    /// How often a stranger had a controller that it borrowed.
    package private(set) var turns = 0
    /// The links that strangers had.
    package private(set) var links = 0
    /// The packets that strangers sent on links.
    package private(set) var packets = 0
    /// The frames that strangers' stations sent.
    package private(set) var frames = 0

    private let names: [String]
    private let strangers: StrangersOfStory
    /// The addresses that the accessory's controllers have and had.
    private let accessory: Set<DeviceAddress>
    /// The radios that stations of strangers may send to.
    private let stations: Set<DeviceAddress>
    /// The packets of a controller that strangers borrow, while one of them has it.
    private var borrowed: Set<Int> = []
    /// The links of each controller of a stranger.
    private var handles: [UInt32: Set<UInt16>] = [:]

    /// - Parameters:
    ///   - stations: The accessory's Wi-Fi radio, and the home's router.
    ///   - devices: Further addresses of the accessory, whose controller is not in the capture.
    package init(
        _ capture: [UInt8], of story: [RunLine], stations: Set<DeviceAddress>, also devices: Set<DeviceAddress> = []
    ) {
        let names = PcapNGPackets.interfaces(in: capture)
        let strangers = StrangersOfStory(story)
        self.names = names
        self.strangers = strangers
        self.stations = stations
        accessory = PcapNGPackets(capture).reduce(into: devices) { found, packet in
            guard names.indices.contains(Int(packet.interface)) else { return }
            let name = names[Int(packet.interface)]
            guard name.hasPrefix("accessory-hci"), !strangers.own(name, at: packet.time) else { return }
            ControllerPacket(packet.bytes)?.ownAddress.map { _ = found.insert($0) }
        }
        let borrowing = BorrowedTurns(in: capture, names, of: strangers.addresses)
        (borrowed, turns) = (borrowing.numbers, borrowing.count)
        for (number, packet) in PcapNGPackets(capture).enumerated() { take(packet, number + 1) }
    }

    private mutating func take(_ packet: PcapNGPackets.Packet, _ number: Int) {
        guard names.indices.contains(Int(packet.interface)) else { return strays.append("\(number): of no interface") }
        let name = names[Int(packet.interface)]
        if name == "air-wifi" { return take(frame: packet.bytes, number) }
        guard let read = ControllerPacket(packet.bytes) else { return strays.append("\(number): cannot be read") }
        if name.hasPrefix("host-hci") ? borrowed.contains(number) : strangers.own(name, at: packet.time) {
            takeOfStranger(read, on: packet.interface, number)
        } else if !name.hasPrefix("accessory-hci"), let (_, peer) = read.newLink, strangers.addresses.contains(peer) {
            strays.append("\(number): \(name) has a link with the stranger \(peer)")
        }
    }

    private mutating func takeOfStranger(_ packet: ControllerPacket, on interface: UInt32, _ number: Int) {
        // On a bench, other people's devices are near.
        if packet.asksEverybody, borrowed.contains(number) {
            strays.append("\(number): a stranger asks everybody for a scan response")
        }
        if let target = packet.target, !accessory.contains(target) {
            strays.append("\(number): a stranger's command is for \(target)")
        }
        if let code = packet.unknownCommand {
            let text = "0x\(String(code, radix: 16))"
            strays.append("\(number): a stranger's controller gets the command \(text), unknown here")
        }
        if packet.isReset { handles[interface] = [] }
        if let (handle, peer) = packet.newLink {
            links += 1
            handles[interface, default: []].insert(handle)
            if !accessory.contains(peer) { strays.append("\(number): a stranger has a link with \(peer)") }
        }
        if let handle = packet.endedLink { handles[interface]?.remove(handle) }
        if let handle = packet.sentData {
            packets += 1
            if handles[interface]?.contains(handle) != true { strays.append("\(number): data for a link that is none") }
        }
    }

    /// A frame after its radiotap header: the receiver's address is at 4, the transmitter's at 10, and for what an access
    /// point passes on, the target's at 16.
    private mutating func take(frame bytes: ArraySlice<UInt8>, _ number: Int) {
        let packet = Array(bytes)
        guard packet.count >= 4 else { return strays.append("\(number): has no radiotap header") }
        let frame = Array(packet.dropFirst(Int(packet[2]) | Int(packet[3]) << 8))
        func address(_ offset: Int) -> DeviceAddress? { DeviceAddress(bytes: Array(frame.dropFirst(offset).prefix(6))) }
        guard let sender = address(10), strangers.stations.contains(sender) else { return }
        frames += 1
        guard let receiver = address(4), mayReceive(receiver), !strangers.stations.contains(receiver) else {
            return strays.append("\(number): a stranger's station sends to \(address(4).map { "\($0)" } ?? "nobody")")
        }
        // Data to an access point.
        guard frame[0] & 0x0C == 0x08, frame[1] & 0x03 == 0x01 else { return }
        guard let target = address(16), mayReceive(target) else {
            return strays.append(
                "\(number): a stranger's frame is passed on to \(address(16).map { "\($0)" } ?? "nobody")")
        }
    }

    /// Whether it is a group, a radio that may be reached with one of its further networks, or another stranger.
    private func mayReceive(_ address: DeviceAddress) -> Bool {
        address.bytes[0] & 1 == 1 || strangers.stations.contains(address)
            || stations.contains { $0.bytes[1...4] == address.bytes[1...4] }
    }
}

/// Who the strangers of a story are, and which controllers they have when.
private struct StrangersOfStory {
    /// Their Bluetooth addresses.
    private(set) var addresses: Set<DeviceAddress> = []
    /// The addresses of their Wi-Fi radios.
    private(set) var stations: Set<DeviceAddress> = []
    private var changes: [String: [(time: UInt64, isStranger: Bool)]] = [:]

    init(_ story: [RunLine]) {
        for line in story {
            switch line.worker {
            case .audit(.stranger(let text, let interface)):
                guard let address = DeviceAddress(text) else { continue }
                if interface == "air-wifi" {
                    stations.insert(address)
                } else {
                    addresses.insert(address)
                    changes[interface, default: []].append((line.time, true))
                }
            case .onAir(_, let whose) where whose.hasPrefix("host stack "):
                let adapter = whose.dropFirst("host stack ".count).prefix { $0.isNumber }
                changes["accessory-hci\(adapter)", default: []].append((line.time, false))
            default: break
            }
        }
    }

    /// Whether a controller is a stranger's. Its first packets may come before the story names it.
    func own(_ interface: String, at time: UInt64) -> Bool {
        guard let changes = changes[interface] else { return false }
        return (changes.last { $0.time <= time } ?? changes.first)?.isStranger == true
    }
}

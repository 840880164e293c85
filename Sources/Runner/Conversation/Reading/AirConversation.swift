import HILBluetoothHost
import RadioModel

/// Finds the conversations in a capture of the link layer.
///
/// A sniffer follows one link at a time, so packets with the same access address are those of the last link with it.
struct AirConversation: Sendable {
    private struct Link {
        var device: String
        /// Its number in the device's builder.
        var number: Int
        var encryption = AirEncryption()
    }

    private static let mostDevices = 4096
    /// The access address of advertisements.
    private static let advertising: [UInt8] = [0xD6, 0xBE, 0x89, 0x8E]

    let name: String
    let interface: String
    private(set) var builders: [String: ConversationBuilder] = [:]
    private(set) var devices: [String] = []
    private var links: [[UInt8]: Link] = [:]
    private var heard: [DeviceAddress: Procedure] = [:]
    private var hidden: [String: Int] = [:]
    /// Packets of links whose CONNECT_IND the capture does not have.
    private var lostFrames = 0
    /// Packets of links that the capture shows, but not who sent them.
    private var withoutSender = 0
    private var damaged = 0

    init(name: String, interface: String) { (self.name, self.interface) = (name, interface) }

    var conversations: [Conversation] {
        devices.compactMap { device in
            guard var conversation = builders[device]?.finished else { return nil }
            let beside = DeviceAddress(device).flatMap { heard[$0] }.map { [$0] } ?? []
            conversation.procedures = (beside + conversation.procedures).sorted { $0.frame < $1.frame }
            conversation.isPartial = lostFrames > 0
            if let count = hidden[device] { conversation.gaps.append(AirConversation.hiddenText(count)) }
            conversation.gaps += [
                (lostFrames, "are of links whose CONNECT_IND the capture does not have"),
                (withoutSender, "do not say who sent them"), (damaged, "have a wrong check sum"),
            ].filter { $0.0 > 0 }.map { "\($0.0) packets \($0.1); they are left out" }
            return conversation
        }
    }

    private static func hiddenText(_ count: Int) -> String {
        "\(count) packets are encrypted: what the phone did on the encrypted link cannot be seen, and tshark takes no key "
            + "for it afterwards. Capture HCI on the accessory's own board, where nothing is encrypted (`btmon -w FILE`), or "
            + "give the sniffer the key before the link begins (`nrfutil ble-sniffer sniff --sc-ltk-key`, or its toolbar in "
            + "Wireshark)"
    }

    mutating func take(_ frame: CapturedFrame, at place: ConversationBuilder.Place) {
        for content in frame.contents {
            guard case .linkLayer(let bytes) = content, bytes.count >= 6 else { continue }
            let access = Array(bytes.prefix(4))
            if frame.isDamaged {
                damaged += 1
                missed(access, at: place)
            } else if access == AirConversation.advertising {
                advertisement(Array(bytes.dropFirst(4)), at: place)
            } else {
                data(frame, access, Array(bytes.dropFirst(4)), at: place)
            }
        }
    }

    private mutating func advertisement(_ bytes: [UInt8], at place: ConversationBuilder.Place) {
        let (kind, length) = (bytes[0] & 0x0F, Int(bytes[1]))
        let payload = Array(bytes.dropFirst(2).prefix(length))
        guard payload.count == length else { return }
        var reader = PacketReader(payload, of: "an advertisement")
        switch kind {
        // ADV_IND, ADV_NONCONN_IND, ADV_SCAN_IND.
        case 0, 2, 6:
            guard let address = try? reader.address(), heard[address] == nil,
                heard.count < AirConversation.mostDevices
            else { return }
            let parts = AdvertisementParts(reader.remainder()).values + [("kind", "legacy")]
            heard[address] = Procedure(
                kind: .advertisement, side: .accessory, values: parts.map { Procedure.Value(name: $0.0, text: $0.1) },
                frame: place.frame, lastFrame: place.frame, time: place.time, link: 0)
        // CONNECT_IND and AUX_CONNECT_REQ.
        case 5: try? connect(&reader, isRandom: bytes[0] & 0x40 != 0, at: place)
        default: break
        }
    }

    private mutating func connect(
        _ reader: inout PacketReader, isRandom: Bool, at place: ConversationBuilder.Place
    ) throws(Malformed) {
        let (phone, accessory) = (try reader.address(), try reader.address())
        let access = try reader.bytes(4)
        _ = try reader.bytes(6)
        let (interval, latency, timeout) = (try reader.uint16(), try reader.uint16(), try reader.uint16())
        _ = try reader.bytes(5)
        let device = "\(accessory)"
        if builders[device] == nil {
            devices.append(device)
            builders[device] = ConversationBuilder(name, .air, interface: interface, accessory: device)
        }
        let peer = PeerAddress(phone, isRandom: isRandom)
        let begun = Conversation.Link(phone: "\(phone)", identity: AddressText.identity(peer))
        guard let number = builders[device]?.beginLink(begun) else { return }
        links[access] = Link(device: device, number: number)
        let clock = Int(try reader.uint8() >> 5)
        builders[device]?.add(
            .connection, by: .phone, "",
            [
                ("phone's address", AddressText.kind(peer)),
                ("result", ConnectionWish.text(interval, latency, timeout)),
                ("clock", "\([500, 250, 150, 100, 75, 50, 30, 20][clock]) ppm"),
            ], at: place)
    }

    private mutating func data(
        _ frame: CapturedFrame, _ access: [UInt8], _ bytes: [UInt8], at place: ConversationBuilder.Place
    ) {
        guard var link = links[access] else {
            lostFrames += 1
            return
        }
        guard let isFromPhone = frame.isSent else {
            withoutSender += 1
            return missed(access, at: place)
        }
        let side: Procedure.Side = isFromPhone ? .phone : .accessory
        let isNews = frame.isDecrypted && !link.encryption.isOn
        let isReadable = link.encryption.take(bytes, from: side, isDecrypted: frame.isDecrypted)
        links[access] = link
        guard isReadable, !frame.isEncrypted else {
            hidden[link.device, default: 0] += 1
            return missed(access, at: place)
        }
        builders[link.device]?.resume(link.number)
        // The sniffer missed LL_START_ENC_REQ.
        if isNews { builders[link.device]?.encrypted(true, "", at: place) }
        if bytes[0] & 0x03 == 3 {
            control(Array(bytes.dropFirst(2).prefix(Int(bytes[1]))), link.device, from: side, at: place)
        }
        for case .data(let l2cap, _) in frame.contents { builders[link.device]?.take(l2cap, from: side, at: place) }
    }

    /// The capture does not show the content of a packet.
    private mutating func missed(_ access: [UInt8], at place: ConversationBuilder.Place) {
        guard let link = links[access] else { return }
        builders[link.device]?.resume(link.number)
        builders[link.device]?.missed(at: place)
    }

    /// A packet of the link layer's own protocol (Core Specification 6.0, Vol 6, Part B, 2.4.2).
    private mutating func control(
        _ bytes: [UInt8], _ device: String, from side: Procedure.Side,
        at place: ConversationBuilder.Place
    ) {
        var reader = PacketReader(bytes, of: "a control PDU of the link layer")
        guard var builder = builders.removeValue(forKey: device) else { return }
        defer { builders[device] = builder }
        do throws(Malformed) {
            switch try reader.uint8() {
            case 0x00:
                _ = try reader.bytes(3)
                let (interval, latency, timeout) = (try reader.uint16(), try reader.uint16(), try reader.uint16())
                builder.changeParameters(ConnectionWish.text(interval, latency, timeout), at: place)
            case 0x02:
                builder.add(.end, by: side, "", [("reason", "\(HCIError(rawValue: try reader.uint8()))")], at: place)
            case 0x03: builder.encrypts(at: place)
            case 0x05: builder.encrypted(true, "", at: place)
            case 0x0D: rejected(0x03, try reader.uint8(), &builder, at: place)
            case 0x11: rejected(try reader.uint8(), try reader.uint8(), &builder, at: place)
            case 0x08, 0x0E:
                builder.add(.features, by: side, "", [("set", Hex.text(reader.remainder().reversed()))], at: place)
            case 0x0C:
                let (version, company, subversion) = (try reader.uint8(), try reader.uint16(), try reader.uint16())
                let text = "\(version), company \(company), subversion \(subversion)"
                // Either end asks by telling its own, once on a link; the other's is the answer.
                if builder.latest(.version)?.side == side.other {
                    builder.complete(.version, [("\(side)'s version", text)], at: place)
                } else {
                    builder.add(.version, by: side, "", [("version", text)], at: place)
                }
            case 0x0F:
                let asked = try ConnectionWish.parameters(&reader)
                builder.add(.connectionParameters, by: side, "", [("asked for", "\(asked)")], at: place)
            case 0x14:
                let (receives, _) = (try reader.uint16(), try reader.uint16())
                let (octets, time) = (try reader.uint16(), try reader.uint16())
                builder.add(
                    .dataLength, by: side, "",
                    [("bytes", "\(octets)"), ("µs", "\(time)"), ("receives", "\(receives)")], at: place)
            case 0x16: builder.add(.phy, by: side, "", [("asked for", PHYText.set(try reader.uint8()))], at: place)
            default: break
            }
        } catch { builder.flaw("a control PDU that is too short", at: place) }
    }

    /// An end rejects the procedure of an opcode.
    private func rejected(
        _ opcode: UInt8, _ reason: UInt8, _ builder: inout ConversationBuilder, at place: ConversationBuilder.Place
    ) {
        let reason = HCIError(rawValue: reason)
        switch opcode {
        case 0x03 where builder.latest(.encryption) != nil: builder.encrypted(false, "\(reason)", at: place)
        case 0x0F: builder.complete(.connectionParameters, [("answer", "rejected")], at: place)
        default: break
        }
    }
}

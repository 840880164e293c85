import CoreBluetooth
import HIL

let phoneAddressIsPrivate = Scenario(
    "An iPhone's address is private and changes; an accessory that has paired knows the phone, and does not pair again",
    .tags(.pairing), .covers("C5", "C17")
) { lab in
    lab.phone.personality = .iPhone16
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp()
    let identities = lamp.bondedPhones
    lab.expect(identities.count, equals: 1, "the lamp has paired once")
    lab.expect(identities.allSatisfy { !$0.isResolvablePrivate }, "with a phone whose identity it knows")

    let mark = lamp.events.mark
    try await lab.switchBluetooth(false)
    try await lab.switchBluetooth(true)
    let again = try await lab.step("connect again", within: .seconds(20)) {
        try await probe.connect(peripheral.identifier)
    }
    again.readValue(for: try again.found("FF02"))
    try await probe.next(.value(Data("Lamp".utf8), nil))
    lab.expect(lamp.connectedPhones(since: mark), equals: identities, "the lamp knows the phone under its new address")
    lab.expect(lamp.bondedPhones, equals: identities, "and did not pair again")

    let heard = try await lab.air.capturedHCI(of: .accessory).peersOnAir
    lab.expect(heard.allSatisfy(\.isResolvablePrivate), "every address of the phone on the air was private: \(heard)")
    lab.expect(Set(heard).count > 1, "and it has changed: \(heard)")
}

/// An iPhone, and the longest attribute packet that it offers.
private enum Age: String, CaseIterable {
    case iPhone6s, iPhone16

    var personality: PhonePersonality { self == .iPhone6s ? .iPhone6s : .iPhone16 }
    /// What it asks for: on the radio of Linux at most 517 bytes, on its own 527.
    var offers: Set<Int> { self == .iPhone6s ? [185] : [517, 527] }
    /// What it gets from BlueZ, which takes 517 bytes at most.
    var mtu: Int { self == .iPhone6s ? 185 : 517 }
}

extension [HCIPacket] {
    /// The values of LE Data Length Change: the bytes of the longest packets to send and to receive.
    fileprivate var dataLengths: [[Int]] {
        compactMap { packet in
            guard case .event(0x3E, let parameters) = packet, parameters.count == 11, parameters[0] == 0x07 else {
                return nil
            }
            return [3, 7].map { Int(parameters[$0]) | Int(parameters[$0 + 1]) << 8 }
        }
    }

    /// The MTUs in the Exchange MTU messages with this opcode, once each.
    fileprivate func mtus(opcode: UInt8) -> Set<Int> {
        Set(
            packets(onChannel: 4).filter { $0.first == opcode && $0.count == 3 }.map {
                Int($0[1]) | Int($0[2]) << 8
            })
    }
}

let phoneOffersItsPackets = Scenario(
    "An iPhone itself asks for the attribute packets of its age, and pairs with an iPhone's keys and protection",
    .tags(.pairing), .covers("C4", "C18"), over: Axis("phone", Age.allCases)
) { lab, age in
    lab.phone.personality = age.personality
    let (lamp, _, _, peripheral) = try await lab.connectedLamp()
    try await lamp.events.next(.bonded)
    lab.expect(
        peripheral.maximumWriteValueLength(for: .withoutResponse), equals: min(age.mtu - 3, 512),
        "the app can write as much as the phone offered")

    let packets = try await lab.air.capturedHCI(of: .host)
    // Exchange MTU Request and Exchange MTU Response.
    let (asked, answered) = (packets.mtus(opcode: 2), packets.mtus(opcode: 3))
    lab.expect(asked.count == 1 && asked.isSubset(of: age.offers), "the phone asks for packets of its age: \(asked)")
    lab.expect(asked.union(answered).min(), equals: age.mtu, "both ends agree on what the app may use")
    for role in [BoardRole.host, .accessory] {
        let lengths = try await lab.air.capturedHCI(of: role).dataLengths
        lab.expect(
            lengths.last, equals: [251, 251], "the packets on the air became the longest, for the \(role) board")
    }
    // Pairing Request: opcode 1, input and output, out of band, authentication, key size, keys given, keys taken.
    let pairing = try lab.require(
        packets.packets(onChannel: 6).first { $0.first == 1 && $0.count == 7 }, "the phone asks to pair")
    lab.expect(pairing[1], equals: 4, "it shows numbers and has keys")
    lab.expect(pairing[2], equals: 0, "it has no out-of-band data")
    lab.expect(pairing[3] & 0x0D, equals: 0x0D, "it bonds, compares, and has Secure Connections")
    lab.expect(pairing[4], equals: 16, "its keys have 16 bytes")
    lab.expect(pairing[5...6].allSatisfy { $0 & 0x03 == 0x03 }, "it gives and takes encryption and identity keys")
}

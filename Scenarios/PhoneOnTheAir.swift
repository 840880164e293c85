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
    var mtu: Int { self == .iPhone6s ? 185 : 517 }
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
    // Exchange MTU Request: opcode 2, the client's MTU.
    let asked = packets.packets(onChannel: 4).filter { $0.first == 2 && $0.count == 3 }
        .map { Int($0[1]) | Int($0[2]) << 8 }
    lab.expect(Set(asked), equals: [age.mtu], "the phone asks for packets of its age")
    // Pairing Request: opcode 1, input and output, out of band, authentication, key size, keys given, keys taken.
    let pairing = try lab.require(
        packets.packets(onChannel: 6).first { $0.first == 1 && $0.count == 7 }, "the phone asks to pair")
    lab.expect(pairing[1], equals: 4, "it shows numbers and has keys")
    lab.expect(pairing[2], equals: 0, "it has no out-of-band data")
    lab.expect(pairing[3] & 0x0D, equals: 0x0D, "it bonds, compares, and has Secure Connections")
    lab.expect(pairing[4], equals: 16, "its keys have 16 bytes")
    lab.expect(pairing[5...6].allSatisfy { $0 & 0x03 == 0x03 }, "it gives and takes encryption and identity keys")
}

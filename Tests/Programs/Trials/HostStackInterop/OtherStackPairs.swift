import CoreBluetooth
import HIL

let otherStackPairs = Scenario(
    "A host stack of others and the phone pair, exchange values and come back with their bond, in both roles",
    .tags(.pairing), .needs(.hostStacks), .withoutAccessoryBoard, over: Axis("stack", OtherStack.allCases),
    Axis("phone", PhoneRole.allCases), Axis("by", PairingMethod.allCases)
) { lab, stack, role, method in
    let peer = try await lab.launched(stack, role, by: method)
    switch role {
    case .central: try await lab.useAccessory(peer, by: method)
    case .peripheral: try await lab.serve(peer, by: method)
    }
}

extension Lab {
    /// The phone is the central, and the peer an accessory.
    fileprivate func useAccessory(_ peer: HostStackHandle, by method: PairingMethod) async throws {
        let (probe, peripheral) = try await connected()
        peripheral.readValue(for: try peripheral.found("FF11"))
        try await probe.next(.value(Data([1, 2, 3]), nil))

        peripheral.readValue(for: try peripheral.found("FF12"))
        try await compareNumbers(of: peer, by: method)
        try await expectBond(with: peer, by: method)
        try await step("read what needs encryption", within: .seconds(10)) {
            try await probe.next(.value(Data("secret".utf8), nil))
        }
        if method.isAuthenticated {
            peripheral.readValue(for: try peripheral.found("FF13"))
            try await step("read what needs authentication", within: .seconds(10)) {
                try await probe.next(.value(Data("private".utf8), nil))
            }
        }
        try await exchangeValues(with: peer, probe, peripheral)

        probe.central.cancelPeripheralConnection(peripheral)
        try await step("end the link", within: .seconds(10)) {
            try await probe.next(.disconnected)
            try await peer.says("disconnected")
        }
        // The phone comes back with another address.
        try await switchBluetooth(false)
        try await switchBluetooth(true)
        let mark = peer.lines.mark
        let again = try await step("connect again", within: .seconds(20)) {
            try await probe.connect(peripheral.identifier)
        }
        again.readValue(for: try again.found("FF12"))
        try await step("read with the bond", within: .seconds(10)) {
            try await probe.next(.value(Data("secret".utf8), nil))
        }
        try await expectEncrypted(peer, since: mark)
    }

    /// Reads a long value, writes, and is notified.
    private func exchangeValues(
        with peer: HostStackHandle, _ probe: CentralProbe, _ peripheral: CBPeripheral
    ) async throws {
        peripheral.readValue(for: try peripheral.found("FF16"))
        let long = try await step("read a long value", within: .seconds(10)) { try await probe.next(.value) }
        expect(long.hex, equals: Publisher.longValue.hex, "a value of 400 bytes arrives whole")
        expect(
            peripheral.maximumWriteValueLength(for: .withoutResponse) < long.count,
            "it is longer than a packet")

        peripheral.writeValue(Data([9, 8, 7]), for: try peripheral.found("FF14"), type: .withResponse)
        try await step("write", within: .seconds(10)) { try await probe.next(.written(nil)) }
        try await peer.says("wrote 090807")

        peripheral.setNotifyValue(true, for: try peripheral.found("FF15"))
        try await step("subscribe", within: .seconds(10)) {
            try await probe.next(.notifying(true, nil))
            try await peer.says("subscribed")
        }
        try await peer.send("notify 2A")
        try await step("hear a value", within: .seconds(10)) { try await probe.next(.value(Data([0x2A]), nil)) }
    }

    /// The phone is a peripheral, and the peer a central that connects to it.
    fileprivate func serve(_ peer: HostStackHandle, by method: PairingMethod) async throws {
        let app = Publisher()
        try await step("publish", within: .seconds(10)) { try await app.publish() }
        try await connect(peer)
        expect(try await peer.answer(to: "read FF21", "read FF21"), equals: "read FF21 07", "the app answers a read")
        let refusal = try await peer.answer(to: "read FF22", "error FF22")
        expect(["error FF22 0x05", "error FF22 0x0F"].contains(refusal), "unpaired, it is refused: \(refusal)")

        try await peer.send("secure")
        try await compareNumbers(of: peer, by: method)
        try await expectBond(with: peer, by: method)
        let secret = "read FF22 \(Data("secret".utf8).hex)"
        expect(try await peer.answer(to: "read FF22", "read FF22"), equals: secret, "paired, it reads the value")
        expect(
            try await peer.answer(to: "read FF24", "read FF24"), equals: "read FF24 \(Publisher.longValue.hex)",
            "a value of 400 bytes arrives whole")
        try await peer.send("write FF21 010203")
        try await step("be written to", within: .seconds(10)) {
            try await app.events.next(.event(.written(Data([1, 2, 3]))))
            try await peer.says("written FF21")
        }
        try await peer.send("subscribe FF23")
        try await step("be subscribed to", within: .seconds(10)) { try await app.events.next(.event(.subscribed)) }
        expect(app.notify(Data([0x2A])), "the phone takes the value")
        try await step("notify", within: .seconds(10)) { try await peer.says("notified FF23 2A") }

        try await peer.send("disconnect")
        try await step("end the link", within: .seconds(10)) { try await peer.says("disconnected") }
        // The phone comes back with another address.
        let start = app.events.mark
        try await switchBluetooth(false)
        try await switchBluetooth(true)
        try await step("publish again", within: .seconds(10)) { try await app.publish(since: start) }
        let mark = peer.lines.mark
        try await connect(peer)
        try await peer.send("secure")
        try await expectEncrypted(peer, since: mark)
        expect(try await peer.answer(to: "read FF22", "read FF22"), equals: secret, "it reads the value with its bond")
    }
}

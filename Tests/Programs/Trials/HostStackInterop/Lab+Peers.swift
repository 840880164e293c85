import CoreBluetooth
import Foundation
import HIL

extension Lab {
    /// Launches the app, and puts a peer on the air.
    func launched(
        _ stack: OtherStack, _ phone: PhoneRole, by method: PairingMethod, hasData: Bool = false
    ) async throws -> HostStackHandle {
        self.phone.personality = .iPhone16
        self.phone.person.will(.allow, at: .bluetoothPermission)
        _ = try await self.phone.launch(InteropApp.self)
        let peer = try await air.attach(stack.program(for: phone, by: method, hasData: hasData), named: stack.rawValue)
        try await step("start the peer", within: .seconds(20)) { try await peer.says("ready") }
        return peer
    }

    /// Finds the peer, which is an accessory, and connects to it.
    func connected() async throws -> (probe: CentralProbe, peripheral: CBPeripheral) {
        let probe = CentralProbe()
        let identifier = try await step("find the peer", within: .seconds(10)) { try await probe.scan() }
        let peripheral = try await step("connect", within: .seconds(10)) { try await probe.connect(identifier) }
        return (probe, peripheral)
    }

    /// Lets a peer connect to the phone, which publishes a service.
    func connect(_ peer: HostStackHandle) async throws {
        let mark = peer.lines.mark
        try await peer.send("connect")
        try await step("be found and connected", within: .seconds(20)) {
            try await peer.says("discovered", since: mark)
        }
    }

    /// Does what the person does with both devices in a pairing: compares numbers, or enters the one that is shown.
    func compareNumbers(of peer: HostStackHandle, by method: PairingMethod) async throws {
        switch method.io {
        case .none: break
        case .yesno:
            let number = try await number(of: peer, after: "number ")
            try await phone.log.next(.passkey)
            expect(phone.shownNumbers, equals: [number], "phone and peer show the same number")
            try await peer.send("yes")
        case .display:
            let number = try await number(of: peer, after: "passkey ")
            try await step("be asked", within: .seconds(10)) { try await self.phone.shows(.passkeyEntry) }
            phone.person.will(.enterPasskey(number))
        case .keyboard:
            try await step("be asked by the peer", within: .seconds(10)) { try await peer.says("enter passkey") }
            let number = try await phone.log.next(.passkeyToEnter)
            try await step("be shown the number", within: .seconds(10)) { try await self.phone.shows(.passkeyDisplay) }
            try await peer.send("type \(number)")
        }
    }

    /// The number of six digits that a peer shows.
    func number(of peer: HostStackHandle, after word: String) async throws -> UInt32 {
        let line = try await step("read the peer's number", within: .seconds(10)) { try await peer.says(word) }
        return try require(UInt32(line.suffix(6)), "“\(line)” ends with a number")
    }

    /// Checks that both ends say the same about the bond.
    func expectBond(with peer: HostStackHandle, by method: PairingMethod) async throws {
        let bond = try await step("bond", within: .seconds(10)) { try await self.phone.log.next(.bonded) }
        expect(bond.isAuthenticated, equals: method.isAuthenticated, "the phone's key is authenticated or not")
        expect(bond.isSecureConnections, equals: method.isSecureConnections, "the phone's kind of pairing")
        let line = try await step("hear of the peer's bond", within: .seconds(10)) { try await peer.says("paired ") }
        expect(line, equals: method.words, "the peer's words about the bond")
    }

    /// Checks that a link is encrypted, since `mark`, by the bond that both ends had before.
    func expectEncrypted(_ peer: HostStackHandle, since mark: EventLog<HostStackHandle.Line>.Mark) async throws {
        try await step("encrypt", within: .seconds(10)) { try await peer.says("encrypted", since: mark) }
        expect(phone.log.all(.bonded).count, equals: 1, "the phone does not pair again")
        let pairings = peer.lines.events.count { $0.text.hasPrefix("paired ") }
        expect(pairings, equals: 1, "and the peer does not")
    }
}

extension HostStackHandle {
    /// Sends a command, and waits for the line that answers it.
    func answer(to command: String, _ start: String) async throws -> String {
        let mark = lines.mark
        try await send(command)
        return try await says(start, since: mark)
    }

    /// Waits for a line that begins with this text. Earlier lines count as well. Returns the line.
    @discardableResult
    func says(_ start: String, since mark: EventLog<Line>.Mark = .start) async throws -> String {
        try await lines.next(
            EventPattern("\(name) to say “\(start)”") { $0.text.hasPrefix(start) ? $0.text : nil }, since: mark)
    }
}

extension Data {
    /// Its bytes as the programs print them: `0A1B`.
    var hex: String { map { String(format: "%02X", $0) }.joined() }
}

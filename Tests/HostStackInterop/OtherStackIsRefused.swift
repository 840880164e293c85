import CoreBluetooth
import HIL

/// Why a pairing fails.
enum PairingRefusal: String, CaseIterable {
    /// The person says on the phone that the numbers differ.
    case onPhone
    /// The person says so on the peer.
    case onPeer
    /// The person enters a wrong number on the phone.
    case wrongNumber

    var method: PairingMethod { self == .wrongNumber ? .phoneEnters : .comparison }
    /// The reason in Pairing Failed: Confirm Value Failed, or Numeric Comparison Failed (Core Specification 6.0, Vol 3,
    /// Part H, 3.5.5).
    var reason: UInt8 { self == .wrongNumber ? 0x04 : 0x0C }
}

let otherStackIsRefused = Scenario(
    "A number that the person refuses or mistypes ends a pairing with a host stack of others, and both ends hear the reason",
    .tags(.pairing, .robustness), .needs(.hostStacks, .capture), .withoutAccessoryBoard,
    over: Axis("stack", OtherStack.allCases), Axis("phone", PhoneRole.allCases), Axis("refused", PairingRefusal.allCases)
) { lab, stack, role, refusal in
    let peer = try await lab.launched(stack, role, by: refusal.method)
    var link: (probe: CentralProbe, peripheral: CBPeripheral)?
    var app: Publisher?
    switch role {
    case .central:
        let (probe, peripheral) = try await lab.connected()
        link = (probe, peripheral)
        if refusal == .onPhone { lab.phone.person.will(.refusePasskey) }
        peripheral.readValue(for: try peripheral.found("FF12"))
    case .peripheral:
        let publisher = Publisher()
        app = publisher
        try await lab.step("publish", within: .seconds(10)) { try await publisher.publish() }
        try await lab.connect(peer)
        if refusal == .onPhone { lab.phone.person.will(.refusePasskey) }
        try await peer.send("secure")
    }
    switch refusal {
    case .onPhone, .onPeer:
        _ = try await lab.number(of: peer, after: "number ")
        try await peer.send(refusal == .onPeer ? "no" : "yes")
    case .wrongNumber:
        let number = try await lab.number(of: peer, after: "passkey ")
        try await lab.step("be asked", within: .seconds(10)) { try await lab.phone.shows(.passkeyEntry) }
        lab.phone.person.will(.enterPasskey((number + 1) % 1_000_000))
    }
    let line = try await lab.step("hear of the failure", within: .seconds(10)) { try await peer.says("failed ") }
    lab.expect(line, equals: "failed 0x\(Data([refusal.reason]).hex)", "the peer names the reason")
    if let probe = link?.probe {
        let codes = [CBATTError.Code.insufficientAuthentication, .insufficientEncryption].map(\.rawValue)
        let code = try await lab.step("fail to read", within: .seconds(10)) { try await probe.next(.refusedValue) }
        lab.expect(codes.contains(code), "the app hears that the value is protected: \(code)")
    }
    // Pairing Failed, whichever end sent it.
    let failures = try await lab.air.capturedHCI(of: .host).packets(onChannel: 6).filter { $0.first == 0x05 }
    lab.expect(failures.map { Data($0).hex }, equals: ["05\(Data([refusal.reason]).hex)"], "one end told the other")
    lab.expect(lab.phone.log.all(.bonded).isEmpty, "the phone has no bond")
    lab.expect(!peer.lines.events.contains { $0.text.hasPrefix("paired") }, "nor has the peer")
    lab.expect(lab.phone.screen.isEmpty, "no screen is left")
    withExtendedLifetime(app) {}
}

extension EventPattern where Event == CentralProbe.Callback, Value == Int {
    /// A value could not be read; the value is the error's code.
    fileprivate static var refusedValue: Self {
        Self("a value to be refused") { if case .value(_, let code?) = $0 { code } else { nil } }
    }
}

import CoreBluetooth
import HIL

/// Why a pairing fails.
enum PairingRefusal: String, CaseIterable {
    /// The person does not want to pair at all.
    case notWanted
    /// The person says on the phone that the numbers differ.
    case onPhone
    /// The person says so on the peer.
    case onPeer
    /// The person enters a wrong number on the phone.
    case wrongOnPhone
    /// The person enters a wrong number on the peer.
    case wrongOnPeer
    /// The peer says that it has out-of-band data of the phone, which an iPhone gives to nobody.
    case outOfBand

    var method: PairingMethod {
        switch self {
        case .notWanted, .outOfBand: .justWorks
        case .onPhone, .onPeer: .comparison
        case .wrongOnPhone: .phoneEnters
        case .wrongOnPeer: .peerEnters
        }
    }

    /// The reason in Pairing Failed (Core Specification 6.0, Vol 3, Part H, 3.5.5), and the phone's words about it.
    func reason(with stack: OtherStack) -> (code: UInt8, words: String) {
        switch self {
        case .notWanted: (0x08, "the person cancelled, by this device")
        // Bumble gives the wrong reason: `prompt_user_for_numeric_comparison` in bumble/smp.py.
        case .onPeer where stack == .bumble: (0x04, "Confirm Value Failed")
        case .onPhone, .onPeer: (0x0C, "Numeric Comparison Failed")
        case .wrongOnPhone, .wrongOnPeer: (0x04, "Confirm Value Failed")
        case .outOfBand: (0x02, "OOB Not Available")
        }
    }
}

let otherStackIsRefused = Scenario(
    "A pairing with a host stack of others that the person refuses, or with a mistyped number, fails, and both ends hear why",
    .tags(.pairing, .robustness), .needs(.hostStacks, .capture), .withoutAccessoryBoard,
    over: Axis("stack", OtherStack.allCases), Axis("phone", PhoneRole.allCases),
    Axis("refused", PairingRefusal.allCases)
) { lab, stack, role, refusal in
    let peer = try await lab.launched(stack, role, by: refusal.method, hasData: refusal == .outOfBand)
    if refusal == .notWanted { lab.phone.person.will(.deny, at: .pairing) }
    if refusal == .onPhone { lab.phone.person.will(.refusePasskey) }
    let publisher = Publisher()
    var probe: CentralProbe?
    switch role {
    case .central:
        let link = try await lab.connected()
        link.peripheral.readValue(for: try link.peripheral.found("FF12"))
        probe = link.probe
    case .peripheral:
        try await lab.step("publish", within: .seconds(10)) { try await publisher.publish() }
        try await lab.connect(peer)
        try await peer.send("secure")
    }
    switch refusal {
    case .notWanted, .outOfBand: break
    case .onPhone, .onPeer:
        _ = try await lab.number(of: peer, after: "number ")
        try await peer.send(refusal == .onPeer ? "no" : "yes")
    case .wrongOnPhone:
        let number = try await lab.number(of: peer, after: "passkey ")
        try await lab.step("be asked", within: .seconds(10)) { try await lab.phone.shows(.passkeyEntry) }
        lab.phone.person.will(.enterPasskey((number + 1) % 1_000_000))
    case .wrongOnPeer:
        try await lab.step("be asked by the peer", within: .seconds(10)) { try await peer.says("enter passkey") }
        let number = try await lab.phone.log.next(.passkeyToEnter)
        try await peer.send("type \((number + 1) % 1_000_000)")
    }

    let (code, words) = refusal.reason(with: stack)
    try await lab.step("hear of the failure", within: .seconds(10)) {
        lab.expect(try await peer.says("failed "), equals: "failed 0x\(Data([code]).hex)", "the peer names the reason")
        lab.expect(try await lab.phone.log.next(.pairingFailed), contains: words, "the phone names the reason")
    }
    if let probe {
        let code = try await lab.step("fail to read", within: .seconds(10)) { try await probe.next(.refusedValue) }
        let codes = [CBATTError.Code.insufficientAuthentication, .insufficientEncryption].map(\.rawValue)
        lab.expect(codes.contains(code), "the app hears that the value is protected: \(code)")
    }
    let failures = try await lab.air.capturedHCI(of: .host).packets(onChannel: 6).filter { $0.first == 0x05 }
    lab.expect(failures.map { Data($0).hex }, equals: ["05\(Data([code]).hex)"], "one end told the other")
    lab.expect(lab.phone.log.all(.bonded).isEmpty, "the phone has no bond")
    lab.expect(!peer.lines.events.contains { $0.text.hasPrefix("paired") }, "nor has the peer")
    lab.expect(lab.phone.screen.isEmpty, "no screen is left")
    withExtendedLifetime(publisher) {}
}

extension EventPattern where Event == CentralProbe.Callback, Value == Int {
    /// A value could not be read; the value is the error's code.
    fileprivate static var refusedValue: Self {
        Self("a value to be refused") { if case .value(_, let code?) = $0 { code } else { nil } }
    }
}

import DieProgram
import DieProtocol
import Foundation
import HILPhone
import RadioModel
import TestSupport
import Testing

/// A die that receives the first encapsulated keys with a changed bit.
private struct DieWithAlteredKeys: AccessoryEnd {
    var die = DieLogic()
    var alterations: Int

    mutating func written(_ value: Data, to characteristic: DieGATT.Characteristic, mtu: Int) -> [DieLogic.Output] {
        var value = value
        // With P-256 the key is one segment, and the only long one.
        if characteristic == DieGATT.security, value.count > 100, alterations > 0 {
            value[value.endIndex - 1] ^= 1
            alterations -= 1
        }
        return die.written(value, to: characteristic, mtu: mtu)
    }

    mutating func perform(_ command: DieCommand) throws(RadioError) -> [DieLogic.Output] { try die.perform(command) }
}

/// The companion app and a die that offers or receives wrong keys: the phone reports the error and continues.
@Suite struct WrongKeyTests {
    private func happens(
        _ what: String, on pair: Pair, _ matches: @escaping @Sendable (ForwardingEvent.Kind) -> Bool
    ) async throws {
        _ = try await pair.tellingAll {
            try await pair.phone.notifications.events.first(within: .seconds(100), waitingFor: what) {
                matches($0.kind)
            }
        }
    }

    private func notification(_ name: String, _ title: String = "Kim") -> PhoneNotification {
        PhoneNotification(app: "com.example.chat", identifier: name, title: title)
    }

    /// Checks that a notification posted now is shown, and that nothing else is new on the screen.
    private func isUsable(_ pair: Pair, after held: [String] = []) async throws {
        pair.phone.notifications.post(notification("next"))
        #expect(try await pair.screen { $0.last?.identifier == "next" }.map(\.identifier) == held + ["next"])
        #expect(pair.told.events.filter { if case .screen = $0 { true } else { false } }.count == held.count + 1)
        #expect(pair.alerts.map(\.notification) == held + ["next"])
    }

    @Test(
        "A wrong key offer ends the session with the reason; its notifications arrive once in the next one",
        .covers("S2", "S3", "S5", "N3"),
        arguments: [
            (.offersUnknownSuite, "the cipher suite"), (.offersShortKey, "the accessory's public key, 1200 bytes"),
            (.namesNetworkWithP256, "need the cipher suite xWing"),
        ] as [(DieConfiguration.Misbehaviour, String)])
    func wrongOffers(_ wrong: DieConfiguration.Misbehaviour, _ reason: String) async throws {
        let pair = try await Pair(mtu: 517)
        try pair.perform(.powerOn(DieConfiguration(name: "Die 7", misbehaviour: [wrong])))
        _ = try await pair.requestForwarding()
        for name in ["1", "2"] { pair.phone.notifications.post(notification(name)) }
        try await happens("“\(reason)”", on: pair) {
            switch $0 {
            case .exchangeFailed(let why), .sessionEnded(let why): why.contains(reason)
            default: false
            }
        }
        try await happens("the end", on: pair) { if case .sessionEnded = $0 { true } else { false } }
        try await isUsable(pair, after: ["1", "2"])
    }

    @Test(
        "Notifications that change or are removed before the next session are shown in their current state",
        .covers("S5", "N3"))
    func changedMeanwhile() async throws {
        let pair = try await Pair(mtu: 517)
        try pair.perform(.powerOn(DieConfiguration(name: "Die 7", misbehaviour: [.offersUnknownSuite])))
        _ = try await pair.requestForwarding()
        let centre = pair.phone.notifications
        for name in ["1", "2", "3"] { centre.post(notification(name)) }
        centre.update(notification("1", "Lee"))
        centre.remove(notification("2").identifier)
        try await happens("the end", on: pair) { if case .sessionEnded = $0 { true } else { false } }
        centre.post(notification("next"))
        let shown = try await pair.screen { $0.last?.identifier == "next" }
        #expect(shown.map(\.identifier) == ["1", "3", "next"])
        #expect(shown.map(\.title) == ["Lee", "Kim", "Kim"])
        #expect(pair.alerts.map(\.notification) == ["1", "3", "next"])
    }

    @Test("Notifications from before the permission was revoked are not shown when it is given again", .covers("N6"))
    func revokedMeanwhile() async throws {
        let pair = try await Pair(mtu: 517)
        try pair.perform(.powerOn(DieConfiguration(name: "Die 7", misbehaviour: [.offersUnknownSuite])))
        _ = try await pair.requestForwarding()
        pair.phone.notifications.post(notification("1"))
        try await happens("the end", on: pair) { if case .sessionEnded = $0 { true } else { false } }
        _ = try await pair.requestForwarding(.none)
        _ = try await pair.requestForwarding()
        try await isUsable(pair)
    }

    @Test(
        "If a key was encapsulated for another public key, new keys are exchanged and the message arrives",
        .covers("S5"))
    func anotherKey() async throws {
        let pair = try await Pair(mtu: 517)
        try pair.perform(.powerOn(DieConfiguration(name: "Die 7", misbehaviour: [.offersAnotherKey])))
        _ = try await pair.requestForwarding()
        try await isUsable(pair)
        #expect(pair.told.events.filter { $0 == .keysExchanged(cipherSuite: "XWing") }.count == 2)
    }

    @Test("A response that the die sends twice is carried out once", .covers("S7", "N5"))
    func repeatedAnswer() async throws {
        let pair = try await Pair(mtu: 517)
        try pair.perform(.powerOn(DieConfiguration(name: "Die 7", misbehaviour: [.repeatsMessage])))
        _ = try await pair.requestForwarding()
        let action = PhoneNotification.Action(identifier: "read", title: "Read", type: .background)
        pair.phone.notifications.post(
            PhoneNotification(app: "com.example.chat", identifier: "1", title: "Kim", actions: [action]))
        _ = try await pair.screen { $0.count == 1 }
        try pair.perform(.respond(DieResponse(source: "com.example.chat", notification: "1", action: "read")))
        try await happens("the repetition to be dropped", on: pair) {
            if case .refused(let why) = $0 { why.contains("came before") } else { false }
        }
        _ = try await pair.screen { $0.isEmpty }
        #expect(pair.phone.notifications.responses.count == 1)
    }

    @Test("After the die refuses an encapsulated key, another exchange follows", .covers("S2"), arguments: [1, 2])
    func refusedKey(_ alterations: Int) async throws {
        let pair = try await Pair(mtu: 517, accessory: DieWithAlteredKeys(alterations: alterations))
        try pair.perform(.powerOn(DieConfiguration(name: "Die 7", cipherSuites: [.p256])))
        _ = try await pair.requestForwarding()
        try await isUsable(pair)
        #expect(pair.told.events.filter { $0 == .keysExchanged(cipherSuite: "P256") }.count == 1)
    }

    @Test("A die that refuses every key ends the session with the reason; the next notification starts a new one")
    func refusedKeys() async throws {
        let pair = try await Pair(mtu: 517, accessory: DieWithAlteredKeys(alterations: 3))
        try pair.perform(.powerOn(DieConfiguration(name: "Die 7", cipherSuites: [.p256])))
        _ = try await pair.requestForwarding()
        pair.phone.notifications.post(notification("1"))
        try await happens("the end", on: pair) {
            if case .sessionEnded(let why) = $0 { why.contains("badKey, 3 in a row") } else { false }
        }
        try await isUsable(pair, after: ["1"])
    }
}

import AccessoryNotifications
import AccessorySetupKit
import AccessoryTransportExtension
import CryptoKit
import HILPhone
import HILTiming
import HostRadio
import RadioModel
import TestSupport
import Testing

class ScriptedApp: AppUnderTest, @unchecked Sendable {  // It has no state.
    class var bundle: AppBundle { AppBundle(identifier: "com.example.dice", folder: fixture("DiceApp")) }
    class var extensions: [Any.Type] { [ScriptedProvider.self, ScriptedSecurity.self, ScriptedTransport.self] }
    required init() {}
}

/// An app without the transport extension.
final class AppWithoutTransport: ScriptedApp, @unchecked Sendable {
    override class var extensions: [Any.Type] { [ScriptedProvider.self, ScriptedSecurity.self] }
}

/// An app without entitlements.
final class AppWithoutEntitlements: ScriptedApp, @unchecked Sendable {
    override class var bundle: AppBundle {
        AppBundle(
            identifier: "com.example.dice", infoPlist: fixture("DiceApp") + "/Info.plist",
            resources: fixture("DiceApp"))
    }
}

/// An app whose data provider has the wrong extension point.
final class MisboundApp: ScriptedApp, @unchecked Sendable {
    override class var extensions: [Any.Type] {
        [MisboundProvider.self, ScriptedSecurity.self, ScriptedTransport.self]
    }
}

/// A phone with an app of scripted extensions and a ``PauseClock``. The test plays the accessory.
struct DeliveryStand {
    let clock = PauseClock()
    let phone: Phone
    let app: RunningApp
    let script: Script
    let address = DeviceAddress("9C:5A:81:00:00:07")!
    let peripheral: UUID

    init<App: ScriptedApp>(_ type: App.Type = ScriptedApp.self) async throws {
        phone = Phone(radio: InMemoryRadio(), clock: clock)
        _ = try await phone.launch(type)
        app = try #require(phone.app)
        script = phone.part()
        peripheral = phone.identifiers.identifier(of: address)
        addAccessory("Die 7", peripheral)
    }

    func addAccessory(_ name: String, _ peripheral: UUID) {
        phone.store.set(
            AccessoryRecord(displayName: name, bluetoothIdentifier: peripheral, descriptor: DiscoveryDescriptor()),
            for: app.bundle.identifier)
    }

    func allow() async throws {
        #expect(try await phone.notifications.requestForwarding(to: peripheral, by: app) == .all)
    }

    func securitySession(from place: Int = 0) async throws -> AccessorySecuritySession {
        try await script.next(from: place, "the security session") { event in
            if case .securityOffered(let session) = event { session } else { nil }
        }
    }

    /// Plays the accessory's part in a key exchange. Returns the secret that opens the phone's messages.
    func exchangeKeys(identifier: String? = nil) async throws -> SymmetricKey {
        try await exchangeSecrets(identifier: identifier).host
    }

    /// Plays the accessory's part in a key exchange. Returns its secrets for the current session.
    func exchangeSecrets(
        identifier: String? = nil, of session: AccessorySecuritySession? = nil,
        _ suite: SecurityMessage.CipherSuite = .p256, _ transports: [AccessoryTransport] = [.bluetooth]
    ) async throws -> Secrets {
        let exchange = try await exchange(identifier: identifier, of: session, suite, transports)
        return try exchange.secrets(of: try await sessionID())
    }

    /// Plays the accessory's part in a key exchange. Returns its state, from which the secrets of any session are
    /// derived.
    func exchange(
        identifier: String? = nil, of session: AccessorySecuritySession? = nil,
        _ suite: SecurityMessage.CipherSuite = .p256, _ transports: [AccessoryTransport] = [.bluetooth]
    ) async throws -> Exchange {
        let pair = try AccessoryPair(suite)
        let place = script.events.count
        let session = if let session { session } else { try await securitySession() }
        try session.sendSecurityMessage(
            SecurityMessage(
                keyType: .publicKey, cipherSuite: suite, version: .version1, key: pair.publicKey,
                supportedTransports: transports, identifier: identifier))
        let answer = try await script.next(from: place, "the encapsulated key") { event in
            if case .key(let message) = event { message } else { nil }
        }
        #expect(answer.keyType == .encapsulatedKey)
        #expect(answer.key.count == (suite == .p256 ? 65 : 1120))
        let name = identifier ?? peripheral.uuidString
        #expect(answer.identifier == name)
        let info = "\(suite)-Version1-\(name)"
        return Exchange(
            recipient: try pair.recipient(info: Data(info.utf8), encapsulatedKey: answer.key), info: info, name: name,
            publicKey: pair.publicKey)
    }

    /// Allows forwarding and exchanges keys for these transports. Uses X-Wing if there are others than Bluetooth.
    func ready(_ transports: [AccessoryTransport] = [.bluetooth]) async throws -> Secrets {
        try await allow()
        let secrets = try await exchangeSecrets(transports == [.bluetooth] ? .p256 : .xWing, transports)
        try await happens("keys") { if case .keysExchanged = $0 { true } else { false } }
        return secrets
    }

    func providerSession() async throws -> NotificationsForwarding.Session {
        try await script.next("the provider's session") { event in
            if case .providerActivated(let session) = event { session } else { nil }
        }
    }

    func sessionID() async throws -> UUID {
        try await providerSession().sessionID
    }

    func transportSession(_ transport: AccessoryTransport = .bluetooth) async throws -> AccessoryTransportSession {
        try await script.next("the session for \(transport)") { event in
            if case .transportOffered(let session) = event, session.transport == transport { session } else { nil }
        }
    }

    func sealed(from place: Int = 0) async throws -> TransportMessage {
        try await script.next(from: place, "a sealed message") { event in
            if case .sealed(let message, _) = event { message } else { nil }
        }
    }

    /// Waits until the transport extensions have received `count` messages in total.
    func handedOver(_ count: Int) async throws {
        var place = 0
        for _ in 0..<count {
            place = try await script.events.first(
                from: place, within: .seconds(300), waitingFor: "\(count) messages"
            ) { if case .sealed = $0 { true } else { false } }.next
        }
    }

    /// Expects that sending a message fails because the session has ended.
    func expectEnded(_ sending: Task<Void, any Error>) async {
        await #expect(throws: ForwardingError.ended) {
            // Without this deadline, a task that does not end would wait for ever, because the clock is manual.
            try await withDeadline(.seconds(5), waitingFor: "the message to end") {
                try await withTaskCancellationHandler {
                    try await sending.value
                } onCancel: {
                    sending.cancel()
                }
            }
        }
    }

    func happens(
        _ what: String, from start: Int = 0, _ matches: @escaping @Sendable (ForwardingEvent.Kind) -> Bool
    ) async throws {
        _ = try await phone.notifications.events.first(
            from: start, within: .seconds(300), waitingFor: what
        ) { matches($0.kind) }
    }

    /// Reports that the accessory's link is up or lost. Returns when the session has handled it.
    func link(isUp: Bool) async throws {
        let place = phone.notifications.events.count
        phone.notifications.receive(isUp ? .connected(address) : .disconnected(address, reason: "timeout"))
        try await happens("the link", from: place) { $0 == .linkChanged(isUp: isUp) }
    }

    /// Waits until the data provider has finished `count` notifications. Returns whether each has alerted.
    func done(_ count: Int) async throws -> [Bool] {
        try await all(count, "notifications") { if case .added(_, let alerted) = $0 { alerted } else { nil } }
    }

    /// Waits for the first `count` events at or after position `start` for which `pick` gives a value.
    func all<Value: Sendable>(
        _ count: Int, _ what: String, from start: Int = 0,
        _ pick: @escaping @Sendable (ForwardingEvent.Kind) -> Value?
    ) async throws -> [Value] {
        var (found, place): ([Value], Int) = ([], start)
        while found.count < count {
            let (event, next) = try await phone.notifications.events.first(
                from: place, within: .seconds(300), waitingFor: "\(count) \(what)"
            ) { pick($0.kind) != nil }
            place = next
            if let value = pick(event.kind) { found.append(value) }
        }
        return found
    }

    func post(_ title: String) {
        phone.notifications.post(PhoneNotification(app: "com.example.chat", title: title))
    }

    /// The transports of all sealed messages, in order.
    var ways: [AccessoryTransport] {
        script.events.events.compactMap { if case .sealed(_, let transport) = $0 { transport } else { nil } }
    }

    var allSealed: [TransportMessage] {
        script.events.events.compactMap { if case .sealed(let message, _) = $0 { message } else { nil } }
    }
}

func text(_ message: TransportMessage, _ secret: SymmetricKey) throws -> String {
    String(decoding: try AES.GCM.open(AES.GCM.SealedBox(combined: message.data), using: secret), as: UTF8.self)
}

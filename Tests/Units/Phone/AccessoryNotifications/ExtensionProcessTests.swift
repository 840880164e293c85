import AccessoryNotifications
import AccessoryTransportExtension
import CryptoKit
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HILPhone

/// The process of an extension ends, and is launched again.
@Suite(.timeLimit(.minutes(1))) struct ExtensionProcessTests {
    /// The processes that ended, and why.
    private func ends(_ stand: DeliveryStand) -> [ExtensionEnd] {
        stand.phone.notifications.events.events.compactMap {
            if case .extensionEnded(_, let reason) = $0.kind { reason } else { nil }
        }
    }

    private func launchedAgain(_ which: ForwardingExtension, _ stand: DeliveryStand, from place: Int = 0) async throws {
        try await stand.happens("\(which) to be launched again", from: place) { $0 == .extensionLaunchedAgain(which) }
    }

    private func count(_ stand: DeliveryStand, _ matches: (Script.Event) -> Bool) -> Int {
        stand.script.events.events.count(where: matches)
    }

    private func offers(_ stand: DeliveryStand) -> Int {
        count(stand) { if case .securityOffered = $0 { true } else { false } }
    }

    @Test("Between two keys: the key that it had not answered goes to its next process, and the keys are usable")
    func betweenKeys() async throws {
        let stand = try await DeliveryStand()
        stand.script.state.withLock { $0.security = [.keepSilent] }
        try await stand.allow()
        let old = try await stand.securitySession()
        let place = stand.script.events.count
        let secret = try await stand.exchangeKeys()
        stand.phone.extensions.end(.security)
        let again = try await stand.script.next(from: place, "the next session") { event in
            if case .securityOffered(let session) = event { session } else { nil }
        }
        try await stand.happens("keys") { $0 == .keysExchanged(.p256) }
        #expect(count(stand) { if case .key = $0 { true } else { false } } == 2)
        stand.post("Kim")
        #expect(try text(try await stand.sealed(), secret) == "Kim")
        #expect(throws: AccessorySecuritySession.Error.invalidated, "the old process has no session any more") {
            try old.sendSecurityMessage(
                SecurityMessage(keyType: .publicKey, cipherSuite: .p256, version: .version1, key: Data(count: 64)))
        }
        #expect(again !== old)
        #expect(count(stand) { if case .invalidated = $0 { true } else { false } } == 0, "no code is told")
    }

    @Test("It ends right after the public key: the answer goes to its next process", .covers("T6", "S2"))
    func afterPublicKey() async throws {
        let stand = try await DeliveryStand()
        try await stand.allow()
        let number = stand.phone.extensions.willEnd(.security, at: .send, because: .memoryLimit)
        let secret = try await stand.exchangeKeys()
        try await stand.happens("keys") { $0 == .keysExchanged(.p256) }
        #expect(stand.phone.extensions.cancelEnd(number) == 1)
        #expect(ends(stand) == [.memoryLimit])
        #expect(offers(stand) == 2)
        stand.post("Kim")
        #expect(try text(try await stand.sealed(), secret) == "Kim")
    }

    @Test("In the middle of a message: the same bytes go to its next process; a late answer counts no more")
    func middleOfMessage() async throws {
        let stand = try await DeliveryStand()
        let secret = try await stand.ready().host
        let identifier = try await stand.sessionID()
        stand.script.state.withLock { $0.answers[.bluetooth] = [.keepSilent, .keepSilent] }
        stand.post("Kim")
        try await stand.handedOver(1)
        stand.phone.extensions.end(.transport(.bluetooth))
        try await launchedAgain(.transport(.bluetooth), stand)
        try await stand.handedOver(2)
        stand.script.state.withLock { $0.kept[0] }(.failure(.transportUnavailable))
        stand.script.state.withLock { $0.kept[1] }(.success)
        #expect(try await stand.done(1) == [true])
        #expect(Set(stand.allSealed).count == 1)
        #expect(try text(stand.allSealed[1], secret) == "Kim")
        #expect(try await stand.sessionID() == identifier)
        #expect(offers(stand) == 1, "the keys are the phone's, not the process's")
    }

    @Test("What it had in hand counts as done if the policy says so", .covers("T6"))
    func countsAsDone() async throws {
        let stand = try await DeliveryStand()
        stand.phone.policy.repeatsAfterExtensionEnd = false
        _ = try await stand.ready()
        stand.script.state.withLock { $0.answers[.bluetooth] = [.keepSilent] }
        stand.post("Kim")
        try await stand.handedOver(1)
        stand.phone.extensions.end(.transport(.bluetooth))
        #expect(try await stand.done(1) == [true])
        try await launchedAgain(.transport(.bluetooth), stand)
        stand.post("Lee")
        #expect(try await stand.done(2) == [true, true])
        #expect(stand.allSealed.count == 2)
    }

    @Test("A notification for which the data provider had sent nothing is added again, and arrives once")
    func providerBeforeSending() async throws {
        let stand = try await DeliveryStand()
        let secret = try await stand.ready().host
        let isFirst = Mutex(true)
        stand.script.state.withLock { state in
            state.compose = { [phone = stand.phone] title in
                let isFirst = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if isFirst { phone.extensions.end(.dataProvider, because: .memoryLimit) }
                return AccessoryMessage { AccessoryMessage.Payload(data: Data(title.utf8)) }
            }
        }
        stand.post("Kim")
        stand.post("Lee")
        #expect(try await stand.done(2) == [true, true])
        #expect(try stand.allSealed.map { try text($0, secret) }.sorted() == ["Kim", "Lee"])
        #expect(count(stand) { if case .added = $0 { true } else { false } } == 3)
        #expect(count(stand) { if case .providerActivated = $0 { true } else { false } } == 2)
    }

    @Test("What the data provider has sent is delivered, and is not asked for again", .covers("T6"))
    func providerAfterSending() async throws {
        let stand = try await DeliveryStand()
        let secret = try await stand.ready().host
        let number = stand.phone.extensions.willEnd(.dataProvider, at: .send)
        stand.post("Kim")
        try await launchedAgain(.dataProvider, stand)
        stand.post("Lee")
        try await stand.handedOver(2)
        #expect(try stand.allSealed.map { try text($0, secret) } == ["Kim", "Lee"])
        #expect(stand.phone.extensions.cancelEnd(number) == 1)
        #expect(count(stand) { if case .added = $0 { true } else { false } } == 2)
        #expect(try await stand.done(2) == [false, true], "nobody has said whether the accessory alerted")
    }

    @Test("An answer of the accessory waits until the data provider is launched again", .covers("T6", "N5"))
    func answerWaits() async throws {
        let stand = try await DeliveryStand()
        let secrets = try await stand.ready()
        stand.phone.extensions.end(.dataProvider)
        let sealed = try AES.GCM.seal(Data("yes".utf8), using: secrets.accessory)
        try await stand.transportSession().sendMessageToDataProvider(
            TransportMessage(sessionID: try await stand.sessionID(), data: try #require(sealed.combined)))
        let message = try await stand.script.next("the answer") { event in
            if case .message(let message) = event { message } else { nil }
        }
        #expect(message.payloads.map(\.data) == [Data("yes".utf8)])
    }

    @Test("During its launch: it is launched again after 0, 1 and 2 s", .covers("T6"))
    func duringLaunch() async throws {
        let stand = try await DeliveryStand()
        let number = stand.phone.extensions.willEnd(.security, at: .launch, firing: 3)
        try await stand.allow()
        try await stand.happens("the session") { $0 == .sessionStarted }
        #expect(stand.phone.extensions.cancelEnd(number) == 3)
        #expect(stand.clock.pauses == [.seconds(1), .seconds(2)])
        #expect(offers(stand) == 4)
    }

    @Test("An extension that ends each time ends the session, and the next notification begins another")
    func endsAlways() async throws {
        let stand = try await DeliveryStand()
        stand.phone.policy.extensionRelaunch.limit = 4
        let number = stand.phone.extensions.willEnd(.transport(.bluetooth), at: .launch, firing: 100)
        try await stand.allow()
        try await stand.happens("the end") { event in
            guard case .sessionEnded(let why) = event else { return false }
            return why.contains("the transport extension ended 4 times in a row, the last time because it crashed")
        }
        #expect(stand.phone.extensions.cancelEnd(number) == 4)
        stand.post("Kim")
        let secret = try await stand.exchangeKeys()
        #expect(try text(try await stand.sealed(), secret) == "Kim")
    }

    @Test("More bytes at once than the memory limit end the process that has to hold them", .covers("T6"))
    func memoryLimit() async throws {
        #expect(HostPolicy().extensionMemoryLimit == 24 * 1024 * 1024)
        let stand = try await DeliveryStand()
        stand.phone.policy.extensionMemoryLimit = 1000
        stand.phone.policy.extensionRelaunch.limit = 2
        _ = try await stand.ready()
        stand.script.state.withLock { state in
            state.compose = { title in
                AccessoryMessage { AccessoryMessage.Payload(data: Data(count: title == "large" ? 1001 : 900)) }
            }
        }
        stand.post("small")
        #expect(try await stand.done(1) == [true])
        stand.post("large")
        try await stand.happens("the end") { event in
            if case .sessionEnded(let why) = event { why.contains("killed at its memory limit") } else { false }
        }
        #expect(ends(stand) == [.memoryLimit, .memoryLimit])
    }

    @Test("The accessory setup session of an ended process hears nothing more", .covers("T6"))
    func setupSession() async throws {
        let stand = try await DeliveryStand()
        stand.script.state.withLock { $0.leavesSession = true }
        _ = try await stand.ready()
        func heard(_ name: String, from place: Int = 0) async throws {
            _ = try await stand.script.next(from: place, "the accessory \(name)") { event in
                if case .accessories([name]) = event { true } else { nil }
            }
        }
        try await heard("Die 7")
        let place = stand.script.events.count
        stand.phone.extensions.end(.security)
        try await launchedAgain(.security, stand)
        // The new process makes one more.
        try await heard("Die 7", from: place)
        let record = stand.phone.store.accessories(of: "com.example.dice")[0]
        for name in ["Kettle", "Lamp"] {
            stand.phone.part(AccessorySetup.self).rename(record, to: name, renamesSSID: false, for: "com.example.dice")
            try await heard(name)
        }
        #expect(count(stand) { if case .accessories = $0 { true } else { false } } == 4)
    }

    @Test("An ended process that goes on in its code may activate a session: nothing is told, and it is no mistake")
    func activationAfterEnd() async throws {
        let stand = try await DeliveryStand()
        let run = ExtensionRun(.security, for: UUID(), supervisor: nil)
        let session = Phone.$host.withValue(run) { stand.phone.part(AccessorySetup.self).makeSession() }
        #expect(run.end())
        session.activate { _ in Issue.record("an event for an ended process") }
        #expect(!stand.phone.log.events.contains { if case .warning = $0.kind { true } else { false } })
    }

    @Test("The transport for Bluetooth has a restore identifier, which stays the same; others have none")
    func restoreIdentifier() async throws {
        let stand = try await DeliveryStand()
        _ = try await stand.ready([.bluetooth, .localNetwork])
        let first = try #require(try await stand.transportSession().transportStateRestoreIdentifier)
        #expect(try await stand.transportSession(.localNetwork).transportStateRestoreIdentifier == nil)
        let place = stand.script.events.count
        stand.phone.extensions.end(.transport(.bluetooth))
        let next = try await stand.script.next(from: place, "the next session") { event in
            if case .transportOffered(let session) = event { session } else { nil }
        }
        #expect(next.transportStateRestoreIdentifier == first)
    }
}

/// The two spellings of a data provider's method for messages.
@Suite struct MessageHandlerTests {
    private final class Heard: AccessoryNotificationsHandler {
        let messages = Mutex<[TransportMessage]>([])

        func addNotification(
            _ notification: AccessoryNotification, alertingContext: AlertingContext
        ) async throws -> Bool { false }
        func updateNotification(_ notification: AccessoryNotification) {}
        func removeNotification(identifier: AccessoryNotification.Identifier) {}
        func removeAllNotifications() {}
        func messageHandler(_ message: TransportMessage) { messages.withLock { $0.append(message) } }
    }

    @Test("A handler that takes a TransportMessage, as the SDK declares it, gets it with its session", .covers("N5"))
    func transportMessage() throws {
        let heard = Heard()
        let session = UUID()
        let hosted = NotificationsForwarding { heard }.makeHostedHandler()
        hosted.message(AccessoryMessage { AccessoryMessage.Payload(data: Data([7])) }, inSession: session)
        #expect(heard.messages.withLock { $0 } == [TransportMessage(sessionID: session, data: Data([7]))])
    }
}

import AccessoryNotifications
import AccessoryTransportExtension
import CryptoKit
import DiceApp
import DieProgram
import DieProtocol
import HILPhone
import HILTiming
import Synchronization
import TestSupport
import Testing

/// An app with the companion app's data provider and a transport that the test controls.
private final class ProviderApp: ScriptedApp, @unchecked Sendable {
    override class var extensions: [Any.Type] {
        [DiceDataProvider.self, ScriptedSecurity.self, ScriptedTransport.self]
    }
}

/// How a transport delivers its messages.
private enum Delivery: CaseIterable {
    /// In order. If a message fails, all later ones fail too.
    case inOrder
    /// Each independently, in any order.
    case anyOrder
}

/// A phone with the companion app's data provider, and a die's screen behind a transport that fails at random.
private struct OrderStand {
    let stand: DeliveryStand
    let exchange: Exchange
    let delivery: Delivery
    var numbers: SeededNumbers
    /// The screen of the die.
    var screen = NotificationScreen()
    /// The indices of the messages that the transport has but has not answered.
    var waiting: [Int] = []
    var handedOver = 0
    /// How many changes the phone has sent to the data provider, and how many the die has carried out.
    var (sent, carriedOut) = (0, 0)
    private var shown: Set<String> = []

    init(seed: UInt64, _ delivery: Delivery) async throws {
        stand = try await DeliveryStand(ProviderApp.self)
        self.delivery = delivery
        numbers = SeededNumbers(seed: seed)
        // The phone must not give up, however often the transport fails.
        stand.phone.policy.notificationTries = .max
        stand.phone.policy.notificationRetryPause = .nanoseconds(1)
        try await stand.allow()
        exchange = try await stand.exchange()
        try await stand.happens("keys") { if case .keysExchanged = $0 { true } else { false } }
        stand.script.state.withLock { $0.answers[.bluetooth] = Array(repeating: .keepSilent, count: 10_000) }
    }

    /// Makes a random change to the notifications on the phone.
    mutating func change(_ step: Int) {
        let centre = stand.phone.notifications
        let name = "\(Int.random(in: 1...4, using: &numbers))"
        let notification = PhoneNotification(app: "com.example.chat", identifier: name, title: "step \(step)")
        switch Int.random(in: 0..<20, using: &numbers) {
        case 0..<8:
            shown.insert(name)
            sent += 1
            centre.post(notification)
        case 8..<14:
            if shown.contains(name) { sent += 1 }
            centre.update(notification)
        case 14..<19:
            if shown.remove(name) != nil { sent += 1 }
            centre.remove(notification.identifier)
        default:
            if !shown.isEmpty { sent += 1 }
            shown = []
            centre.removeAll()
        }
    }

    /// Delivers or loses one of the transport's messages. If it has none but one is expected, it waits for it.
    mutating func deliver(failing: Double) async throws {
        takeNewMessages()
        if waiting.isEmpty, carriedOut < sent {
            try await stand.handedOver(handedOver + 1)
            takeNewMessages()
        }
        let all = stand.allSealed
        guard let place = delivery == .inOrder ? waiting.indices.first : waiting.indices.randomElement(using: &numbers)
        else { return }
        let isLost = Double.random(in: 0..<1, using: &numbers) < failing
        // If only the receipt is lost, the message was carried out.
        if !isLost || Bool.random(using: &numbers) { try show(all[waiting[place]]) }
        let count = isLost && delivery == .inOrder ? waiting.count : 1
        let answered = waiting[place..<place + count]
        waiting.removeSubrange(place..<place + count)
        for one in answered {
            stand.script.state.withLock { $0.kept[one] }(isLost ? .failure(.transportFailed) : .success)
        }
    }

    private mutating func show(_ message: TransportMessage) throws {
        let secret = try exchange.secrets(of: message.sessionID).host
        let plaintext = try AES.GCM.open(AES.GCM.SealedBox(combined: message.data), using: secret)
        let update = try NumberedUpdate(decoding: plaintext)
        // A repetition has the same number, and the die drops it.
        guard screen.isNew(update) else { return }
        carriedOut += 1
        _ = screen.apply(update.update)
    }

    /// Delivers all messages that are still to come.
    mutating func deliverRest() async throws {
        while carriedOut < sent || !waiting.isEmpty { try await deliver(failing: 0) }
    }

    private mutating func takeNewMessages() {
        let count = stand.allSealed.count
        waiting += handedOver..<count
        handedOver = count
    }
}

/// Many changes in quick succession, over a transport that fails.
@Suite struct SequenceTests {
    @Test(
        "The die's screen ends like the phone's, whatever the order of changes and failures", .covers("N3", "T1"),
        arguments: Delivery.allCases, 1...12)
    private func sameScreen(delivery: Delivery, seed: UInt64) async throws {
        var stand = try await OrderStand(seed: seed, delivery)
        for round in 0..<12 {
            for step in 0..<Int.random(in: 1...10, using: &stand.numbers) { stand.change(100 * round + step) }
            for _ in 0..<Int.random(in: 0...8, using: &stand.numbers) {
                // Gives the phone a random amount of time.
                for _ in 0..<Int.random(in: 0..<40, using: &stand.numbers) { await Task.yield() }
                try await stand.deliver(failing: 0.4)
            }
        }
        try await stand.deliverRest()
        var shown = stand.screen.notifications.map { [$0.identifier.notification, $0.title] }
        var posted = stand.stand.phone.notifications.posted.map {
            [$0.identifier.notificationIdentifier, $0.title ?? ""]
        }
        // In any order: new notifications may arrive in another order than they were posted.
        if delivery == .anyOrder { (shown, posted) = (shown.sorted { $0[0] < $1[0] }, posted.sorted { $0[0] < $1[0] }) }
        #expect(shown == posted)
    }

    @Test("Updates and removals wait for earlier messages about the same notification only", .covers("N3"))
    func shared() async throws {
        let stand = try await DeliveryStand(ProviderApp.self)
        try await stand.allow()
        let exchange = try await stand.exchange()
        try await stand.happens("keys") { if case .keysExchanged = $0 { true } else { false } }
        stand.script.state.withLock { $0.answers[.bluetooth] = Array(repeating: .keepSilent, count: 10) }
        func notification(_ name: String) -> PhoneNotification {
            PhoneNotification(app: "com.example.chat", identifier: name, title: name)
        }
        let centre = stand.phone.notifications
        for name in ["1", "2", "3"] { centre.post(notification(name)) }
        try await stand.handedOver(3)
        centre.update(notification("1"))
        centre.remove(notification("2").identifier)
        centre.update(notification("3"))
        // Each change follows its own notification and waits for no other.
        for place in [1, 0, 2] {
            try await stand.link(isUp: true)
            stand.script.state.withLock { $0.kept[place] }(.success)
            try await stand.handedOver(4 + [1, 0, 2].firstIndex(of: place)!)
        }
        centre.removeAll()
        for place in 3...5 {
            try await stand.link(isUp: true)
            #expect(stand.allSealed.count == 6, "“remove all” waits for all earlier messages")
            stand.script.state.withLock { $0.kept[place] }(.success)
        }
        try await stand.handedOver(7)
        let updates = try stand.allSealed.map { message in
            let secret = try exchange.secrets(of: message.sessionID).host
            return try NumberedUpdate(
                decoding: try AES.GCM.open(AES.GCM.SealedBox(combined: message.data), using: secret)
            ).update
        }
        let names = updates.map { update in
            switch update {
            case .add(let content): "add \(content.identifier.notification)"
            case .update(let content): "update \(content.identifier.notification)"
            case .remove(let identifier): "remove \(identifier.notification)"
            case .removeAll: "remove all"
            }
        }
        #expect(names == ["add 1", "add 2", "add 3", "remove 2", "update 1", "update 3", "remove all"])
    }

    @Test(
        "If a notification is posted and removed at the same time, the data provider gets the last change last",
        .covers("N3"))
    func sameMoment() async throws {
        let stand = try await DeliveryStand()
        _ = try await stand.ready()
        let centre = stand.phone.notifications
        @Sendable func notification(_ name: String) -> PhoneNotification {
            PhoneNotification(app: "com.example.chat", identifier: name, title: name)
        }
        let names = (1...200).map { "\($0)" }
        for name in names {
            centre.post(notification(name))
            DispatchQueue.concurrentPerform(iterations: 2) { which in
                if which == 0 { centre.post(notification(name)) } else { centre.remove(notification(name).identifier) }
            }
        }
        centre.post(notification("end"))
        _ = try await stand.script.next("the end") { event in
            if case .added(let added, _) = event, added.title == "end" { true } else { nil }
        }
        var shown: Set<String> = []
        for event in stand.script.events.events {
            switch event {
            case .added(let added, _): shown.insert(added.identifier.notificationIdentifier)
            case .removed(let identifier): shown.remove(identifier.notificationIdentifier)
            default: break
            }
        }
        #expect(shown == Set(centre.posted.map(\.identifier.notificationIdentifier)))
    }
}

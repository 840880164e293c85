import AccessoryNotifications
import AccessoryTransportExtension
import CryptoKit
import DiceApp
import DieProtocol
import Phone
import ReferenceAccessory
import RuleCoverage
import SeededNumbers
import Synchronization
import Testing
import Timing

/// The companion app's data provider, over a transport that the test plays.
private final class ProviderApp: ScriptedApp, @unchecked Sendable {
    override class var extensions: [Any.Type] {
        [DiceDataProvider.self, ScriptedSecurity.self, ScriptedTransport.self]
    }
}

/// How a transport carries what it was handed.
private enum Carriage: CaseIterable {
    /// In order; what fails takes all that were handed over after it along.
    case inOrder
    /// Each by itself, in any order.
    case anyhow
}

/// A phone with the companion app's data provider, and a die's screen at the other end of a transport that fails at random.
private struct OrderStand {
    let stand: Stand
    let exchange: Exchange
    let carriage: Carriage
    var numbers: SeededNumbers
    /// What the die shows.
    var screen = NotificationScreen()
    /// The places of the messages that were handed over and not answered.
    var waiting: [Int] = []
    var handedOver = 0
    /// How many changes the phone told the data provider of, and how many the die has carried out.
    var (told, carriedOut) = (0, 0)
    private var shown: Set<String> = []

    init(seed: UInt64, _ carriage: Carriage) async throws {
        stand = try await Stand(ProviderApp.self)
        self.carriage = carriage
        numbers = SeededNumbers(seed: seed)
        // However often it fails, nothing is given up.
        stand.phone.policy.notificationTries = .max
        stand.phone.policy.notificationRetryPause = .nanoseconds(1)
        try await stand.allow()
        exchange = try await stand.exchange()
        try await stand.happens("keys") { if case .keysExchanged = $0 { true } else { false } }
        stand.script.state.withLock { $0.answers[.bluetooth] = Array(repeating: .keepSilent, count: 10_000) }
    }

    /// An app or the person does something with notifications.
    mutating func change(_ step: Int) {
        let centre = stand.phone.notifications
        let name = "\(Int.random(in: 1...4, using: &numbers))"
        let notification = PhoneNotification(app: "com.example.chat", identifier: name, title: "step \(step)")
        switch Int.random(in: 0..<20, using: &numbers) {
        case 0..<8:
            shown.insert(name)
            told += 1
            centre.post(notification)
        case 8..<14:
            if shown.contains(name) { told += 1 }
            centre.update(notification)
        case 14..<19:
            if shown.remove(name) != nil { told += 1 }
            centre.remove(notification.identifier)
        default:
            if !shown.isEmpty { told += 1 }
            shown = []
            centre.removeAll()
        }
    }

    /// The transport carries, or loses, one of the messages that it has; with none it waits for one, if there is one to come.
    mutating func carry(failing: Double) async throws {
        takeOver()
        if waiting.isEmpty, carriedOut < told {
            try await stand.handedOver(handedOver + 1)
            takeOver()
        }
        let all = stand.allSealed
        guard let place = carriage == .inOrder ? waiting.indices.first : waiting.indices.randomElement(using: &numbers)
        else { return }
        let isLost = Double.random(in: 0..<1, using: &numbers) < failing
        // With its receipt alone lost, a message was carried out.
        if !isLost || Bool.random(using: &numbers) { try show(all[waiting[place]]) }
        let count = isLost && carriage == .inOrder ? waiting.count : 1
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
        // A repetition is the same bytes, which the die drops.
        guard screen.isNew(update) else { return }
        carriedOut += 1
        _ = screen.apply(update.update)
    }

    /// The transport carries all that is yet to come.
    mutating func carryRest() async throws {
        while carriedOut < told || !waiting.isEmpty { try await carry(failing: 0) }
    }

    private mutating func takeOver() {
        let count = stand.allSealed.count
        waiting += handedOver..<count
        handedOver = count
    }
}

/// Changes that come one right after the other, over a transport that fails meanwhile.
@Suite struct OrderTests {
    @Test(
        "The die's screen ends as the phone's, however changes and failures follow each other", .covers("N3", "T1"),
        arguments: Carriage.allCases, 1...12)
    private func sameScreen(carriage: Carriage, seed: UInt64) async throws {
        var stand = try await OrderStand(seed: seed, carriage)
        for round in 0..<12 {
            for step in 0..<Int.random(in: 1...10, using: &stand.numbers) { stand.change(100 * round + step) }
            for _ in 0..<Int.random(in: 0...8, using: &stand.numbers) {
                // Gives what was told the time to get as far as chance has it.
                for _ in 0..<Int.random(in: 0..<40, using: &stand.numbers) { await Task.yield() }
                try await stand.carry(failing: 0.4)
            }
        }
        try await stand.carryRest()
        var shown = stand.screen.notifications.map { [$0.identifier.notification, $0.title] }
        var posted = stand.stand.phone.notifications.posted.map {
            [$0.identifier.notificationIdentifier, $0.title ?? ""]
        }
        // Each by itself, notifications that are new at once come in any order.
        if carriage == .anyhow { (shown, posted) = (shown.sorted { $0[0] < $1[0] }, posted.sorted { $0[0] < $1[0] }) }
        #expect(shown == posted)
    }

    @Test("Updates and removals share the line; what was posted before goes before what happens to it", .covers("N3"))
    func shared() async throws {
        let stand = try await Stand(ProviderApp.self)
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
        // Each follows its own notification, and none of them another.
        for place in [1, 0, 2] {
            try await stand.link(isUp: true)
            stand.script.state.withLock { $0.kept[place] }(.success)
            try await stand.handedOver(4 + [1, 0, 2].firstIndex(of: place)!)
        }
        centre.removeAll()
        for place in 3...5 {
            try await stand.link(isUp: true)
            #expect(stand.allSealed.count == 6, "what removes all waits for everything")
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

    @Test("Posted and removed at the same moment, the data provider hears last what the phone did last", .covers("N3"))
    func sameMoment() async throws {
        let stand = try await Stand()
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

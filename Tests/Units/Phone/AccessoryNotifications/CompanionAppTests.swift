import AccessoryNotifications
import AccessorySetupKit
import DieProgram
import DieProtocol
import HILPhone
import Synchronization
import TestSupport
import Testing

@Suite struct CompanionAppTests {
    private static let secrets = ["Kim from the chat", "Family and friends", "Dinner at eight, bring the dice?"]

    private func notification(_ identifier: String = "1", body: String = secrets[2]) -> PhoneNotification {
        PhoneNotification(
            app: "com.example.chat", identifier: identifier, title: Self.secrets[0], subtitle: Self.secrets[1],
            body: body)
    }

    @Test(
        "A posted notification is shown unchanged, and its text is never on the air",
        .covers("N1", "S2", "S4", "S6", "T4"),
        arguments: [23, 185, 517])
    func wholePath(mtu: Int) async throws {
        let pair = try await Pair(mtu: mtu)
        #expect(try await pair.requestForwarding() == .allow)
        pair.phone.notifications.post(notification())
        let shown = try await pair.screen { $0.count == 1 }
        #expect(
            shown == [
                ShownNotification(
                    identifier: "1", source: "com.example.chat", title: Self.secrets[0], subtitle: Self.secrets[1],
                    body: Self.secrets[2])
            ])
        #expect(pair.told.events.contains(.keysExchanged(cipherSuite: "XWing")))
        let air = pair.air.withLock { $0 }
        #expect(air.allSatisfy { $0.count <= mtu - 3 })
        let carried = air.reduce(Data()) { $0 + $1.dropFirst(2) }
        let identifier = pair.phone.identifiers.identifier(of: Pair.address).uuidString
        #expect(carried.firstRange(of: Data(identifier.utf8)) != nil, "the search finds text that is sent in the clear")
        for secret in Self.secrets {
            for part in secret.split(separator: " ") where part.count > 3 {
                #expect(carried.firstRange(of: Data(part.utf8)) == nil, "“\(part)” crossed the air")
            }
        }
    }

    @Test("The largest notification arrives complete", .covers("T4"))
    func largest() async throws {
        let pair = try await Pair(mtu: 517)
        _ = try await pair.requestForwarding()
        let body = String(repeating: "die ", count: (GATTFraming.maximumContentLength - 200) / 4)
        pair.phone.notifications.post(notification(body: body))
        #expect(try await pair.screen { $0.count == 1 }.first?.body == body)
    }

    @Test("The die's screen ends like the phone's notification centre", .covers("N3"))
    func sameScreen() async throws {
        let pair = try await Pair()
        _ = try await pair.requestForwarding()
        let centre = pair.phone.notifications
        for identifier in ["1", "2", "3"] { centre.post(notification(identifier)) }
        centre.update(notification("2", body: "changed"))
        centre.remove(notification("1").identifier)
        let shown = try await pair.screen { $0.map(\.identifier) == ["2", "3"] && $0[0].body == "changed" }
        #expect(shown.map(\.identifier) == centre.posted.map(\.identifier.notificationIdentifier))
        let before = pair.told.count
        centre.removeAll()
        _ = try await pair.screen(from: before) { $0.isEmpty }
    }

    @Test(
        "Some of several on their way are lost: all are shown once, in the order in which they were posted, and none fails",
        .covers("N3", "T1"), arguments: [3...3, 8...8, 6...8, 5...8, 1...8])
    func someOfSeveralLost(lost: ClosedRange<Int>) async throws {
        let pair = try await Pair(mtu: 517)
        _ = try await pair.requestForwarding()
        pair.loseDeliveries(lost)
        let bodies = (1...8).map { "number \($0)" }
        // Messages about one notification wait for each other; messages about several are sent at the same time.
        for body in bodies { pair.phone.notifications.post(notification(body, body: body)) }
        #expect(try await pair.screen { $0.count == 8 }.map(\.body) == bodies)
        #expect(pair.alerts.count == bodies.count)
        let attempts = try await pair.attempts(8)
        #expect(attempts == Array(repeating: 1, count: 8))
    }

    @Test("Only allowed apps are forwarded, and the decision is remembered", .covers("N1", "N2"))
    func limited() async throws {
        let pair = try await Pair()
        let center = AccessoryNotificationCenter()
        let accessory = try await pair.accessory()
        func status() async throws -> ForwardingDecision {
            try await pair.phone.asCurrent { try await center.forwardingStatus(for: accessory) }
        }
        #expect(try await status() == .undetermined)
        #expect(try await pair.requestForwarding(.only(["com.example.mail"])) == .limited)
        #expect(try await status() == .limited)
        pair.phone.notifications.post(notification())
        pair.phone.notifications.post(PhoneNotification(app: "com.example.mail", identifier: "m", title: "Lee"))
        #expect(try await pair.screen { !$0.isEmpty }.map(\.identifier) == ["m"])
        #expect(try await pair.requestForwarding(.none) == .deny)
        #expect(try await status() == .deny)
    }

    @Test("A die that lost its keys gets new ones, and the notification arrives once", .covers("S5"))
    func keysLost() async throws {
        let pair = try await Pair()
        _ = try await pair.requestForwarding()
        pair.phone.notifications.post(notification("1"))
        _ = try await pair.screen { $0.count == 1 }
        let before = pair.told.count
        pair.replaceAccessory(by: DieLogic())
        pair.phone.notifications.post(notification("2"))
        #expect(try await pair.screen(from: before) { !$0.isEmpty }.map(\.identifier) == ["2"])
        let later = pair.told.events.dropFirst(before)
        #expect(later.filter { if case .screen = $0 { true } else { false } }.count == 1)
    }

    @Test("A notification posted while the link is lost arrives when it is back")
    func linkLost() async throws {
        let pair = try await Pair()
        _ = try await pair.requestForwarding()
        pair.phone.notifications.post(notification("1"))
        _ = try await pair.screen { $0.count == 1 }
        pair.radio.remove(Pair.address)
        pair.phone.notifications.post(notification("2"))
        pair.powerOn()
        _ = try await pair.screen { $0.count == 2 }
    }

    @Test(
        "A message of the die reaches the data provider's session, and its text is never on the air",
        .covers("N5", "S6"))
    func wayBack() async throws {
        let pair = try await Pair()
        _ = try await pair.requestForwarding()
        pair.phone.notifications.post(notification())
        _ = try await pair.screen { $0.count == 1 }
        let reply = String(repeating: "At eight, then. ", count: 40)
        pair.accessorySends(reply)
        _ = try await pair.phone.notifications.events.first(within: .seconds(300), waitingFor: "the message") {
            $0.kind == .received(byteCount: reply.utf8.count)
        }
        let carried = pair.air.withLock { $0 }.reduce(Data()) { $0 + $1.dropFirst(2) }
        #expect(carried.firstRange(of: Data("eight".utf8)) == nil)
    }
}

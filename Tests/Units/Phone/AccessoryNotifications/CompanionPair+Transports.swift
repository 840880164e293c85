import DieProgram
import DieProtocol
import Foundation
import HILPhone
import Testing

/// Pairs that are connected by more than Bluetooth.
extension Pair {
    /// A text that needs several segments over Bluetooth.
    static let longBody = String(repeating: "Dinner at eight? ", count: 200)

    /// A pair with one notification shown. Its phone has joined a network, and with X-Wing the keys are also for that
    /// network.
    static func forwarding(
        to configuration: DieConfiguration, joining join: (Pair) async throws -> Void
    ) async throws -> Pair {
        var die = DieLogic()
        _ = try die.perform(.powerOn(configuration))
        let pair = try await Pair(accessory: die)
        try await join(pair)
        _ = try await pair.requestForwarding()
        pair.post("before", "before")
        _ = try await pair.screen { $0.count == 1 }
        #expect(try await pair.ways(1) == [.bluetooth])
        return pair
    }

    /// An app posts a notification.
    func post(
        _ identifier: String, _ body: String = longBody, actions: [PhoneNotification.Action] = [],
        attachments: [PhoneNotification.File] = []
    ) {
        var notification = PhoneNotification(
            app: "com.example.chat", identifier: identifier, title: "Kim", body: body, actions: actions)
        notification.attachments = attachments
        phone.notifications.post(notification)
    }

    /// The transports of the first `count` deliveries.
    func ways(_ count: Int) async throws -> [AccessoryTransport] {
        var (place, found) = (0, [AccessoryTransport]())
        while found.count < count {
            let next = try await phone.notifications.events.first(
                from: place, within: .seconds(300), waitingFor: "a delivery"
            ) { if case .delivered = $0.kind { true } else { false } }
            place = next.next
            if case .delivered(_, _, let way) = next.event.kind { found.append(way) }
        }
        return found
    }

    /// Waits until a notification has failed, from a position in the phone's events on. Returns the reason.
    func failure(from place: Int) async throws -> String {
        let event = try await phone.notifications.events.first(
            from: place, within: .seconds(300), waitingFor: "the failure"
        ) { if case .failed = $0.kind { true } else { false } }.event
        guard case .failed(let why) = event.kind else { return "" }
        return why
    }

    /// Waits for the person's response to a notification, from a position in the responses on. Returns the next
    /// position.
    func response(to name: String, from place: Int = 0) async throws -> Int {
        let response = try await phone.notifications.responses.first(
            from: place, within: .seconds(300), waitingFor: "the response")
        #expect(response.event.notification.notificationIdentifier == name)
        return response.next
    }

    /// The person chooses “Like” for a notification on the die.
    func like(_ name: String) throws {
        try perform(.respond(DieResponse(source: "com.example.chat", notification: name, action: "like")))
    }

    /// The action that ``like(_:)`` chooses.
    static let likable = [PhoneNotification.Action(identifier: "like", title: "Like", type: .background)]
}

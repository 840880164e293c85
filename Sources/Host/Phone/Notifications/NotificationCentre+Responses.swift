import Foundation

/// What a person did on an accessory with a notification of an app, as the app gets it.
public struct NotificationResponseEvent: Sendable, Hashable {
    /// The notification that it was about; its `sourceIdentifier` names the app.
    public var notification: PhoneNotification.Identifier
    /// The app's name for the action that was chosen.
    public var action: String
    /// What the person entered; nil for an action that takes no text.
    public var text: String?

    public init(notification: PhoneNotification.Identifier, action: String, text: String? = nil) {
        self.notification = notification
        self.action = action
        self.text = text
    }
}

/// What comes back from accessories (N5).
extension NotificationCentre {
    /// Carries out what the person did on an accessory, as if it had been done on the phone.
    ///
    /// A dismissed notification goes away everywhere, and its app hears nothing, as of one that is cleared on the phone.
    /// Any other action is told to the app, in ``responses`` and in the phone's log.
    ///
    /// - Throws: ``ForwardingError/invalidResponse(_:)`` for a notification that is gone or not the accessory's, an action
    ///   that it does not have, or one that needs a text and got none; ``ForwardingError/ended``.
    func respond(
        to identifier: PhoneNotification.Identifier, action name: String, text: String?, inSession session: UUID
    ) throws(ForwardingError) {
        let route = try route(ofSession: session)
        do throws(ForwardingError) {
            let action = try action(name, of: identifier, on: route)
            var response = NotificationResponseEvent(notification: identifier, action: name)
            switch action.type {
            case .dismiss:
                note(.responded(identifier, action: name), on: route)
                return remove(identifier)
            case .background: break
            case .textInput:
                guard let text else { throw .invalidResponse("the action \(name) needs a text, and there is none") }
                response.text = text
            }
            note(.responded(identifier, action: name), on: route)
            tell(response)
            if phone.policy.actionRemovesNotification { remove(identifier) }
        } catch {
            note(.failed("\(error)"), on: route)
            throw error
        }
    }

    /// Removes notifications, as the person could in the phone's notification centre; the apps hear nothing.
    ///
    /// - Throws: ``ForwardingError/ended``; not for notifications that are gone.
    func remove(
        _ identifiers: [PhoneNotification.Identifier], inSession session: UUID
    ) throws(ForwardingError) {
        let route = try route(ofSession: session)
        let shown = state.withLock { $0.forwarded[route] ?? [] }
        for identifier in identifiers where shown.contains(identifier) { remove(identifier) }
    }

    /// The accessory of a session; nil once it is over.
    func accessory(ofSession session: UUID) -> AccessoryRecord? {
        guard let route = try? route(ofSession: session) else { return nil }
        return phone.store.accessories(of: route.app).first { $0.id == route.accessory }
    }

    private func route(ofSession session: UUID) throws(ForwardingError) -> Route {
        let route = state.withLock { state in
            state.sessionIDs.first { $0.value == session && state.sessions[$0.key] != nil }?.key
        }
        guard let route else { throw .ended }
        return route
    }

    private func action(
        _ name: String, of identifier: PhoneNotification.Identifier, on route: Route
    ) throws(ForwardingError) -> PhoneNotification.Action {
        let notification = state.withLock { state in
            state.forwarded[route]?.contains(identifier) == true
                ? state.posted.first { $0.identifier == identifier } : nil
        }
        guard let notification else {
            throw .invalidResponse(
                "the accessory has no notification \(identifier.notificationIdentifier) of "
                    + "\(identifier.sourceIdentifier), or has it no more")
        }
        guard let action = notification.actions.first(where: { $0.identifier == name }) else {
            let known = notification.actions.map(\.identifier).joined(separator: ", ")
            throw .invalidResponse(
                "the notification \(identifier.notificationIdentifier) has no action \(name), but \(known)")
        }
        return action
    }

    private func tell(_ response: NotificationResponseEvent) {
        let text = response.text.map { ", “\($0)”" } ?? ""
        let name = response.notification.notificationIdentifier
        phone.record(
            .told(response.notification.sourceIdentifier, "action \(response.action) on notification \(name)\(text)"))
        responses.append(response)
    }
}

extension NotificationsPort {
    /// The accessory of the session; nil once it is over.
    public var accessory: AccessoryRecord? { link.phone?.notifications.accessory(ofSession: sessionID) }

    /// Hands the phone what the person did on the accessory.
    ///
    /// - Throws: ``ForwardingError/invalidResponse(_:)`` or ``ForwardingError/ended``.
    public func respond(
        to identifier: PhoneNotification.Identifier, action: String, text: String?
    ) throws(ForwardingError) {
        guard let phone = link.phone else { throw .ended }
        try phone.notifications.respond(to: identifier, action: action, text: text, inSession: sessionID)
    }

    /// Has the phone remove notifications.
    ///
    /// - Throws: ``ForwardingError/ended``.
    public func remove(_ identifiers: [PhoneNotification.Identifier]) throws(ForwardingError) {
        guard let phone = link.phone else { throw .ended }
        try phone.notifications.remove(identifiers, inSession: sessionID)
    }
}

import Foundation

/// The event for an app with the action that the person chose for its notification on an accessory.
public struct NotificationResponseEvent: Sendable, Hashable {
    /// The notification; its `sourceIdentifier` is the app's bundle identifier.
    public var notification: PhoneNotification.Identifier
    /// The app's identifier of the chosen action.
    public var action: String
    /// The text that the person entered; nil for an action without text.
    public var text: String?

    package init(notification: PhoneNotification.Identifier, action: String, text: String? = nil) {
        self.notification = notification
        self.action = action
        self.text = text
    }
}

/// Responses from accessories (N5).
extension NotificationCentre {
    /// Carries out an action that the person chose on an accessory, as if it were chosen on the phone.
    ///
    /// A dismissed notification disappears everywhere, and its app is not notified, as if it were cleared on the phone.
    /// The app gets any other action, in ``responses`` and in the phone's log.
    ///
    /// - Throws: ``ForwardingError/invalidResponse(_:)`` if the notification no longer exists or the accessory does not
    ///   show it, if it does not have the action, or if a text is missing; ``ForwardingError/ended`` if the session has
    ///   ended.
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
                guard let text else { throw .invalidResponse("the action \(name) needs a text, but there is none") }
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

    /// Removes notifications, as the person can in the phone's notification centre. The apps are not notified.
    ///
    /// Ignores notifications that no longer exist.
    ///
    /// - Throws: ``ForwardingError/ended`` if the session has ended.
    func remove(
        _ identifiers: [PhoneNotification.Identifier], inSession session: UUID
    ) throws(ForwardingError) {
        let route = try route(ofSession: session)
        let shown = state.withLock { $0.forwarded[route] ?? [] }
        for identifier in identifiers where shown.contains(identifier) { remove(identifier) }
    }

    /// The accessory of a session; nil once the session has ended.
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
                "the accessory shows no notification \(identifier.notificationIdentifier) of "
                    + "\(identifier.sourceIdentifier), or no longer shows it")
        }
        guard let action = notification.actions.first(where: { $0.identifier == name }) else {
            let known = notification.actions.map(\.identifier).joined(separator: ", ")
            throw .invalidResponse(
                "the notification \(identifier.notificationIdentifier) has no action \(name); it has: \(known)")
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
    /// The accessory of the session; nil once the session has ended.
    package var accessory: AccessoryRecord? { link.phone?.notifications.accessory(ofSession: sessionID) }

    /// Passes to the phone which action the person chose on the accessory.
    ///
    /// - Parameters:
    ///   - action: The action's identifier.
    ///   - text: The text that the person entered; nil for an action without text.
    /// - Throws: ``ForwardingError/invalidResponse(_:)`` or ``ForwardingError/ended``.
    package func respond(
        to identifier: PhoneNotification.Identifier, action: String, text: String?
    ) throws(ForwardingError) {
        guard let phone = link.phone, link.isRunning else { throw .ended }
        try phone.notifications.respond(to: identifier, action: action, text: text, inSession: sessionID)
    }

    /// Removes notifications from the phone.
    ///
    /// - Throws: ``ForwardingError/ended``.
    package func remove(_ identifiers: [PhoneNotification.Identifier]) throws(ForwardingError) {
        guard let phone = link.phone, link.isRunning else { throw .ended }
        try phone.notifications.remove(identifiers, inSession: sessionID)
    }
}

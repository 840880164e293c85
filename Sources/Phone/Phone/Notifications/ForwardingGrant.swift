import Foundation

/// The person's decision whose notifications are forwarded to one accessory (N1).
public enum ForwardingGrant: Sendable, Hashable {
    /// The person was not asked, or closed the prompt.
    case undetermined
    /// Notifications of all apps.
    case all
    /// Only notifications of the apps with these bundle identifiers.
    case only(Set<String>)
    /// No notifications.
    case none

    init(_ choice: PersonAction.ForwardingChoice) {
        self =
            switch choice {
            case .all: .all
            case .none: .none
            case .only(let apps): .only(apps)
            }
    }

    /// Whether notifications of the app with this bundle identifier are forwarded (N2).
    package func allows(_ app: String) -> Bool {
        switch self {
        case .all: true
        case .only(let apps): apps.contains(app)
        case .none, .undetermined: false
        }
    }

    /// Whether any app's notifications are forwarded.
    package var allowsAny: Bool {
        switch self {
        case .all: true
        case .only(let apps): !apps.isEmpty
        case .none, .undetermined: false
        }
    }
}

/// An event in the forwarding of notifications to an accessory.
public struct ForwardingEvent: Sendable, Equatable {
    /// The identifier under which the phone knows the accessory.
    public var accessory: UUID
    /// What happened.
    public var kind: Kind

    /// What happened. A text without a label gives the reason.
    public enum Kind: Sendable, Equatable {
        /// The person answered the prompt, or changed the answer in Settings.
        case decided(ForwardingGrant)
        /// The extensions were launched and accepted the session.
        case sessionStarted
        /// The accessory's public key arrived.
        case publicKeyReceived(SecurityMessage.CipherSuite)
        /// Both ends now have keys of this suite.
        case keysExchanged(SecurityMessage.CipherSuite)
        /// A key exchange failed.
        case exchangeFailed(String)
        /// The data provider finished with a new notification. `alerted`: whether the accessory alerts the person to
        /// it.
        case added(PhoneNotification.Identifier, alerted: Bool)
        /// The radio reported that the link to the accessory came up, or was lost.
        case linkChanged(isUp: Bool)
        /// The transport extension delivered one sealed message. `byteCount`: its length in bytes, sealed. `attempt`:
        /// the number of the try over this transport, from 1.
        case delivered(byteCount: Int, attempt: Int, over: AccessoryTransport)
        /// A message from the accessory was decrypted and handed to the data provider. `byteCount`: its length in
        /// bytes, decrypted.
        case received(byteCount: Int)
        /// A message from the accessory was dropped.
        case refused(String)
        /// The person chose an action on the accessory, and the phone carried it out. `action`: the action's
        /// identifier.
        case responded(PhoneNotification.Identifier, action: String)
        /// Something was not forwarded.
        case failed(String)
        /// The process of an extension ended by itself, or was ended.
        case extensionEnded(ForwardingExtension, ExtensionEnd)
        /// An extension was launched again after that, and has accepted its session.
        case extensionLaunchedAgain(ForwardingExtension)
        /// The session ended.
        case sessionEnded(String)
    }

    package init(accessory: UUID, kind: Kind) {
        self.accessory = accessory
        self.kind = kind
    }
}

/// Why notifications cannot be forwarded to an accessory.
package enum ForwardingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The app has not set this accessory up (N1).
    case notSetUp
    /// An extension or its entitlement is missing; the text names it.
    case unavailable(String)
    /// An extension rejected the session (S1); the text says which and why.
    case rejected(String)
    /// The phone cannot carry out the accessory's response; the text says why (N5).
    case invalidResponse(String)
    /// The session has ended.
    case ended

    package var description: String {
        switch self {
        case .notSetUp: "the app has not set this accessory up with AccessorySetupKit"
        case .unavailable(let what): "notifications cannot be forwarded: \(what)"
        case .rejected(let what): "notifications cannot be forwarded: \(what)"
        case .invalidResponse(let why): "the response cannot be carried out: \(why)"
        case .ended: "the forwarding session has ended"
        }
    }
}

import Foundation

/// What a person decided about forwarding notifications to one accessory (N1).
public enum ForwardingGrant: Sendable, Hashable {
    /// The person was not asked, or closed the prompt.
    case undetermined
    /// All apps may.
    case all
    /// Only the apps of these bundle identifiers may.
    case only(Set<String>)
    /// None may.
    case none

    init(_ choice: PersonAction.ForwardingChoice) {
        self =
            switch choice {
            case .all: .all
            case .none: .none
            case .only(let apps): .only(apps)
            }
    }

    /// Whether notifications of the app of that bundle identifier are forwarded (N2).
    public func allows(_ app: String) -> Bool {
        switch self {
        case .all: true
        case .only(let apps): apps.contains(app)
        case .none, .undetermined: false
        }
    }

    /// Whether any app's notifications are forwarded.
    public var allowsAny: Bool {
        switch self {
        case .all: true
        case .only(let apps): !apps.isEmpty
        case .none, .undetermined: false
        }
    }
}

/// Something that happened while notifications were forwarded to an accessory.
public struct ForwardingEvent: Sendable, Equatable {
    /// The authorisation of the accessory, ``AccessoryRecord/id``.
    public var accessory: UUID
    public var kind: Kind

    public enum Kind: Sendable, Equatable {
        /// The person answered the prompt, or changed the answer in Settings.
        case decided(ForwardingGrant)
        /// The extensions were launched and took the session.
        case sessionStarted
        /// The accessory's public key came.
        case publicKeyReceived(KeyMessage.CipherSuite)
        /// Both ends have keys of this suite now.
        case keysExchanged(KeyMessage.CipherSuite)
        /// A key exchange came to nothing; the text says why.
        case exchangeFailed(String)
        /// The data provider was done with a new notification; whether the accessory alerts with it.
        case added(PhoneNotification.Identifier, alerted: Bool)
        /// The radio told that the link to the accessory came up, or went.
        case linkChanged(isUp: Bool)
        /// The transport extension handed one sealed message over; its length in bytes, which try over this transport it was,
        /// from 1, and the transport.
        case delivered(byteCount: Int, attempt: Int, over: ForwardingTransport)
        /// A message of the accessory's was opened and handed to the data provider; its length in bytes, opened.
        case received(byteCount: Int)
        /// A message of the accessory's was dropped; the text says why.
        case refused(String)
        /// The person did something on the accessory, and the phone carried it out; the action's identifier.
        case responded(PhoneNotification.Identifier, action: String)
        /// Something was not forwarded; the text says why.
        case failed(String)
        /// The session ended; the text says why.
        case sessionEnded(String)
    }

    public init(accessory: UUID, kind: Kind) {
        self.accessory = accessory
        self.kind = kind
    }
}

/// Why notifications cannot be forwarded to an accessory.
public enum ForwardingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The app has not set this accessory up (N1).
    case notSetUp
    /// An extension or its entitlement is missing; the text names it.
    case unavailable(String)
    /// An extension did not accept the session (S1); the text says which and why.
    case rejected(String)
    /// What the accessory answered cannot be carried out; the text says why (N5).
    case invalidResponse(String)
    /// The session is over.
    case ended

    public var description: String {
        switch self {
        case .notSetUp: "the app has not set this accessory up with AccessorySetupKit"
        case .unavailable(let what): "notifications cannot be forwarded: \(what)"
        case .rejected(let what): "notifications cannot be forwarded: \(what)"
        case .invalidResponse(let why): "the response cannot be carried out: \(why)"
        case .ended: "the forwarding session has ended"
        }
    }
}

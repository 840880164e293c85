/// The die's GATT database: what it advertises, and the characteristics of its one primary service.
///
/// Every UUID is written in its 36-character form, in upper case.
public enum DieGATT {
    /// The primary service; advertised, and what a discovery descriptor names.
    public static let service = "D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47"

    /// One characteristic of the service.
    public struct Characteristic: Sendable, Hashable {
        /// 36 characters, upper case.
        public let uuid: String
        /// What a client may do with it.
        public let properties: Properties
        /// Whether it may be touched only over a link encrypted with an LE Secure Connections key; an attempt
        /// without one starts pairing. Its client characteristic configuration asks for the same.
        public let needsSecureConnections: Bool
        /// What it is for, in a few words; goes into the user description descriptor.
        public let name: String
    }

    /// What a client may do with a characteristic.
    public struct Properties: OptionSet, Sendable, Hashable {
        /// One bit for each property; the values are this module's own.
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let read = Properties(rawValue: 1)
        public static let write = Properties(rawValue: 2)
        public static let writeWithoutResponse = Properties(rawValue: 4)
        public static let notify = Properties(rawValue: 8)
    }

    /// The last roll, a ``Roll``; notified at each roll.
    public static let roll = Characteristic(
        uuid: "D1CE0002-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: [.read, .notify], needsSecureConnections: false,
        name: "Roll")

    /// What the die is, a ``DieInfo``.
    public static let info = Characteristic(
        uuid: "D1CE0003-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: .read, needsSecureConnections: false, name: "Info")

    /// The owner's name for the die, UTF-8, at most 64 bytes. Touching it is how a companion app starts pairing.
    public static let owner = Characteristic(
        uuid: "D1CE0004-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: [.read, .write], needsSecureConnections: true,
        name: "Owner")

    /// Key exchange in both directions: ``KeyExchangeMessage``s in the ``GATTFraming``.
    public static let security = Characteristic(
        uuid: "D1CE0005-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: [.write, .notify], needsSecureConnections: true,
        name: "Security exchange")

    /// Encrypted notifications to the die, acknowledgements and messages back: ``NotificationMessage``s in the ``GATTFraming``.
    public static let notifications = Characteristic(
        uuid: "D1CE0006-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: [.writeWithoutResponse, .notify],
        needsSecureConnections: true, name: "Notifications")

    /// The networks that the die has opened, a ``DieNetworks``.
    public static let networks = Characteristic(
        uuid: "D1CE0007-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: .read, needsSecureConnections: true,
        name: "Networks")

    /// All of them, in the order of the database.
    public static let characteristics = [roll, info, owner, security, notifications, networks]
}

/// The die's GATT database: what it advertises, and the characteristics of its one primary service.
///
/// Every UUID is written in its 36-character form, in upper case.
package enum DieGATT {
    /// The primary service; advertised, and what a discovery descriptor names.
    package static let service = "D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47"

    /// One characteristic of the service.
    package struct Characteristic: Sendable, Hashable {
        /// 36 characters, upper case.
        package let uuid: String
        /// What a client may do with it.
        package let properties: Properties
        /// Whether it may be touched only over a link encrypted with an LE Secure Connections key; an attempt
        /// without one starts pairing. Its client characteristic configuration asks for the same.
        package let needsSecureConnections: Bool
        /// What it is for, in a few words; goes into the user description descriptor.
        package let name: String
    }

    /// What a client may do with a characteristic.
    package struct Properties: OptionSet, Sendable, Hashable {
        /// One bit for each property; the values are this module's own.
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let read = Properties(rawValue: 1)
        package static let write = Properties(rawValue: 2)
        package static let writeWithoutResponse = Properties(rawValue: 4)
        package static let notify = Properties(rawValue: 8)
    }

    /// The last roll, a ``Roll``; notified at each roll.
    package static let roll = Characteristic(
        uuid: "D1CE0002-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: [.read, .notify], needsSecureConnections: false,
        name: "Roll")

    /// What the die is, a ``DieInfo``.
    package static let info = Characteristic(
        uuid: "D1CE0003-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: .read, needsSecureConnections: false, name: "Info")

    /// The owner's name for the die, UTF-8, at most 64 bytes. Touching it is how a companion app starts pairing.
    package static let owner = Characteristic(
        uuid: "D1CE0004-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: [.read, .write], needsSecureConnections: true,
        name: "Owner")

    /// Key exchange in both directions: ``KeyExchangeMessage``s in the ``GATTFraming``.
    package static let security = Characteristic(
        uuid: "D1CE0005-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: [.write, .notify], needsSecureConnections: true,
        name: "Security exchange")

    /// Encrypted notifications to the die, acknowledgements and messages back: ``NotificationMessage``s in the ``GATTFraming``.
    package static let notifications = Characteristic(
        uuid: "D1CE0006-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: [.writeWithoutResponse, .notify],
        needsSecureConnections: true, name: "Notifications")

    /// The networks that the die has opened, a ``DieNetworks``.
    package static let networks = Characteristic(
        uuid: "D1CE0007-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: .read, needsSecureConnections: true,
        name: "Networks")

    /// All of them, in the order of the database.
    package static let characteristics = [roll, info, owner, security, notifications, networks]
}

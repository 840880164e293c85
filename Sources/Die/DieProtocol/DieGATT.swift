/// The die's GATT database: the advertised service, and the characteristics of this one primary service.
///
/// Every UUID is written in its 36-character form, in upper case.
package enum DieGATT {
    /// The primary service. It is advertised, and discovery descriptors name it.
    package static let service = "D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47"

    /// One characteristic of the service.
    package struct Characteristic: Sendable, Hashable {
        /// 36 characters, upper case.
        package let uuid: String
        /// The operations that a client may use.
        package let properties: Properties
        /// Whether access needs a link that is encrypted with an LE Secure Connections key. An access without one
        /// starts pairing. The client characteristic configuration needs the same.
        package let needsSecureConnections: Bool
        /// Its purpose in a few words, for the user description descriptor.
        package let name: String
    }

    /// The operations on a characteristic.
    package struct Properties: OptionSet, Sendable, Hashable {
        /// One bit for each property. The values are defined here.
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let read = Properties(rawValue: 1)
        package static let write = Properties(rawValue: 2)
        package static let writeWithoutResponse = Properties(rawValue: 4)
        package static let notify = Properties(rawValue: 8)
    }

    /// The last roll, a ``Roll``. Notified at each roll.
    package static let roll = Characteristic(
        uuid: "D1CE0002-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: [.read, .notify], needsSecureConnections: false,
        name: "Roll")

    /// Information about the die, a ``DieInfo``.
    package static let info = Characteristic(
        uuid: "D1CE0003-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: .read, needsSecureConnections: false, name: "Info")

    /// The owner's name for the die, UTF-8, at most 64 bytes. A companion app reads or writes it to start pairing.
    package static let owner = Characteristic(
        uuid: "D1CE0004-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: [.read, .write], needsSecureConnections: true,
        name: "Owner")

    /// Key exchange in both directions: ``KeyExchangeMessage``s in the ``GATTFraming``.
    package static let security = Characteristic(
        uuid: "D1CE0005-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: [.write, .notify], needsSecureConnections: true,
        name: "Security exchange")

    /// Encrypted notifications to the die, acknowledgements and messages back: ``NotificationMessage``s in the
    /// ``GATTFraming``.
    package static let notifications = Characteristic(
        uuid: "D1CE0006-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: [.writeWithoutResponse, .notify],
        needsSecureConnections: true, name: "Notifications")

    /// The open networks of the die, a ``DieNetworks``.
    package static let networks = Characteristic(
        uuid: "D1CE0007-7C3A-4F6B-9B52-1A6F0C8E5D47", properties: .read, needsSecureConnections: true,
        name: "Networks")

    /// All characteristics, in the order of the database.
    package static let characteristics = [roll, info, owner, security, notifications, networks]
}

/// Why a call over the bus failed: an error in the reply, or an error on our side.
package struct BusError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The D-Bus error name, such as `org.bluez.Error.Failed`.
    package let name: String
    /// The error's text; may be empty.
    package let message: String
    /// What was being done, as the start of a sentence: `calling org.bluez.Device1.Connect of /org/bluez/…`.
    package let action: String

    package init(name: String, message: String, action: String) {
        self.name = name
        self.message = message
        self.action = action
    }

    package var description: String { "\(action): \(name)\(message.isEmpty ? "" : ": \(message)")" }
}

extension BusError {
    /// Names of errors that are made on our side. They are libdbus's names if it has one.
    package enum Name {
        /// The deadline passed before a reply came.
        package static let noReply = "org.freedesktop.DBus.Error.NoReply"
        /// The connection is closed.
        package static let disconnected = "org.freedesktop.DBus.Error.Disconnected"
        /// A value or a name that a message cannot hold, or a reply of an undocumented type.
        package static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
        /// The object, interface or method does not exist.
        package static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
        package static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
        package static let unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
        package static let unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
        package static let propertyReadOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
        /// No program on the bus has the name that was called.
        package static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
        package static let noMemory = "org.freedesktop.DBus.Error.NoMemory"
        /// The waiting task was cancelled.
        package static let cancelled = "hil.Error.Cancelled"
    }

    /// The error for a value or a name that a message cannot hold.
    static func invalid(_ message: String, _ action: String) -> BusError {
        BusError(name: Name.invalidArguments, message: message, action: action)
    }
}

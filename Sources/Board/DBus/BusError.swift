/// A call over the bus that did not give its result: an error that the other side replied with, or one of our own side.
public struct BusError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The D-Bus error name, such as `org.bluez.Error.Failed`.
    public let name: String
    /// The error's text; may be empty.
    public let message: String
    /// What was being done, as a phrase that starts a sentence: `calling org.bluez.Device1.Connect of /org/bluez/…`.
    public let action: String

    public init(name: String, message: String, action: String) {
        self.name = name
        self.message = message
        self.action = action
    }

    public var description: String { "\(action): \(name)\(message.isEmpty ? "" : ": \(message)")" }
}

extension BusError {
    /// Names of errors that this side makes, as libdbus names them where it has one.
    public enum Name {
        /// The deadline passed before a reply came.
        public static let noReply = "org.freedesktop.DBus.Error.NoReply"
        /// The connection is closed.
        public static let disconnected = "org.freedesktop.DBus.Error.Disconnected"
        /// A value or a name that no message may hold, or a reply of another shape than documented.
        public static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
        /// The object, interface or method is not there.
        public static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
        public static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
        public static let unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
        public static let unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
        public static let propertyReadOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
        /// Nobody owns the name that was called.
        public static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
        public static let noMemory = "org.freedesktop.DBus.Error.NoMemory"
        /// The task that waited was cancelled.
        public static let cancelled = "hil.Error.Cancelled"
    }

    /// A value or a name that no message may hold.
    static func invalid(_ message: String, _ action: String) -> BusError {
        BusError(name: Name.invalidArguments, message: message, action: action)
    }
}

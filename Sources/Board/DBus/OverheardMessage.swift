import HILCDBus

/// A message between others, as a monitor hears it.
package struct OverheardMessage: Sendable {
    package enum Kind: Sendable, Hashable {
        case call
        /// An answer to the call with this serial number of its destination, a result or an error.
        case reply(to: UInt32)
        case signal
    }

    package var kind: Kind
    package var serial: UInt32
    /// The unique names, such as `:1.7`; empty if there is none.
    package var sender: String
    package var destination: String
    /// Empty in a reply.
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [BusValue]

    init(_ message: BusMessage) {
        kind =
            switch message.kind {
            case DBUS_MESSAGE_TYPE_METHOD_CALL: .call
            case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR: .reply(to: message.replySerial)
            default: .signal
            }
        serial = message.serial
        sender = message.sender
        destination = message.destination
        path = message.path
        interface = message.interface
        member = message.member
        arguments = message.arguments
    }

    package init(
        _ kind: Kind, serial: UInt32 = 0, from sender: String, to destination: String = "", path: String = "",
        interface: String = "", member: String = "", _ arguments: [BusValue] = []
    ) {
        self.kind = kind
        self.serial = serial
        self.sender = sender
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}

import HILCDBus

/// A message of libdbus. It is complete before it leaves its thread, and never changes after that.
final class BusMessage: @unchecked Sendable {  // libdbus counts references atomically; after `append` it is only read.
    let raw: OpaquePointer

    /// Takes ownership of a reference.
    init(adopting raw: OpaquePointer) { self.raw = raw }

    /// Adds a reference to a message that libdbus owns.
    init(sharing raw: OpaquePointer) { self.raw = dbus_message_ref(raw) }

    deinit { dbus_message_unref(raw) }

    static func methodCall(
        _ destination: String, _ path: String, _ interface: String, _ member: String, action: String
    ) throws(BusError) -> BusMessage {
        try check(dbus_validate_bus_name(destination, nil) != 0, "\(destination) is not a valid bus name", action)
        try check(dbus_validate_path(path, nil) != 0, "\(path) is not a valid object path", action)
        try check(dbus_validate_interface(interface, nil) != 0, "\(interface) is not a valid interface name", action)
        try check(dbus_validate_member(member, nil) != 0, "\(member) is not a valid member name", action)
        return try own(dbus_message_new_method_call(destination, path, interface, member), action)
    }

    static func signal(
        _ path: String, _ interface: String, _ member: String, action: String
    ) throws(BusError) -> BusMessage {
        try check(dbus_validate_path(path, nil) != 0, "\(path) is not a valid object path", action)
        try check(dbus_validate_interface(interface, nil) != 0, "\(interface) is not a valid interface name", action)
        try check(dbus_validate_member(member, nil) != 0, "\(member) is not a valid member name", action)
        return try own(dbus_message_new_signal(path, interface, member), action)
    }

    static func reply(to call: BusMessage) throws(BusError) -> BusMessage {
        try own(dbus_message_new_method_return(call.raw), "making a reply")
    }

    static func failure(of call: BusMessage, _ name: String, _ message: String) throws(BusError) -> BusMessage {
        let action = "making an error reply"
        try check(dbus_validate_error_name(name, nil) != 0, "\(name) is not a valid error name", action)
        let text = message.utf8.contains(0) ? "" : message
        return try own(dbus_message_new_error(call.raw, name, text), action)
    }

    var kind: Int32 { dbus_message_get_type(raw) }
    var serial: UInt32 { dbus_message_get_serial(raw) }
    var replySerial: UInt32 { dbus_message_get_reply_serial(raw) }
    var expectsReply: Bool { dbus_message_get_no_reply(raw) == 0 }
    var sender: String { text(dbus_message_get_sender(raw)) }
    var destination: String { text(dbus_message_get_destination(raw)) }
    var path: String { text(dbus_message_get_path(raw)) }
    var interface: String { text(dbus_message_get_interface(raw)) }
    var member: String { text(dbus_message_get_member(raw)) }
    var errorName: String { text(dbus_message_get_error_name(raw)) }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

    private static func check(_ holds: Bool, _ message: @autoclosure () -> String, _ action: String) throws(BusError) {
        if !holds { throw .invalid(message(), action) }
    }

    private static func own(_ raw: OpaquePointer?, _ action: String) throws(BusError) -> BusMessage {
        guard let raw else { throw BusError(name: BusError.Name.noMemory, message: "", action: action) }
        return BusMessage(adopting: raw)
    }
}

import HILCDBus
import Synchronization

/// An object that this program puts on the bus.
package struct BusObject: Sendable {
    /// One interface of an object.
    package struct Interface: Sendable {
        /// Returns the current values of the properties. They are read-only over the bus.
        package var properties: @Sendable () -> [String: BusValue]
        /// The methods by name. A method must answer its call once, now or later. It runs on the connection's thread.
        package var methods: [String: @Sendable (BusCall) -> Void]

        package init(
            properties: @escaping @Sendable () -> [String: BusValue] = { [:] },
            methods: [String: @Sendable (BusCall) -> Void] = [:]
        ) {
            self.properties = properties
            self.methods = methods
        }
    }

    /// The interfaces by name. `Properties` and, if wanted, `ObjectManager` exist without an entry here. An entry for
    /// `Properties` replaces the built-in one.
    package var interfaces: [String: Interface]
    /// Whether `GetManagedObjects` lists the objects below this one.
    package var managesObjects: Bool

    package init(_ interfaces: [String: Interface], managesObjects: Bool = false) {
        self.interfaces = interfaces
        self.managesObjects = managesObjects
    }
}

/// A method call that waits for its answer. If it is dropped without an answer, the caller gets an error.
package final class BusCall: Sendable {
    private let message: BusMessage
    private let connection: BusConnection
    private let isAnswered = Atomic<Bool>(false)
    /// The arguments of the call. Check their number and types: the caller chooses them.
    package let arguments: [BusValue]

    init(_ message: BusMessage, on connection: BusConnection) {
        self.message = message
        self.connection = connection
        arguments = message.arguments
    }

    deinit { fail("org.freedesktop.DBus.Error.Failed", "the call was dropped") }

    /// The unique bus name of the caller.
    package var sender: String { message.sender }
    package var path: String { message.path }
    package var interface: String { message.interface }
    package var member: String { message.member }

    /// Answers the call. A second answer is ignored.
    package func reply(_ values: [BusValue] = []) {
        answer {
            do throws(BusError) {
                let reply = try BusMessage.reply(to: message)
                try reply.append(values, action: "replying to \(member)")
                return reply
            } catch { return try? BusMessage.failure(of: message, error.name, error.message) }
        }
    }

    /// Answers the call with an error, such as `org.bluez.Error.Rejected`. A second answer is ignored.
    package func fail(_ name: String, _ text: String = "") {
        answer { try? BusMessage.failure(of: message, name, text) }
    }

    private func answer(_ make: () -> BusMessage?) {
        guard !isAnswered.exchange(true, ordering: .relaxed), message.expectsReply else { return }
        if let reply = make() { connection.post(reply) }
    }
}

// MARK: - Finding the method

extension BusCall {
    /// Calls the object's method. Answers an unknown method with an error.
    func dispatch(to object: BusObject?) {
        guard let object else { return fail(BusError.Name.unknownObject, "there is no object \(path)") }
        switch interface {
        case "org.freedesktop.DBus.Properties" where object.interfaces[interface] == nil: answerProperties(of: object)
        case "org.freedesktop.DBus.ObjectManager" where object.managesObjects: answerManagedObjects()
        default:
            guard let method = object.interfaces[interface]?.methods[member] else {
                return fail(BusError.Name.unknownMethod, "there is no \(interface).\(member) at \(path)")
            }
            method(self)
        }
    }

    private func answerProperties(of object: BusObject) {
        guard let name = arguments.first?.asString, let interface = object.interfaces[name] else {
            return fail(BusError.Name.unknownInterface, "\(path) has no such interface")
        }
        switch member {
        case "GetAll": reply([.properties(interface.properties())])
        case "Get":
            guard arguments.count == 2, let name = arguments[1].asString, let value = interface.properties()[name]
            else { return fail(BusError.Name.unknownProperty, "\(path) has no such property") }
            reply([.variant(value)])
        case "Set": fail(BusError.Name.propertyReadOnly, "nothing can be set at \(path)")
        default: fail(BusError.Name.unknownMethod, "there is no such method")
        }
    }

    private func answerManagedObjects() {
        guard member == "GetManagedObjects" else { return fail(BusError.Name.unknownMethod, "there is no such method") }
        let objects = connection.objects(below: path).sorted { $0.key < $1.key }
        let entries = objects.map { path, object in
            let interfaces = object.interfaces.sorted { $0.key < $1.key }.map { name, interface in
                BusValue.Entry(.string(name), .properties(interface.properties()))
            }
            return BusValue.Entry(.path(path), .dictionary(key: "s", value: "a{sv}", interfaces))
        }
        reply([.dictionary(key: "o", value: "a{sa{sv}}", entries)])
    }
}

/// An object of a service on the bus, for calling it.
package struct BusProxy: Sendable {
    package let connection: BusConnection
    /// The service's bus name.
    package let service: String
    package let path: String

    package init(_ connection: BusConnection, service: String, path: String) {
        self.connection = connection
        self.service = service
        self.path = path
    }

    /// Calls a method. Errors are those of ``BusConnection/call(_:of:on:at:_:within:)``.
    @discardableResult
    package func call(
        _ member: String, of interface: String, _ arguments: [BusValue] = [], within limit: Duration
    ) async throws(BusError) -> [BusValue] {
        try await connection.call(member, of: interface, on: path, at: service, arguments, within: limit)
    }

    /// Sets a property.
    package func set(
        _ property: String, of interface: String, to value: BusValue, within limit: Duration
    ) async throws(BusError) {
        try await call(
            "Set", of: "org.freedesktop.DBus.Properties", [.string(interface), .string(property), .variant(value)],
            within: limit)
    }

    /// Reads a property.
    package func get(
        _ property: String, of interface: String, within limit: Duration
    ) async throws(BusError) -> BusValue {
        let reply = try await call(
            "Get", of: "org.freedesktop.DBus.Properties", [.string(interface), .string(property)], within: limit)
        guard let value = reply.first else {
            throw .invalid("the reply is empty", "reading \(interface).\(property) of \(path)")
        }
        return value.unwrapped
    }
}

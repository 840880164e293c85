import HILDBus
import RadioModel

/// Resolves services and hosts.
package enum ServiceResolution {
    /// Resolves a service.
    ///
    /// - Parameter interface: The kernel's number of the network interface.
    /// - Throws: ``RadioModel/RadioError/noAnswer(_:)`` if nobody has answered after 5 s.
    package static func place(of service: BonjourName, on interface: UInt32) async throws(RadioError) -> NetworkPlace {
        let bus = try Avahi.connect()
        defer { bus.close() }
        let reply: [BusValue]
        do throws(BusError) {
            reply = try await Avahi.call(
                "ResolveService",
                [
                    Avahi.interface(interface), Avahi.ipv4, .string(service.name), .string(service.type),
                    .string(Avahi.bare(service.domain)), Avahi.ipv4, Avahi.noFlags,
                ], over: bus)
        } catch { throw RadioError(avahi: error) }
        guard reply.count == 11, let address = reply[7].asString, let port = reply[8].asInt else {
            throw .rig("avahi-daemon answered with \(reply)")
        }
        return NetworkPlace(address: address, port: UInt16(truncatingIfNeeded: port))
    }

    /// Resolves a host's name, such as `lamp.local`.
    ///
    /// - Throws: ``RadioModel/RadioError/noAnswer(_:)`` if nobody has answered after 5 s.
    package static func address(ofHost name: String, on interface: UInt32) async throws(RadioError) -> String {
        let bus = try Avahi.connect()
        defer { bus.close() }
        let reply: [BusValue]
        do throws(BusError) {
            reply = try await Avahi.call(
                "ResolveHostName",
                [Avahi.interface(interface), Avahi.ipv4, .string(Avahi.bare(name)), Avahi.ipv4, Avahi.noFlags],
                over: bus)
        } catch { throw RadioError(avahi: error) }
        guard reply.count == 6, let address = reply[4].asString else {
            throw .rig("avahi-daemon answered with \(reply)")
        }
        return address
    }
}

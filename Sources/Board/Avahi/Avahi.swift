import HILDBus
import RadioModel

/// The D-Bus names of avahi-daemon, and a connection to it.
///
/// Source: Avahi 0.8, `avahi-daemon/org.freedesktop.Avahi.*.xml`, and `avahi-common/defs.h` for the numbers.
package enum Avahi {
    package static let service = "org.freedesktop.Avahi"

    enum Interface {
        static let server = "org.freedesktop.Avahi.Server"
        static let entryGroup = "org.freedesktop.Avahi.EntryGroup"
        static let serviceBrowser = "org.freedesktop.Avahi.ServiceBrowser"
        static let typeBrowser = "org.freedesktop.Avahi.ServiceTypeBrowser"
        static let serviceResolver = "org.freedesktop.Avahi.ServiceResolver"
    }

    enum ErrorName {
        static let timeout = "org.freedesktop.Avahi.TimeoutError"
        static let collision = "org.freedesktop.Avahi.CollisionError"
        static let isEmpty = "org.freedesktop.Avahi.IsEmptyError"
    }

    /// `AVAHI_PROTO_INET`: only IPv4, because no network of a rig has IPv6.
    static let ipv4 = BusValue.int32(0)
    static let noFlags = BusValue.uint32(0)
    /// How long avahi-daemon may take for an answer. It stops resolving after 5 s on its own.
    static let answerLimit = Duration.seconds(10)

    static func interface(_ index: UInt32) -> BusValue { .int32(Int32(truncatingIfNeeded: index)) }

    /// The domain as Avahi writes it: without the dot at the end.
    static func bare(_ domain: String) -> String {
        let domain = domain.hasSuffix(".") ? String(domain.dropLast()) : domain
        return domain.isEmpty ? "local" : domain
    }

    /// The domain or the host name as Apple writes it: with the dot at the end.
    static func dotted(_ domain: String) -> String { domain.hasSuffix(".") ? domain : domain + "." }

    /// Opens a separate connection. All objects that were made through it end with it.
    static func connect() throws(RadioError) -> BusConnection {
        do { return try BusConnection.system() } catch {
            throw .rig("the system bus cannot be reached: \(error)")
        }
    }

    @discardableResult
    static func call(
        _ member: String, of interface: String = Interface.server, on path: String = "/",
        _ arguments: [BusValue] = [], over bus: BusConnection
    ) async throws(BusError) -> [BusValue] {
        try await bus.call(member, of: interface, on: path, at: service, arguments, within: answerLimit)
    }
}

extension RadioError {
    /// Converts an error of avahi-daemon.
    init(avahi error: BusError) {
        switch error.name {
        case Avahi.ErrorName.timeout: self = .noAnswer(error.message)
        case BusError.Name.noReply, BusError.Name.disconnected, BusError.Name.serviceUnknown, BusError.Name.noMemory:
            self = .rig("\(error)")
        // The remaining errors refuse the arguments: a name, a type or a TXT record that no service can have.
        default: self = .invalid("\(error)")
        }
    }
}

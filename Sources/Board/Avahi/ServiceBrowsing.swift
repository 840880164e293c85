import HILDBus
import HILTiming
import RadioModel
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A search for the services of one type on a network. It ends when it is released.
///
/// If it finds nothing for a while, it also asks which other types exist. A phone does not.
package final class ServiceBrowsing: Sendable {
    private struct State {
        /// The D-Bus paths of the resolvers that follow TXT records.
        var resolvers: [BonjourName: String] = [:]
        var found: Set<BonjourName> = []
    }

    /// The most services that it reports. A device that offers more is hostile or broken.
    private static let limit = 1000
    /// How long it searches without a result before it asks for other types. A service on the network answers within a
    /// second.
    private static let patience = Duration.seconds(3)

    /// The changes, in order.
    package let changes = EventLog<BonjourChange>(keepingAtMost: 4 * limit)
    private let type: String
    private let bus: BusConnection
    private let interface: UInt32
    private let readsText: Bool
    private let state = Mutex(State())

    /// Starts the search.
    ///
    /// - Parameters:
    ///   - type: Such as `_lamp._tcp`.
    ///   - domain: Nil for `local.`.
    ///   - readsText: Whether to read and follow the TXT records.
    ///   - interface: The kernel's number of the network interface.
    package init(
        for type: String, in domain: String?, readingText readsText: Bool, on interface: UInt32
    ) async throws(RadioError) {
        self.type = type
        self.interface = interface
        self.readsText = readsText
        bus = try Avahi.connect()
        // This connection has one browser: all signals come from it, also before its path is known.
        let signals = EventLog<BusSignal>(keepingAtMost: 4 * Self.limit)
        do throws(BusError) {
            for interface in [
                Avahi.Interface.serviceBrowser, Avahi.Interface.typeBrowser, Avahi.Interface.serviceResolver,
            ] {
                try await bus.subscribe(to: BusMatch(sender: Avahi.service, interface: interface)) {
                    signals.append($0)
                }
            }
            bus.onClose { signals.finish(throwing: CancellationError()) }
            try await Avahi.call(
                "ServiceBrowserNew",
                [
                    Avahi.interface(interface), Avahi.ipv4, .string(type),
                    .string(domain.map { Avahi.bare($0) } ?? ""), Avahi.noFlags,
                ], over: bus)
        } catch {
            bus.close()
            throw RadioError(avahi: error)
        }
        Task { [weak self] in
            var next = signals.events().makeAsyncIterator()
            while let signal = try? await next.next() { await self?.take(signal) }
        }
        Task { [weak self] in
            try? await Task.sleep(for: Self.patience)
            await self?.askForOtherTypes(in: domain)
        }
    }

    private func askForOtherTypes(in domain: String?) async {
        guard state.withLock({ $0.found.isEmpty }) else { return }
        // Its results only explain a failure.
        _ = try? await Avahi.call(
            "ServiceTypeBrowserNew",
            [
                Avahi.interface(interface), Avahi.ipv4, .string(domain.map { Avahi.bare($0) } ?? ""), Avahi.noFlags,
            ], over: bus)
    }

    deinit { bus.close() }

    private func take(_ signal: BusSignal) async {
        switch signal.member {
        case "ItemNew" where signal.interface == Avahi.Interface.typeBrowser:
            // Interface, protocol, type, domain, flags.
            guard signal.arguments.count >= 3, let other = signal.arguments[2].asString, other != type,
                state.withLock({ $0.found.isEmpty })
            else { return }
            changes.append(.otherType(other))
        case "ItemRemove" where signal.interface == Avahi.Interface.typeBrowser: break
        case "ItemNew":
            guard let name = Self.name(in: signal), isNew(name) else { return }
            if readsText { await follow(name) } else { changes.append(.found(name, text: nil)) }
        case "ItemRemove":
            guard let name = Self.name(in: signal) else { return }
            let (wasFound, resolver) = state.withLock {
                ($0.found.remove(name) != nil, $0.resolvers.removeValue(forKey: name))
            }
            if let resolver {
                _ = try? await Avahi.call("Free", of: Avahi.Interface.serviceResolver, on: resolver, over: bus)
            }
            if wasFound { changes.append(.lost(name)) }
        case "Found":
            // A resolver that was just freed may still report.
            guard let name = Self.name(in: signal), state.withLock({ $0.found.contains(name) }) else { return }
            changes.append(.found(name, text: Self.text(in: signal)))
        case "Failure" where signal.interface == Avahi.Interface.serviceBrowser:
            let why = signal.arguments.first?.asString ?? "no reason"
            changes.finish(throwing: RadioError.rig("avahi-daemon ended a search: \(why)"))
        // A resolver that fails: the service is gone, or never answers.
        default: break
        }
    }

    private func isNew(_ name: BonjourName) -> Bool {
        state.withLock { $0.found.count < Self.limit && $0.found.insert(name).inserted }
    }

    /// Follows the TXT record of a service.
    private func follow(_ name: BonjourName) async {
        let reply = try? await Avahi.call(
            "ServiceResolverNew",
            [
                Avahi.interface(interface), Avahi.ipv4, .string(name.name), .string(name.type),
                .string(Avahi.bare(name.domain)), Avahi.ipv4, Avahi.noFlags,
            ], over: bus)
        if let path = reply?.first?.asString { state.withLock { $0.resolvers[name] = path } }
    }

    /// The service that a signal names: interface, protocol, name, type, domain.
    private static func name(in signal: BusSignal) -> BonjourName? {
        guard signal.arguments.count >= 5, let name = signal.arguments[2].asString,
            let type = signal.arguments[3].asString, let domain = signal.arguments[4].asString
        else { return nil }
        return BonjourName(name: name, type: type, domain: Avahi.dotted(domain))
    }

    /// The strings of the TXT record in a resolver's signal, in the order of the record.
    private static func text(in signal: BusSignal) -> [Data] {
        guard signal.arguments.count >= 10, let strings = signal.arguments[9].asArray else { return [] }
        return strings.compactMap { $0.asBytes.map { Data($0) } }
    }
}

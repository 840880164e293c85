import HILDBus
import HILTiming
import RadioModel
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A service that a board offers on one of its networks. It is withdrawn when this object is released.
package final class ServicePublication: Sendable {
    /// `AvahiEntryGroupState`.
    private enum Status: Int { case uncommitted, registering, established, collision, failure }

    /// The names under which it was registered, in order: a name that is already taken is changed.
    package let names = EventLog<String>()
    private let bus: BusConnection
    private let interface: UInt32
    private let path: String
    private let isRenamed: Bool
    private let service: Mutex<BonjourService>

    /// Starts to register a service.
    ///
    /// - Parameters:
    ///   - isRenamed: Whether a number is added to a name that is already taken; if not, the log of the names ends with
    ///     ``RadioModel/RadioError/invalid(_:)``.
    ///   - interface: The kernel's number of the network interface.
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` for a name, type or TXT record that no service can have.
    package init(_ service: BonjourService, renaming isRenamed: Bool = true, on interface: UInt32)
        async throws(RadioError)
    {
        self.interface = interface
        self.isRenamed = isRenamed
        self.service = Mutex(service)
        let bus = try Avahi.connect()
        self.bus = bus
        let states = EventLog<Int>(keepingAtMost: 100)
        do throws(BusError) {
            try await bus.subscribe(
                to: BusMatch(sender: Avahi.service, interface: Avahi.Interface.entryGroup, member: "StateChanged")
            ) { signal in
                if let state = signal.arguments.first?.asInt { states.append(state) }
            }
            bus.onClose { [names] in
                states.finish(throwing: CancellationError())
                names.finish(throwing: CancellationError())
            }
            path = try await Avahi.call("EntryGroupNew", over: bus).first?.asString ?? "/"
        } catch {
            bus.close()
            throw RadioError(avahi: error)
        }
        do { try await register() } catch {
            bus.close()
            throw error
        }
        Task { [weak self] in
            var next = states.events().makeAsyncIterator()
            while let state = try? await next.next() { await self?.take(Status(rawValue: state)) }
        }
    }

    deinit { bus.close() }

    /// Changes the TXT record.
    package func setText(_ text: [Data]) async throws(RadioError) {
        let service = service.withLock { service in
            service.text = text
            return service
        }
        do throws(BusError) {
            try await Avahi.call(
                "UpdateServiceTxt", of: Avahi.Interface.entryGroup, on: path,
                identity(of: service) + [Self.strings(text)], over: bus)
        } catch { throw RadioError(avahi: error) }
    }

    /// Adds the service, under another name if this board itself offers one of this name.
    private func register() async throws(RadioError) {
        while true {
            let service = service.withLock { $0 }
            do throws(BusError) {
                let added = identity(of: service) + [.string(""), .uint16(service.port), Self.strings(service.text)]
                // The domain stands before the host, which is this board.
                try await Avahi.call("AddService", of: Avahi.Interface.entryGroup, on: path, added, over: bus)
                try await Avahi.call("Commit", of: Avahi.Interface.entryGroup, on: path, over: bus)
                return
            } catch {
                guard error.name == Avahi.ErrorName.collision, isRenamed else { throw RadioError(avahi: error) }
                rename()
            }
        }
    }

    private func take(_ status: Status?) async {
        switch status {
        case .established: names.append(service.withLock { $0.name })
        case .collision:
            guard isRenamed else {
                return names.finish(throwing: RadioError.invalid("somebody else offers a service of this name"))
            }
            rename()
            do {
                try await Avahi.call("Reset", of: Avahi.Interface.entryGroup, on: path, over: bus)
                try await register()
            } catch { names.finish(throwing: error) }
        case .failure: names.finish(throwing: RadioError.rig("avahi-daemon could not register a service"))
        case .uncommitted, .registering, nil: break
        }
    }

    private func rename() { service.withLock { $0.name = Self.alternative(to: $0.name) } }

    /// The next name that Apple's systems try: `Lamp`, `Lamp (2)`, `Lamp (3)`.
    ///
    /// The name before the number is cut to fit into 63 bytes.
    static func alternative(to name: String) -> String {
        var base = name[...]
        var number = 1
        if name.hasSuffix(")"), let open = name.lastIndex(of: "("), open > name.startIndex,
            name[name.index(before: open)] == " ",
            let last = Int(name[name.index(after: open)..<name.index(before: name.endIndex)]), last >= 2,
            last < 1_000_000
        {
            base = name[..<name.index(before: open)]
            number = last
        }
        let suffix = " (\(number + 1))"
        while base.utf8.count + suffix.utf8.count > 63 { base.removeLast() }
        return base + suffix
    }

    private func identity(of service: BonjourService) -> [BusValue] {
        [
            Avahi.interface(interface), Avahi.ipv4, Avahi.noFlags, .string(service.name), .string(service.type),
            .string(""),
        ]
    }

    private static func strings(_ text: [Data]) -> BusValue {
        .array(of: "ay", text.map { .bytes(Array($0)) })
    }
}

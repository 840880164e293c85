import FoundationEssentials
import HILAvahi
import RadioModel

/// The services that the accessory offers and finds on its networks.
extension AccessPointBoard {
    /// Offers these services on all current and later networks of the accessory, in place of the previous ones. A
    /// service with only a changed TXT record stays.
    func offer(_ services: [BonjourService]) async throws {
        await gate.enter()
        defer { gate.leave() }
        offered = services
        for network in networks.values where network.purpose == .accessory { try await publish(on: network) }
        try await publishOnJoined()
    }

    /// Offers the accessory's services on one of its networks.
    func publish(on network: OpenNetwork) async throws {
        var before = published[network.configuration.ssid] ?? []
        var now: [(service: BonjourService, publication: ServicePublication)] = []
        // Services that are no longer offered are withdrawn first: a service may have moved to another port.
        before.removeAll { old in !offered.contains { $0.isSame(as: old.service) } }
        published[network.configuration.ssid] = before
        for service in offered {
            if let old = before.first(where: { $0.service.isSame(as: service) }) {
                if old.service.text != service.text { try await old.publication.setText(service.text) }
                now.append((service, old.publication))
            } else {
                let interface = try await searchable(network)
                now.append((service, try await ServicePublication(service, on: interface)))
            }
        }
        published[network.configuration.ssid] = now
    }

    /// Sends a request over TCP to a service on a network of the accessory, and reads the answer to its end.
    ///
    /// - Throws: ``RadioModel/RadioError/noAnswer(_:)`` if nobody offers the service, or there is no answer; `invalid`
    ///   without a network.
    func exchange(_ request: Data, with service: BonjourName) async throws -> Data {
        guard let network = networks.values.first(where: { $0.purpose == .accessory }) else {
            throw RadioError.invalid("the accessory has no network open")
        }
        let place = try await ServiceResolution.place(of: service, on: searchable(network))
        let answer =
            service.type.hasSuffix("._udp")
            ? try await UDPExchange.run(Array(request), with: place, over: network.interface, within: .seconds(10))
            : try await TCPExchange.run(
                Array(request), with: place.address, port: place.port, over: network.interface, within: .seconds(10))
        return Data(answer)
    }

    /// The kernel's number of a network's interface, once avahi-daemon runs there.
    private func searchable(_ network: OpenNetwork) async throws -> UInt32 {
        guard let radio, let stack else { throw RadioError.rig("the board's Wi-Fi is not powered") }
        try await multicastDNS.start(on: AccessPointBoard.interfaces(of: radio))
        guard let interface = try await stack.interfaces().first(where: { $0.name == network.interface }) else {
            throw RadioError.rig("the board has no interface \(network.interface)")
        }
        return interface.index
    }
}

extension BonjourService {
    /// Whether both differ at most in their TXT records.
    fileprivate func isSame(as other: BonjourService) -> Bool {
        name == other.name && type == other.type && port == other.port
    }
}

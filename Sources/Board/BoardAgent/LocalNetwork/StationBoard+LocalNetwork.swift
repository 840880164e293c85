import BoardProtocol
import FoundationEssentials
import HILAvahi
import HILWiFi
import RadioModel

/// Services, names and incoming connections on the network that the phone has joined.
extension StationBoard {
    nonisolated func perform(_ command: LocalNetworkCommand) async throws -> BoardResult {
        switch command {
        case .browse(let type, let domain, let readsText):
            let interface = try await searchable()
            let browsing = try await ServiceBrowsing(
                for: type, in: domain, readingText: readsText, on: interface.index)
            return .number(try services.add(browsing))
        case .nextChanges(let number): return .localNetwork(.changes(try await services.changes(of: number)))
        case .endBrowsing(let number): services.endBrowsing(number)
        case .resolve(let name):
            return .localNetwork(.place(try await ServiceResolution.place(of: name, on: searchable().index)))
        case .resolveHost(let host):
            let address = try await ServiceResolution.address(ofHost: host, on: searchable().index)
            return .localNetwork(.place(NetworkPlace(address: address, port: 0)))
        case .publish(let service, let isRenamed):
            let interface = try await searchable()
            return .number(
                try services.add(await ServicePublication(service, renaming: isRenamed, on: interface.index)))
        case .registeredName(let number, let known):
            let names = try services.offered(number).names
            return .localNetwork(.name(try await names.first(from: known).event))
        case .setText(let number, let text): try await services.offered(number).setText(text)
        case .withdraw(let number): services.withdraw(number)
        case .listen(let port, let transport):
            let listener = try services.listen(at: port, by: transport, of: await ownInterface().name)
            return .localNetwork(.listener(listener.number, port: listener.port))
        case .accept(let number):
            let socket = try await services.connection(to: number)
            let peer = socket.peer
            return .localNetwork(.accepted(try streams.accept(socket), from: peer))
        case .stopListening(let number): services.stopListening(number)
        }
        return .done
    }

    /// The interface, once avahi-daemon runs there.
    private nonisolated func searchable() async throws -> WirelessInterface {
        let interface = try await ownInterface()
        try await multicastDNS.start(on: [interface.name])
        return interface
    }

    /// The interface of the phone's Wi-Fi, also while it is on no network.
    private func ownInterface() throws(RadioError) -> WirelessInterface {
        guard let interface else { throw .rig("the board's Wi-Fi is not powered") }
        return interface
    }
}

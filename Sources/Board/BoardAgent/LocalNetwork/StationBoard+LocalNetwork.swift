import BoardProtocol
import FoundationEssentials
import HILAvahi
import HILPOSIX
import HILWiFi
import RadioModel

/// Services, names and incoming connections on the network that the phone has joined.
extension StationBoard {
    nonisolated func perform(_ call: LocalNetworkCall) async throws -> Answer {
        switch call {
        case .browse(let type, let domain, let readsText, let reply):
            let interface = try await searchable()
            let browsing = try await ServiceBrowsing(
                for: type, in: domain, readingText: readsText, on: interface.index)
            return reply(try services.add(browsing))
        case .nextChanges(let number, let reply): return reply(try await services.changes(of: number))
        case .endBrowsing(let number, let reply):
            services.endBrowsing(number)
            return reply()
        case .resolve(let name, let reply):
            return reply(try await ServiceResolution.place(of: name, on: searchable().index))
        case .resolveHost(let host, let reply):
            let address = try await ServiceResolution.address(ofHost: host, on: searchable().index)
            return reply(NetworkPlace(address: address, port: 0))
        case .publish(let service, let isRenamed, let reply):
            let interface = try await searchable()
            return reply(
                try services.add(await ServicePublication(service, renaming: isRenamed, on: interface.index)))
        case .registeredName(let number, let known, let reply):
            let names = try services.offered(number).names
            return reply(try await names.first(from: known).event)
        case .setText(let number, let text, let reply):
            try await services.offered(number).setText(text)
            return reply()
        case .withdraw(let number, let reply):
            services.withdraw(number)
            return reply()
        case .listen(let port, let transport, let reply):
            let listener = try services.listen(at: port, by: transport, of: await ownInterface().name)
            return reply(OpenListener(number: listener.number, port: listener.port))
        case .accept(let number, let reply):
            let socket = try await services.connection(to: number)
            let peer = socket.peer
            return reply(AcceptedStream(number: try streams.accept(socket), peer: peer))
        case .stopListening(let number, let reply):
            services.stopListening(number)
            return reply()
        }
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

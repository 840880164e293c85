import BoardProtocol
import HILAvahi
import HILTiming
import RadioModel

/// The network of others that an accessory has joined, with the one radio of its board.
struct JoinedNetwork: Sendable {
    let credentials: WiFiCredentials
    let station: StationBoard
    var link: WiFiLink?
    /// The object that serves the accessory's ports there.
    var services: (any Sendable)?
    var published: [(service: BonjourService, publication: ServicePublication)] = []
    /// Looks for the network after it was lost.
    var search: Task<Void, Never>?
}

/// Joining networks of others.
extension AccessPointBoard {
    /// How long an accessory waits between two searches for a network that it has lost, as common firmware does.
    private static let searchInterval = Duration.seconds(1)

    /// Joins a network, and gets an address there. The accessory then serves on it, as on its own networks. It joins
    /// again by itself after a loss, until it leaves.
    func join(_ credentials: WiFiCredentials) async throws -> WiFiLink {
        await gate.enter()
        defer { gate.leave() }
        try requireFreeRadio(to: "joins another")
        await leaveNow()
        let station = makeStation()
        joined = JoinedNetwork(credentials: credentials, station: station)
        do {
            try await station.start()
            _ = try await station.power()
            return try await enter(station)
        } catch {
            await Task {
                await self.explain(error, credentials.ssid, station)
                await self.leaveNow()
            }.value
            throw error
        }
    }

    /// Says which network the accessory cannot hear, if that is why it did not join: with a radio that knows every band
    /// it would have heard it.
    private func explain(_ error: any Error, _ ssid: String, _ station: StationBoard) async {
        guard case RadioError.networkNotFound = error, bands != .all else { return }
        let others = Set<WiFiBand>.all.subtracting(bands).heard(of: channelsInUse())
        guard let heard = try? await station.scan(on: others),
            let network = heard.first(where: { NetworkName.areEqual($0.ssid, ssid) })
        else { return }
        surroundings.accessory()?.take(.unheardNetwork(ssid: ssid, frequency: network.frequency))
    }

    /// The networks of others that the accessory hears now, strongest first.
    func scan() async throws -> [WiFiNetwork] {
        await gate.enter()
        defer { gate.leave() }
        try requireFreeRadio(to: "looks for others")
        if let joined { return try await joined.station.scan() }
        let station = makeStation()
        do {
            try await station.start()
            _ = try await station.power()
            let heard = try await station.scan()
            await station.stop()
            return heard
        } catch {
            await Task { await station.stop() }.value
            throw error
        }
    }

    /// - Parameter purpose: What the accessory needs the radio for, after “before the accessory”.
    private func requireFreeRadio(to purpose: String) throws(RadioError) {
        if let other = networks.values.first(where: { $0.purpose == .accessory }) {
            throw .invalid(
                "the one radio of the board has the network “\(other.configuration.ssid)”: close it before the "
                    + "accessory \(purpose)")
        }
        guard isDaemonThere else {
            throw .invalid("the board's Wi-Fi belongs to the program: it owns hostapd or wpa_supplicant")
        }
    }

    /// Leaves the joined network, and does not look for it again. Does nothing if there is none.
    func leave() async {
        await gate.enter()
        defer { gate.leave() }
        await leaveNow()
    }

    func leaveNow() async {
        guard let left = joined else { return }
        joined = nil
        left.search?.cancel()
        try? await left.station.leave()
        await left.station.stop()
    }

    /// Joins the network that the accessory wants, and serves there.
    private func enter(_ station: StationBoard) async throws -> WiFiLink {
        guard let credentials = joined?.credentials else { throw RadioError.notConnected }
        let link = try await station.join(credentials)
        let accessory = surroundings.accessory()
        joined?.services = try accessory?.serve(on: link.address)
        joined?.link = link
        try await publishOnJoined()
        accessory?.take(.joinedNetwork(ssid: link.ssid))
        return link
    }

    private func makeStation() -> StationBoard {
        StationBoard(
            folder: surroundings.folder, journal: surroundings.journal, interfaceName: radio?.name,
            channelsInUse: { [channelsInUse, bands] in bands.heard(of: channelsInUse()) }
        ) { [weak self, surroundings] event in
            switch event {
            case .radio(.wifiLost(let ssid, let reason)):
                surroundings.journal.write("the accessory lost the network “\(ssid)”: \(reason)", from: "agent")
                Task { [weak self] in await self?.loseJoined(ssid) }
            case .radio: break
            default: surroundings.emit(event)
            }
        }
    }

    private func loseJoined(_ ssid: String) async {
        await gate.enter()
        defer { gate.leave() }
        guard let lost = joined, lost.link != nil else { return }
        joined?.link = nil
        joined?.services = nil
        joined?.published = []
        surroundings.accessory()?.take(.lostNetwork(ssid: ssid))
        joined?.search = Task { [weak self, station = lost.station] in
            while !Task.isCancelled, await self?.findAgain(station) == false {
                try? await ContinuousClock().sleep(for: AccessPointBoard.searchInterval)
            }
        }
    }

    /// - Returns: Whether the search is over.
    private func findAgain(_ station: StationBoard) async -> Bool {
        await gate.enter()
        defer { gate.leave() }
        guard joined?.station === station, joined?.link == nil else { return true }
        // To join at once would keep the radio busy on every channel while the network is away.
        guard let ssid = joined?.credentials.ssid, let heard = try? await station.scan(),
            heard.contains(where: { NetworkName.areEqual($0.ssid, ssid) })
        else { return false }
        return (try? await enter(station)) != nil
    }

    // MARK: - Services

    /// Offers the accessory's services on the joined network.
    func publishOnJoined() async throws {
        guard joined?.link != nil, let stack, let radio else { return }
        // Withdrawn first: a service may have moved to another port.
        let before = joined?.published ?? []
        let kept = before.filter { offered.contains($0.service) }
        joined?.published = kept
        try await multicastDNS.start(on: AccessPointBoard.interfaces(of: radio))
        guard let interface = try await stack.interfaces().first(where: { $0.name == radio.name }) else { return }
        for service in offered where !kept.contains(where: { $0.service == service }) {
            let publication = try await ServicePublication(service, on: interface.index)
            joined?.published.append((service, publication))
        }
    }
}

import BoardProtocol
import RadioModel
import RigModel

/// An accessory that a stranger reaches in a network, as any other station of it does.
struct ReachedAccessory: Sendable {
    let stranger: WiFiStranger
    /// Its IPv4 address.
    let address: String
    /// The name of the network.
    let ssid: String
    /// Whether the network is its own.
    let isOwnNetwork: Bool

    /// The UDP ports that are asked: services that devices often forget.
    static let udpPorts: [UInt16] = [53, 67, 69, 123, 137, 161, 500, 1900, 3702, 5353, 5683]
    /// Nobody serves this one.
    private static let unusedPort: UInt16 = 40_125
    private static let scanLimit = Duration.seconds(240)

    /// All TCP ports that accept a connection.
    ///
    /// - Parameter note: Takes a sentence about what could not be asked.
    func openTCP(_ note: @Sendable (String) async -> Void) async throws -> [UInt16] {
        let low = try await askTCP(1...1024)
        guard low.refused > 0 else {
            await note("it refuses no connection, so only TCP ports up to 1024 were asked")
            return low.open
        }
        return low.open + (try await askTCP(1025...65535)).open
    }

    private func askTCP(_ ports: ClosedRange<UInt16>) async throws -> PortAnswers {
        try await stranger.ask(
            PortQuestion(address, .tcp, ports: [ports], milliseconds: 1000), within: Self.scanLimit)
    }

    /// Those of some TCP ports that accept a connection.
    func openTCP(among ports: Set<UInt16>) async throws -> [UInt16] {
        let question = PortQuestion(address, .tcp, ports: ports.sorted().map { $0...$0 }, milliseconds: 3000)
        return try await stranger.ask(question, within: Self.scanLimit).open
    }

    /// The UDP ports that do not refuse a datagram; nil if not even a port that nobody has refuses one.
    func openUDP() async throws -> [UInt16]? {
        var silent = Self.udpPorts + [Self.unusedPort]
        // Linux refuses six at once, and then one in a second: as long as some refuse, others may do so later.
        while !silent.isEmpty {
            let question = PortQuestion(
                address, .udp, ports: silent.map { $0...$0 }, milliseconds: 1100)
            let answers = try await stranger.ask(question, within: .seconds(30))
            let open = answers.open
            silent = answers.silent + open
            if answers.refused == 0 || answers.silent.isEmpty { break }
        }
        return silent.contains(Self.unusedPort) ? nil : silent.sorted()
    }
}

extension AuditScene {
    /// The places where strangers reach the accessory by IP: in its own network as guests, and in the home's as another
    /// device there.
    func reachedByIP() async throws -> [ReachedAccessory] {
        var places: [ReachedAccessory] = []
        if let credentials = try await guestCredentials() {
            let stranger = try await appearOnWiFi()
            let link = try await stranger.join(credentials)
            places.append(
                ReachedAccessory(
                    stranger: stranger, address: link.router, ssid: link.ssid, isOwnNetwork: true))
        }
        let home = lab.homeNetwork
        if home.wasOpened, let address = try await homeAddress() {
            let stranger = try await appearOnWiFi()
            let passphrase = home.security == .open ? nil : home.passphrase
            let link = try await stranger.join(
                WiFiCredentials(ssid: home.ssid, security: home.security, passphrase: passphrase))
            places.append(
                ReachedAccessory(stranger: stranger, address: address, ssid: link.ssid, isOwnNetwork: false))
        }
        for place in places { note("a stranger is in “\(place.ssid)”, where the accessory has \(place.address)") }
        return places
    }

    /// The accessory's address in the home's network; nil if it never got one.
    func homeAddress() async throws -> String? {
        guard let radio = try await accessoryRadio() else { return nil }
        return lab.homeNetwork.events.events.compactMap { event -> String? in
            guard case .gaveAddress(let address, let station) = event, station == radio else { return nil }
            return address
        }.last
    }
}

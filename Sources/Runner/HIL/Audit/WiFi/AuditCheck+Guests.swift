import BoardProtocol
import HILTiming
import RadioModel
import RigModel

// Who gets into the accessory's own network, and what guests of it reach.
extension AuditCheck {
    /// How many passphrases a stranger tries at the access point. SAE refuses at once, WPA2 after seconds.
    private static func attempts(at network: HeardNetwork) -> Int { network.security == .wpa3 ? 60 : 6 }

    static let guests = [
        AuditCheck("wifi.passphrase", .setUp) { scene in
            let networks = try await scene.ownNetworks().filter { $0.hasPassphrase }
            guard !networks.isEmpty else { return .doesNotApply("no network of its own has a passphrase") }
            let capture = try await scene.capture()
            var guesses = PassphraseGuesses(from: capture, networks)
            for value in try await scene.openValues() { guesses.add(value) }
            let handshakes = FourWayHandshake.all(in: capture)
            scene.note("it was not reset: whether its passphrase changes then was not looked at")
            for network in networks {
                let heard = handshakes.first { $0.accessPoint == network.bssid }
                let found =
                    if let heard {
                        scene.found(among: guesses, by: heard, of: network)
                    } else {
                        try await scene.found(among: guesses.all.prefix(attempts(at: network)), byJoining: network)
                    }
                if let found {
                    return .breached(
                        "the passphrase of its network “\(network.ssid)” is \(found), which a stranger guessed")
                }
            }
            return .holds
        },
        AuditCheck("wifi.isolation", .setUp) { scene in
            guard let credentials = try await scene.guestCredentials() else {
                return .doesNotApply("it has no network of its own that the phone was on")
            }
            let (first, second) = (try await scene.appearOnWiFi(), try await scene.appearOnWiFi())
            let links = (try await first.join(credentials), try await second.join(credentials))
            // A port that nobody has: the station itself refuses it if it is reached.
            let question = PortQuestion(links.1.address, .tcp, ports: [9...9], milliseconds: 3000)
            let answers = try await first.ask(question, within: .seconds(20))
            scene.note(
                "two strangers joined “\(credentials.ssid)” as guests, as \(links.0.address) and \(links.1.address); "
                    + (answers.silent.isEmpty ? "one answered the other" : "nothing came from one to the other"))
            guard answers.silent.isEmpty else { return .holds }
            return .breached("stations of its network “\(credentials.ssid)” reach each other")
        },
    ]
}

extension AuditScene {
    /// What a guest of the accessory's own network knows: what the phone joined it with. An open network needs nothing.
    func guestCredentials() async throws -> WiFiCredentials? {
        let networks = try await ownNetworks()
        if let open = networks.first(where: { $0.security == .open && !$0.ssid.isEmpty }) {
            return WiFiCredentials(ssid: open.ssid, security: .open)
        }
        return lab.phone.network.credentials.last { known in
            networks.contains { NetworkName.areEqual($0.ssid, known.ssid) }
        }
    }

    /// What anybody reads of its characteristics who is near, without a key.
    func openValues() async throws -> [[UInt8]] {
        let stranger = try await appear()
        guard let heard = try await hear(by: stranger) else {
            await stranger.leave()
            return []
        }
        let device = heard.device.address
        try await stranger.connect(to: device)
        var values: [[UInt8]] = []
        for value in try await AttributeMap.read(of: device, by: stranger).values where value.isReadable {
            if case .readResponse(let bytes) = try await stranger.request(
                .readRequest(handle: value.handle), of: device)
            {
                values.append(bytes)
            }
        }
        await stranger.leave()
        note("a stranger read \(values.count) values without a key")
        return values
    }

    /// The passphrase that a station has used in a handshake, if it is one of the guesses.
    func found(
        among guesses: PassphraseGuesses, by handshake: FourWayHandshake, of network: HeardNetwork
    ) -> String? {
        let all = guesses.all
        let found = all.first { handshake.used($0, ssid: network.ssid) }
        note(
            "\(all.count) passphrases were tried on the handshake of \(handshake.station) with “\(network.ssid)”: "
                + (found == nil ? "none of them fits" : "one of them fits"))
        return found
    }

    /// The passphrase with which a stranger could join, if it is one of the guesses.
    func found(among guesses: some Collection<String>, byJoining network: HeardNetwork) async throws -> String? {
        guard let security = network.security else { return nil }
        let stranger = try await appearOnWiFi()
        for guess in guesses {
            let credentials = WiFiCredentials(ssid: network.ssid, security: security, passphrase: guess)
            do {
                _ = try await stranger.join(credentials)
                note("a stranger joined “\(network.ssid)” with \(guess)")
                return guess
            } catch RadioError.wrongPassphrase { continue }
        }
        note("\(guesses.count) passphrases were refused by “\(network.ssid)”")
        return nil
    }
}

extension HeardNetwork {
    /// Whether a passphrase leads into it.
    var hasPassphrase: Bool {
        switch security {
        case .wpa1?, .wpa1wpa2?, .wpa2?, .wpa2wpa3?, .wpa3?: true
        case .open?, .enhancedOpen?, .wpa2Enterprise?, nil: false
        }
    }
}

extension PassphraseGuesses {
    /// What follows from everything that the accessory shows: its networks, and the advertisements of its controllers.
    init(from capture: [UInt8], _ networks: [HeardNetwork]) {
        for network in networks {
            add(network.ssid)
            add(network.bssid)
        }
        for data in AdvertisingData.all(byAccessoriesIn: capture) { add(data) }
    }
}

extension AdvertisingData {
    /// The advertisements and scan responses that the accessories' hosts gave their controllers.
    static func all(byAccessoriesIn capture: [UInt8]) -> [AdvertisingData] {
        let interfaces = PcapNGPackets.interfaces(in: capture)
        return PcapNGPackets(capture).compactMap { packet in
            let index = Int(packet.interface)
            guard interfaces.indices.contains(index), interfaces[index].hasPrefix("accessory-hci") else { return nil }
            return HCIPacket(captured: Array(packet.bytes))?.advertisingData.map { AdvertisingData(decoding: $0) }
        }
    }
}

extension HCIPacket {
    /// The data of an advertisement or a scan response that a host gives its controller.
    ///
    /// Source: Core Specification 6.0, Vol 4, Part E, 7.8.7, 7.8.8, 7.8.54 and 7.8.55.
    var advertisingData: [UInt8]? {
        guard case .command(let code, let parameters) = self else { return nil }
        let head: Int
        switch code {
        case 0x2008, 0x2009: head = 0
        // Set, operation, preference. Data in several pieces is read by the piece.
        case 0x2037, 0x2038: head = 3
        default: return nil
        }
        guard parameters.count > head else { return nil }
        return Array(parameters.dropFirst(head + 1).prefix(Int(parameters[head])))
    }
}

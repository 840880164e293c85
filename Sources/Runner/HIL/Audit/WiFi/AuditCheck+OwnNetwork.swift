import RadioModel

// The accessory's own network, as its beacons and probe responses announce it.
extension AuditCheck {
    static let wifi = ownNetwork + guests + home + services + certificates + replay

    private static let ownNetwork = [
        announcement("wifi.open") { network in
            guard network.security == .open else { return .holds }
            return .breached("its network “\(network.ssid)” is open: anybody reads and joins it")
        },
        announcement("wifi.security") { network in
            if network.security == .open { return .doesNotApply("its network is open") }
            if network.elements.usesWEP { return .breached("its network “\(network.ssid)” takes WEP") }
            if network.elements.usesTKIP { return .breached("its network “\(network.ssid)” takes TKIP") }
            switch network.security {
            case .wpa1?, .wpa1wpa2?: return .breached("its network “\(network.ssid)” takes the first WPA")
            case nil: return .breached("its network “\(network.ssid)” has WEP, or nothing that is known")
            case .open?, .enhancedOpen?, .wpa2?, .wpa2wpa3?, .wpa3?, .wpa2Enterprise?: return .holds
            }
        },
        announcement("wifi.protectedFrames") { network in
            if network.security == .open { return .doesNotApply("its network is open") }
            guard network.elements.managementProtection == .none else { return .holds }
            return .breached(
                "anybody can send stations of its network “\(network.ssid)” away: management frames are not protected")
        },
        announcement("wifi.wps") { network in
            guard network.elements.hasWPS else { return .holds }
            return .breached("its network “\(network.ssid)” offers Wi-Fi Protected Setup")
        },
    ]

    /// A check of each network that the accessory announces. One breach is enough.
    private static func announcement(
        _ control: String, _ judge: @escaping @Sendable (HeardNetwork) -> AuditFinding
    ) -> AuditCheck {
        AuditCheck(control, .setUp) { scene in
            let networks = try await scene.ownNetworks()
            guard !networks.isEmpty else { return .doesNotApply("it has no network of its own") }
            let findings = networks.map(judge)
            for finding in findings { if case .breached = finding { return finding } }
            for finding in findings { if case .holds = finding { return finding } }
            return findings[0]
        }
    }
}

extension AuditScene {
    /// The networks of the accessory that were on the air so far, which are noted.
    func ownNetworks() async throws -> [HeardNetwork] {
        guard let radio = try await accessoryRadio() else { return [] }
        let networks = HeardNetwork.all(in: try await capture(), of: radio)
        for network in networks { note("on the air: \(network), from \(network.bssid)") }
        return networks
    }

    /// The address of the accessory board's Wi-Fi; nil if it has none.
    func accessoryRadio() async throws -> DeviceAddress? {
        try await lab.rig.connection.accessory.ask { .system(.powerRadios($0)) }.wifi
    }

    /// The packets so far.
    func capture() async throws -> [UInt8] {
        let connection = lab.rig.connection
        return try await connection.facet(connection.capture, .capture, lab.recorder).soFar()
    }
}

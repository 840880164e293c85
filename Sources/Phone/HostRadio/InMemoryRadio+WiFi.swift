import BoardProtocol
import Foundation
import RadioModel

/// Wi-Fi and Wi-Fi Aware of the in-memory radio.
extension InMemoryRadio {
    package func discoverWiFiAware(_ isOn: Bool) async throws {
        let heard = try state.withLock { state in
            guard state.hasWiFiAware else { throw RadioError.unsupported("this radio has no Wi-Fi Aware") }
            state.isDiscoveringAware = isOn
            return isOn ? state.awareServices : []
        }
        for service in heard { continuation.yield(.wifiAware(service)) }
    }

    package func setWiFiPower(_ isOn: Bool) async throws {
        state.withLock { state in
            state.isWiFiPowered = isOn
            if !isOn { state.link = nil }
        }
        continuation.yield(.wifiPower(isOn))
    }

    /// Simulates a broken rig: from now on, Wi-Fi can neither scan nor exchange data.
    package func breakWiFi(_ fault: String) { state.withLock { $0.wifiFault = .rig(fault) } }

    package func scanWiFi(forHidden ssid: String?) async throws -> [WiFiNetwork] {
        try state.withLock { state in
            if let fault = state.wifiFault { throw fault }
            guard state.isWiFiPowered else { throw RadioError.wifiOff }
            return state.networks.map { known in
                var heard = known.network
                if known.isHidden, !NetworkName.areEqual(heard.ssid, ssid) { heard.ssid = "" }
                return heard
            }
        }
    }

    package func joinWiFi(_ credentials: WiFiCredentials) async throws -> WiFiLink {
        try state.withLock { state in
            guard state.isWiFiPowered else { throw RadioError.wifiOff }
            let ssid = credentials.ssid
            guard
                let peer = state.networks.first(where: {
                    NetworkName.areEqual($0.network.ssid, ssid) && $0.network.encoding == credentials.encoding
                })
            else {
                throw RadioError.networkNotFound(ssid: ssid)
            }
            guard peer.passphrase == credentials.passphrase else { throw RadioError.wrongPassphrase(ssid: ssid) }
            guard peer.password == credentials.login?.password else {
                throw RadioError.associationFailed(ssid: ssid, reason: "the server refused the login")
            }
            guard peer.givesAddress else { throw RadioError.noAddress(ssid: ssid) }
            let keyManagement =
                switch peer.network.security {
                case .open: "NONE"
                case .enhancedOpen: "OWE"
                case .wpa1: "WPA-PSK"
                case .wpa2, .wpa1wpa2: "WPA2-PSK"
                // WPA2 where a mixed network has no protected management frames.
                case .wpa3, .wpa2wpa3: credentials.security == .wpa2 ? "WPA2-PSK" : "SAE"
                case .wpa2Enterprise: "WPA2/IEEE 802.1X/EAP"
                }
            let link = WiFiLink(
                ssid: ssid, bssid: peer.network.bssid, keyManagement: keyManagement, address: "192.0.2.2",
                router: "192.0.2.1")
            state.link = link
            return link
        }
    }

    package func leaveWiFi() async throws { state.withLock { $0.link = nil } }

    package func exchange(_ request: Data, with address: String, port: UInt16) async throws -> Data {
        let peer = try state.withLock { state in
            if let fault = state.wifiFault { throw fault }
            return state.networks.first { $0.network.ssid == state.link?.ssid && state.link?.router == address }
        }
        guard let answer = peer?.onRequest else { throw RadioError.noAnswer(address) }
        return answer(request)
    }

    package func openStream(
        to address: String, port: UInt16, by transport: InternetTransport
    ) async throws -> any RadioStream {
        let stream = InMemoryStream(port: port, by: transport)
        let (isRouter, network) = try state.withLock { state -> (Bool, Network?) in
            guard let link = state.link else { throw RadioError.notConnected }
            let network = state.networks.first { $0.network.ssid == link.ssid }
            guard link.router == address || network?.internet?.address == address else {
                throw RadioError.streamFailed(code: EHOSTUNREACH, reason: "no host has the address \(address)")
            }
            state.streams.append(stream)
            return (link.router == address, network)
        }
        await network?.beforeStream?()
        let refusal = RadioError.streamFailed(code: ECONNREFUSED, reason: "\(address):\(port) accepts no connections")
        if isRouter {
            guard let accept = network?.onStream else { throw refusal }
            accept(stream)
        } else if network?.internet?.accept(stream) != true {
            throw refusal
        }
        return stream
    }
}

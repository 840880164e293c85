import BoardProtocol
import Foundation
import HILTLS
import HILTiming
import RadioModel

// The servers of the accessory.
extension AuditCheck {
    /// Where servers often speak TLS.
    private static let tlsPorts: Set<UInt16> = [443, 465, 636, 853, 993, 4433, 5223, 8443, 8883, 9443]

    static let services = [
        AuditCheck("wifi.services", .setUp) { scene in
            let places = try await scene.reachedByIP()
            guard !places.isEmpty else { return .doesNotApply("it is in no network that others are in") }
            for place in places {
                let open = try await scene.openPorts(at: place)
                let meant = scene.expectations.ports.union(place.isOwnNetwork ? [.udp(67)] : [])
                let more = open.filter { !meant.contains($0) }.map(\.description)
                guard more.isEmpty else {
                    return .breached(
                        "in “\(place.ssid)” it opens \(more.joined(separator: ", ")), which the team does not name")
                }
            }
            return .holds
        },
        AuditCheck("wifi.tls", .setUp) { scene in
            let places = try await scene.reachedByIP()
            guard !places.isEmpty else { return .doesNotApply("it is in no network that others are in") }
            let named = scene.expectations.ports.filter { $0.transport == .tcp }.map(\.number)
            var speaks = false
            for place in places {
                for port in try await place.openTCP(among: tlsPorts.union(named)) {
                    let versions = try await scene.versions(of: port, at: place)
                    if let old = versions.first(where: { $0.isOld }) {
                        return .breached("its port \(port) takes \(old)")
                    }
                    speaks = speaks || !versions.isEmpty
                }
            }
            return speaks ? .holds : .doesNotApply("none of its ports speaks TLS")
        },
    ]
}

extension AuditScene {
    /// The ports that are open at a place, which are noted.
    func openPorts(at place: ReachedAccessory) async throws -> [AuditExpectations.Port] {
        let tcp = try await place.openTCP { await self.note($0) }.map(AuditExpectations.Port.tcp)
        let udp = try await place.openUDP()
        if udp == nil { note("it refuses no datagram, so that its UDP ports tell nothing") }
        let open = (tcp + (udp ?? []).map(AuditExpectations.Port.udp)).sorted()
        note(
            "of all TCP ports and \(ReachedAccessory.udpPorts.count) UDP ports, \(open.isEmpty ? "none" : open.map(\.description).joined(separator: ", ")) may be open in “\(place.ssid)”"
        )
        return open
    }

    /// The versions of TLS that a port takes, which are noted.
    func versions(of port: UInt16, at place: ReachedAccessory) async throws -> [TLSVersion] {
        var taken: [TLSVersion] = []
        // A server that speaks something else would let each version wait.
        let speaks = try await place.stranger.speaksTLS(.v1_0, to: .v1_3, with: place.address, port: port)
        for version in speaks ? [TLSVersion.v1_0, .v1_1, .v1_2, .v1_3] : [] {
            if try await place.stranger.speaksTLS(version, to: version, with: place.address, port: port) {
                taken.append(version)
            }
        }
        note("TCP \(port) takes \(taken.isEmpty ? "no TLS" : taken.map(\.description).joined(separator: ", "))")
        return taken
    }
}

extension WiFiStranger {
    /// How long a server may take for a handshake.
    private static let handshakeLimit = Duration.seconds(4)

    /// Whether a server takes one of these versions of TLS, with any certificate.
    func speaksTLS(
        _ oldest: TLSVersion, to newest: TLSVersion, with address: String, port: UInt16
    ) async throws -> Bool {
        let stream = try await StrangersStream.open(to: address, port: port, by: self)
        var options = TLSSession.Options()
        (options.minimum, options.maximum) = (oldest, newest)
        var isTaken = false
        do {
            _ = try await withDeadline(Self.handshakeLimit, waitingFor: "a TLS handshake") { [options] in
                try await TLSStream.open(.client(serverName: nil), options, over: stream) { _, _ in true }
            }
            isTaken = true
        } catch is TLSFailure {
        } catch is TimedOut {
        } catch RadioError.streamFailed {
            // The server has cut the connection.
        }
        await stream.close()
        return isTaken
    }
}

import HILAudit
import HILTiming
import RadioModel

// What the services of the accessory survive.
extension AuditCheck {
    /// How many messages a port gets at most, and how long all ports take together.
    private static let messages = (count: 400, limit: Duration.seconds(50))
    /// Where devices often have services, beside those that the team names.
    private static let usualPorts: Set<UInt16> = [22, 23, 53, 80, 443, 554, 1883, 5000, 8000, 8080, 8443, 8883]

    static let ports = [
        AuditCheck("robustness.ports", .setUp) { scene in
            let places = try await scene.reachedByIP()
            guard !places.isEmpty else { return .doesNotApply("it is in no network that others are in") }
            scene.watchTroubles()
            scene.record(seed: scene.order.seed)
            var services: [(port: AuditExpectations.Port, place: ReachedAccessory)] = []
            for place in places {
                services += try await scene.services(at: place, among: usualPorts).map { ($0, place) }
            }
            guard !services.isEmpty else { return .doesNotApply("it has no DHCP, DNS or HTTP server") }
            let limit = messages.limit / services.count
            for (port, place) in services {
                let bytes = AttackMessage(ofPort: port.number).bytes(
                    min(scene.order.count, messages.count), seed: scene.order.seed)
                if let what = try await scene.send(bytes, to: port, at: place, within: limit) {
                    return scene.lose(what)
                }
            }
            return .holds
        }
    ]
}

extension AuditScene {
    /// The services at a place: TCP ports that are open, and the UDP ports that the team names, or that gives addresses.
    fileprivate func services(
        at place: ReachedAccessory, among usual: Set<UInt16>
    ) async throws -> [AuditExpectations.Port] {
        let named = expectations.ports
        let tcp = named.filter { $0.transport == .tcp }.map(\.number)
        let open = try await place.openTCP(among: usual.union(tcp)).map(AuditExpectations.Port.tcp)
        let udp = named.filter { $0.transport == .udp }.union(place.isOwnNetwork ? [.udp(53), .udp(67)] : [])
        return (open + udp).sorted()
    }

    /// Sends messages to a port, each on a connection of its own, and looks whether it lives.
    ///
    /// - Returns: What it no longer does; nil if it lives.
    fileprivate func send(
        _ messages: [[UInt8]], to port: AuditExpectations.Port, at place: ReachedAccessory, within limit: Duration
    ) async throws -> String? {
        let end = ContinuousClock.now + limit
        var (sent, lives) = (0, true)
        for message in messages where ContinuousClock.now < end {
            let isTaken = try await place.stranger.send(message, to: port, at: place.address)
            sent += 1
            if !isTaken { lives = try await takesConnections(port, at: place) }
            if !lives || trouble != nil { break }
        }
        note("\(sent) messages were sent to \(port) in “\(place.ssid)”")
        if lives { lives = try await takesConnections(port, at: place) }
        guard trouble != nil || !lives else { return nil }
        return "\(trouble ?? "it takes no connection to \(port) any more"), after \(sent) messages to \(port)"
    }

    /// Whether a TCP port takes a connection; true for UDP, where nobody can tell.
    private func takesConnections(_ port: AuditExpectations.Port, at place: ReachedAccessory) async throws -> Bool {
        guard port.transport == .tcp else { return true }
        return try await place.openTCP(among: [port.number]).contains(port.number)
    }
}

extension WiFiStranger {
    /// Sends a message, and lets the service answer.
    ///
    /// - Returns: Whether it was sent: the service may refuse the connection, or cut it.
    fileprivate func send(
        _ message: [UInt8], to port: AuditExpectations.Port, at address: String
    ) async throws -> Bool {
        let stream: StrangersStream
        do {
            stream = try await StrangersStream.open(to: address, port: port.number, by: self, over: port.transport)
        } catch RadioError.streamFailed { return false }
        do {
            // An empty datagram ends nothing.
            try await stream.send(message, isLast: port.transport == .tcp)
            if port.transport == .tcp {
                // Until it answers or ends the connection: a service with a time limit may take a second.
                _ = try await withDeadline(.seconds(3), waitingFor: "an answer") { try await stream.receive() }
            }
        } catch RadioError.streamFailed {
        } catch is TimedOut {
        } catch {
            await stream.close()
            throw error
        }
        await stream.close()
        return true
    }
}

import BoardProtocol
import HILPOSIX
import RadioModel
import RigModel
import VirtualRadio

/// Faults, walks, and stations without a board.
extension Medium {
    /// Arms a fault.
    mutating func arm(_ fault: AirFault, firings: Int, _ asked: Asked<Int>) -> [Action] {
        if let problem = fault.problem(firings: firings) { return [.reply(asked.refuse(problem))] }
        let number = faults.arm(fault, firings: firings, client: asked.ticket.client)
        return [.reply(asked.answer(number))] + afterFaults()
    }

    /// Disarms a fault. A radio that it unplugged stays unplugged.
    mutating func disarm(_ number: Int, _ asked: Asked<Int>) -> [Action] {
        guard let fired = faults.disarm(number) else {
            return [.reply(asked.refuse("unknown fault \(number)"))]
        }
        return [.reply(asked.answer(fired))]
    }

    /// Disarms the faults of a client that is gone, and ends its walk.
    mutating func forget(client: Int) {
        faults.forget(client: client)
        if walk?.asked.ticket.client == client { walk = nil }
    }

    /// Puts a station on the air.
    mutating func add(_ station: AirStation, _ asked: Asked<Done>, now: ContinuousClock.Instant = .now) -> [Action] {
        let isTaken = hostStacks.values.contains { $0.address == station.address }
        let refusal =
            isTaken ? "\(station.address) is the address of a host stack" : stations.add(station, at: now)
        // Before the reply, so that every board listens on the channel when the client continues.
        return tellChannels() + [.reply(refusal.map(asked.refuse) ?? asked.answer())]
    }

    /// Takes a station off the air.
    mutating func remove(_ address: DeviceAddress, _ asked: Asked<Done>) -> [Action] {
        let wasThere = stations.remove(address)
        return tellChannels() + [.reply(wasThere ? asked.answer() : asked.refuse("unknown station \(address)"))]
    }

    /// Begins a walk.
    mutating func move(_ path: [AirWaypoint], _ asked: Asked<Done>, now: ContinuousClock.Instant = .now) -> [Action] {
        if let problem = Walk.problem(with: path) { return [.reply(asked.refuse(problem))] }
        let ended = endWalk { $0.refuse("another walk has begun") }
        walk = (Walk(path, from: geometry.distance, at: now), asked)
        return ended
    }

    mutating func endWalk(_ answer: (Asked<Done>) -> AirAnswer) -> [Action] {
        guard let asked = walk?.asked else { return [] }
        walk = nil
        return [.reply(answer(asked))]
    }

    /// A step of the walk.
    mutating func step(at now: ContinuousClock.Instant) -> [Action] {
        guard let path = walk?.path else { return [] }
        geometry.distance = path.distance(at: now)
        guard path.isOver(at: now) else { return [] }
        return [.tell(.arrived(metres: geometry.distance))] + endWalk { $0.answer() }
    }

    /// The actions that fired faults cause.
    mutating func afterFaults() -> [Action] {
        let events = faults.takeNews().map(Action.tell)
        return events + faults.takeUnplugged().flatMap { id in perform(on: id) { $0.detach(nil) } }
    }

    // MARK: - Packets

    /// Handles an H4 packet from a board's host.
    mutating func command(_ packet: [UInt8], on board: AirAdapter) -> [Action] {
        let traffic = TrafficPacket(layer: .hci(sentByHost: true), sender: board, bytes: packet)
        let times = copies(of: traffic, .hci)
        var actions: [Action] = []
        for bytes in times {
            actions += self.actions(for: bluetooth.receive(bytes, from: board, geometry: geometry))
        }
        return times.isEmpty ? actions : actions + released(by: traffic)
    }

    /// Handles an H4 packet from a board's controller.
    mutating func event(_ packet: [UInt8], on board: AirAdapter) -> [Action] {
        let traffic = TrafficPacket(layer: .hci(sentByHost: false), sender: board, bytes: packet)
        let times = copies(of: traffic, .hci)
        return times.flatMap { hand($0, to: board) } + (times.isEmpty ? [] : released(by: traffic))
    }

    private mutating func hand(_ packet: [UInt8], to board: AirAdapter) -> [Action] {
        let way = hostStack(of: board).map { [.deliver(packet, to: $0)] } ?? send(.packet(packet), on: board.link)
        return [.capture(.hci(board, sentByHost: false, packet))] + way
    }

    /// Handles an 802.11 frame from a radio.
    mutating func carry(_ transmission: WiFiTransmission, from place: AirPlace) -> [Action] {
        let traffic = TrafficPacket(
            layer: .wifi, sender: AirAdapter(place.radio), bytes: transmission.frame)
        let verdict = faults.judge(traffic)
        let heard = verdict == .lost ? Geometry.apart : geometry
        guard let outcome = wifi.carry(transmission, from: place, geometry: heard) else { return [] }
        let signal = outcome.receptions.isEmpty ? nil : outcome.status.signal
        // The status first: hostapd waits for it, and an answer to the frame must not overtake it.
        var actions = send(.status(outcome.status), on: place.radio)
        if transmission.isBeacon { actions += tellChannels() }
        for (other, reception) in outcome.receptions {
            let id = other.radio
            switch verdict {
            case .held(let due, let isOvertaken):
                faults.hold(traffic, .wifi(id, reception), until: due, isOvertaken: isOvertaken)
            case .altered(let bytes):
                var altered = reception
                altered.frame = bytes
                actions += send(.receive(altered), on: id)
            case .twice: actions += send(.receive(reception), on: id) + send(.receive(reception), on: id)
            case .pass, .lost: actions += send(.receive(reception), on: id)
            }
        }
        if case .held = verdict {} else { actions += released(by: traffic) }
        return actions + [.capture(.wifi(place, transmission, signal: signal))]
            + answers(to: transmission, of: place, isLost: verdict == .lost)
    }

    /// The H4 packets to deliver in place of this one: none, one or two.
    private func copies(of packet: TrafficPacket, _ route: FaultInjector.Held.Route) -> [[UInt8]] {
        switch faults.judge(packet) {
        case .pass: return [packet.bytes]
        case .lost: return []
        case .twice: return [packet.bytes, packet.bytes]
        case .altered(let bytes): return [bytes]
        case .held(let due, let isOvertaken):
            faults.hold(packet, route, until: due, isOvertaken: isOvertaken)
            return []
        }
    }

    private mutating func released(by packet: TrafficPacket) -> [Action] {
        faults.takeOvertaken(by: packet).flatMap { release($0) }
    }

    /// Delivers a packet that was held back.
    mutating func release(_ held: FaultInjector.Held) -> [Action] {
        let packet = held.packet
        switch (held.route, packet.layer) {
        case (.wifi(let id, let reception), _): return send(.receive(reception), on: id)
        case (.linkLayer(let phy), _):
            return actions(
                for: bluetooth.release(packet.bytes, phy: phy, from: packet.sender, geometry: geometry))
        case (.hci, .hci(sentByHost: true)):
            return actions(for: bluetooth.receive(packet.bytes, from: packet.sender, geometry: geometry))
        case (.hci, _): return hand(packet.bytes, to: packet.sender)
        }
    }

    // MARK: - Stations

    /// Sends a station's advertisement or beacon.
    mutating func speak(_ station: AirStation) -> [Action] {
        switch station {
        case .advertiser(let advertiser): return actions(for: bluetooth.hear(advertiser, geometry: geometry))
        case .accessPoint(let point):
            // The air does not know the channel of a radio that only listens. The kernel drops frames of other
            // channels.
            let listeners = AirPlace.allCases.filter { wifi.isPluggedIn($0) }
            return send(point.beacon(sequence: stations.nextSequence(), time: time), of: point, to: listeners)
        }
    }

    private mutating func answers(
        to transmission: WiFiTransmission, of place: AirPlace, isLost: Bool
    ) -> [Action] {
        let points = isLost ? [] : stations.accessPoints(asked: transmission)
        guard !points.isEmpty, let asker = DeviceAddress(bytes: transmission.frame[10..<16]) else { return [] }
        return points.flatMap {
            send($0.beacon(to: asker, sequence: stations.nextSequence(), time: time), of: $0, to: [place])
        }
    }

    private mutating func send(_ frame: [UInt8], of point: AirAccessPoint, to places: [AirPlace]) -> [Action] {
        guard !places.isEmpty, !faults.isSilent(.wifi), let signal = Geometry(distance: point.metres).signal(.wifi)
        else { return [] }
        let reception = WiFiReception(frequency: point.frequency, signal: signal, rate: 0, frame: frame)
        let transmission = WiFiTransmission(
            cookie: 0, flags: WiFiTransmission.noAcknowledgement, frequency: point.frequency,
            rates: [WiFiRate(index: 0, tries: 1)], frame: frame)
        return places.flatMap { send(.receive(reception), on: $0.radio) }
            + [.capture(.station(transmission, signal: signal))]
    }

    /// The time in microseconds, as in an access point's timestamp.
    private var time: UInt64 { wallClockNanoseconds() / 1000 }
}

import BoardProtocol
import POSIX
import RadioModel
import RigModel
import VirtualRadio

/// What the medium does with packets on their way past the faults, and for stations without a board.
extension Medium {
    /// Arms a fault.
    mutating func arm(_ fault: AirFault, firings: Int, _ ticket: Ticket) -> [Action] {
        if let problem = fault.problem(firings: firings) { return [.reply(.refused(problem), ticket)] }
        let number = faults.arm(fault, firings: firings, client: ticket.client)
        return [.reply(.armed(number), ticket)] + afterFaults()
    }

    /// Disarms a fault. What it pulled out stays out.
    mutating func disarm(_ number: Int, _ ticket: Ticket) -> [Action] {
        guard let fired = faults.disarm(number) else { return [.reply(.refused("no fault is \(number)"), ticket)] }
        return [.reply(.disarmed(fired: fired), ticket)]
    }

    /// A client is gone, and with it whoever would disarm its faults.
    mutating func forget(client: Int) {
        faults.forget(client: client)
        if walk?.ticket.client == client { walk = nil }
    }

    /// Puts a station on the air.
    mutating func add(_ station: AirStation, _ ticket: Ticket, now: ContinuousClock.Instant = .now) -> [Action] {
        let refusal = stations.add(station, at: now)
        // First, so that who asked finds every board listening there.
        return tellChannels() + [.reply(refusal.map(AirReply.refused) ?? .done, ticket)]
    }

    /// Takes a station off the air.
    mutating func remove(_ address: DeviceAddress, _ ticket: Ticket) -> [Action] {
        let wasThere = stations.remove(address)
        return tellChannels() + [.reply(wasThere ? .done : .refused("no station is \(address)"), ticket)]
    }

    /// Begins a walk.
    mutating func move(_ path: [AirWaypoint], _ ticket: Ticket, now: ContinuousClock.Instant = .now) -> [Action] {
        if let problem = Walk.problem(with: path) { return [.reply(.refused(problem), ticket)] }
        let ended = endWalk(.refused("another walk has begun"))
        walk = (Walk(path, from: geometry.distance, at: now), ticket)
        return ended
    }

    mutating func endWalk(_ reply: AirReply) -> [Action] {
        guard let ticket = walk?.ticket else { return [] }
        walk = nil
        return [.reply(reply, ticket)]
    }

    /// A step of the walk.
    mutating func step(at now: ContinuousClock.Instant) -> [Action] {
        guard let path = walk?.path else { return [] }
        geometry.distance = path.distance(at: now)
        guard path.isOver(at: now) else { return [] }
        return [.tell(.arrived(metres: geometry.distance))] + endWalk(.done)
    }

    /// What the faults that fired want done.
    mutating func afterFaults() -> [Action] {
        let news = faults.takeNews().map(Action.tell)
        return news + faults.takePulled().flatMap { id in perform(on: id) { $0.detach(nil) } }
    }

    // MARK: - Packets

    /// An H4 packet of a board's host.
    mutating func command(_ packet: [UInt8], on board: AirAdapter) -> [Action] {
        let traffic = TrafficPacket(layer: .hci(sentByHost: true), sender: board, bytes: packet)
        let times = copies(of: traffic, .hci)
        var actions: [Action] = []
        for bytes in times {
            actions += self.actions(for: bluetooth.receive(bytes, from: board, geometry: geometry))
        }
        return times.isEmpty ? actions : actions + released(by: traffic)
    }

    /// An H4 packet of a board's controller.
    mutating func event(_ packet: [UInt8], on board: AirAdapter) -> [Action] {
        let traffic = TrafficPacket(layer: .hci(sentByHost: false), sender: board, bytes: packet)
        let times = copies(of: traffic, .hci)
        return times.flatMap { hand($0, to: board) } + (times.isEmpty ? [] : released(by: traffic))
    }

    private mutating func hand(_ packet: [UInt8], to board: AirAdapter) -> [Action] {
        [.capture(.hci(board, sentByHost: false, packet))]
            + send(.packet(packet), on: board.link)
    }

    /// An 802.11 frame of a board's radio.
    mutating func carry(_ transmission: WiFiTransmission, from board: BoardRole) -> [Action] {
        let traffic = TrafficPacket(
            layer: .wifi, sender: AirAdapter(board: board), bytes: transmission.frame)
        let verdict = faults.judge(traffic)
        let heard = verdict == .lost ? Geometry(distance: nil) : geometry
        guard let outcome = wifi.carry(transmission, from: board, geometry: heard) else { return [] }
        let signal = outcome.receptions.isEmpty ? nil : outcome.status.signal
        // The status first: hostapd waits for it, and the answer to the frame may come sooner than expected.
        var actions = send(.status(outcome.status), on: LinkID(board: board, radio: .wifi))
        if transmission.isBeacon { actions += tellChannels() }
        for (other, reception) in outcome.receptions {
            let id = LinkID(board: other, radio: .wifi)
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
        return actions + [.capture(.wifi(board, transmission, signal: signal))]
            + answers(to: transmission, of: board, isLost: verdict == .lost)
    }

    /// The H4 packets that go on in a packet's place.
    private func copies(of packet: TrafficPacket, _ way: FaultBench.Held.Way) -> [[UInt8]] {
        switch faults.judge(packet) {
        case .pass: return [packet.bytes]
        case .lost: return []
        case .twice: return [packet.bytes, packet.bytes]
        case .altered(let bytes): return [bytes]
        case .held(let due, let isOvertaken):
            faults.hold(packet, way, until: due, isOvertaken: isOvertaken)
            return []
        }
    }

    private mutating func released(by packet: TrafficPacket) -> [Action] {
        faults.takeOvertaken(by: packet).flatMap { release($0) }
    }

    /// Sends a packet on that was held back.
    mutating func release(_ held: FaultBench.Held) -> [Action] {
        let packet = held.packet
        switch (held.way, packet.layer) {
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

    /// A station says what it says of its own accord.
    mutating func speak(_ station: AirStation) -> [Action] {
        switch station {
        case .advertiser(let advertiser): return actions(for: bluetooth.hear(advertiser, geometry: geometry))
        case .accessPoint(let point):
            // A radio that only listens does not tell its channel; its kernel drops what is on another one.
            let listeners = BoardRole.allCases.filter { wifi.isPluggedIn($0) }
            return send(point.beacon(sequence: stations.nextSequence(), time: time), of: point, to: listeners)
        }
    }

    private mutating func answers(
        to transmission: WiFiTransmission, of board: BoardRole, isLost: Bool
    ) -> [Action] {
        let points = isLost ? [] : stations.accessPoints(asked: transmission)
        guard !points.isEmpty, let asker = DeviceAddress(bytes: transmission.frame[10..<16]) else { return [] }
        return points.flatMap {
            send($0.beacon(to: asker, sequence: stations.nextSequence(), time: time), of: $0, to: [board])
        }
    }

    private mutating func send(_ frame: [UInt8], of point: AirAccessPoint, to boards: [BoardRole]) -> [Action] {
        guard !boards.isEmpty, !faults.isSilent(.wifi), let signal = Geometry(distance: point.metres).signal(.wifi)
        else { return [] }
        let reception = WiFiReception(frequency: point.frequency, signal: signal, rate: 0, frame: frame)
        let transmission = WiFiTransmission(
            cookie: 0, flags: WiFiTransmission.noAcknowledgement, frequency: point.frequency,
            rates: [WiFiRate(index: 0, tries: 1)], frame: frame)
        return boards.flatMap { send(.receive(reception), on: LinkID(board: $0, radio: .wifi)) }
            + [.capture(.station(transmission, signal: signal))]
    }

    /// Microseconds, as access points count them.
    private var time: UInt64 { wallClockNanoseconds() / 1000 }
}

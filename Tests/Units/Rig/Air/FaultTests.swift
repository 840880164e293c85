import BoardProtocol
import HILPOSIX
import RadioModel
import RigModel
import Testing
import VirtualRadio

@testable import HILAir

/// A clock that the test sets.
private final class HandClock {
    var now = ContinuousClock.now
}

@Suite("Faults of the air")
struct FaultTests {
    private let clock = HandClock()
    private let here = LinkID(board: .host, radio: .wifi)
    private let there = LinkID(board: .accessory, radio: .wifi)
    private let ticket = Ticket(client: 1, call: 1)
    private var medium: Medium

    init() throws {
        let clock = clock
        medium = Medium(firstToken: 100, faults: FaultInjector { clock.now }) { _ in EchoController() }
        for id in [here, there, LinkID(board: .host, radio: .bluetooth), LinkID(board: .accessory, radio: .bluetooth)] {
            try plugIn(id)
        }
    }

    private mutating func say(_ message: RadioMessage, on id: LinkID) -> [Medium.Action] {
        medium.receive(.frame(message.frame), on: id)
    }

    private mutating func plugIn(_ id: LinkID) throws {
        guard case .send(.reset(let token), id)? = medium.connected(id).first else { return #expect(Bool(false)) }
        _ = medium.attach(id, ticket)
        _ = say(.ready(token: token), on: id)
        _ = say(.attached(name: "x0"), on: id)
    }

    /// Arms a fault, and returns its number.
    private mutating func arm(_ fault: AirFault, firings: Int = 1) -> Int {
        medium.arm(fault, firings: firings, ticket).answers.compactMap { Int($0) }.first ?? -1
    }

    /// Disarms a fault, and returns how often it fired, or why not.
    private mutating func disarm(_ number: Int) -> String? { medium.disarm(number, ticket).answers.first }

    private func transmission(_ packet: TrafficPacket) -> WiFiTransmission {
        WiFiTransmission(cookie: 1, flags: 3, frequency: 2412, rates: [], frame: packet.bytes)
    }

    /// The frames that reach the accessory board.
    private func heard(_ actions: [Medium.Action]) -> [[UInt8]] {
        actions.compactMap { if case .send(.receive(let reception), there) = $0 { reception.frame } else { nil } }
    }

    private func events(_ actions: [Medium.Action]) -> [AirEvent] {
        actions.compactMap { if case .tell(let event) = $0 { event } else { nil } }
    }

    private let first = TrafficTests.handshake(0x008A)
    private let third = TrafficTests.handshake(0x13CA)

    private mutating func send(_ packet: TrafficPacket) -> [Medium.Action] {
        say(.transmit(transmission(packet)), on: here)
    }

    @Test("A fault fires as often as ordered, and each firing is reported; disarming returns the number of firings")
    mutating func dropping() {
        let number = arm(.dropped(.eapol(message: 1)), firings: 2)
        #expect(heard(send(third)) == [third.bytes])
        for count in [1, 2] {
            let actions = send(first)
            #expect(heard(actions).isEmpty)
            guard case .fired("dropped at EAPOL message 1", let packet, count, of: 2)? = events(actions).first else {
                return #expect(Bool(false), "not told")
            }
            #expect(packet?.hasPrefix("EAPOL message 1") == true)
            #expect(actions.contains { if case .send(.status(let s), here) = $0 { s.flags & 4 == 0 } else { false } })
        }
        #expect(heard(send(first)) == [first.bytes])
        #expect(disarm(number) == "2")
        #expect(disarm(arm(.dropped(.eapol(message: 1)))) == "0")
        #expect(disarm(number)?.hasPrefix("refused: ") == true)
        #expect(heard(send(first)) == [first.bytes])
    }

    @Test("A fault lets the first packets pass, which another fault may notice")
    mutating func passing() {
        let number = arm(AirFault(.dropped, when: .eapol(message: 1), passing: 1))
        _ = arm(.noticed(.eapol(message: 1)), firings: 5)
        let passed = send(first)
        #expect(heard(passed) == [first.bytes])
        #expect(events(passed).map(\.description) == ["fault 1 of 5: noticed at EAPOL message 1 (\(first))"])
        #expect(heard(send(first)).isEmpty && disarm(number) == "1")
    }

    @Test("A fault fires at a packet that another one only notices")
    mutating func noticing() {
        let noticed = arm(.noticed(.eapol(message: 1)), firings: 5)
        let dropped = arm(.dropped(.eapol(message: 1)))
        #expect(heard(send(first)).isEmpty)
        #expect(heard(send(first)) == [first.bytes])
        #expect(disarm(noticed) == "2" && disarm(dropped) == "1")
    }

    @Test("Frames are doubled, altered, delayed, and overtaken by the next one")
    mutating func tampering() {
        _ = arm(.doubled(.eapol(message: 1)))
        #expect(heard(send(first)) == [first.bytes, first.bytes])
        _ = arm(.altered(.eapol(message: 1), at: 6, to: [0, 0]))
        var altered = first.bytes
        altered.replaceSubrange(32..<34, with: [0, 0])
        #expect(heard(send(first)) == [altered])
        _ = arm(.delayed(.eapol(message: 1), by: .milliseconds(30)))
        #expect(heard(send(first)).isEmpty)
        #expect(heard(send(third)) == [third.bytes])
        clock.now += .milliseconds(29)
        #expect(heard(medium.tick(now: clock.now)).isEmpty)
        clock.now += .milliseconds(1)
        #expect(heard(medium.tick(now: clock.now)) == [first.bytes])
        _ = arm(.reordered(.eapol(message: 1)))
        #expect(heard(send(first)).isEmpty)
        #expect(heard(send(third)) == [third.bytes, first.bytes])
        _ = arm(.reordered(.eapol(message: 1)))
        #expect(heard(send(first)).isEmpty)
        clock.now += FaultInjector.overtakingLimit
        #expect(heard(medium.tick(now: clock.now)) == [first.bytes])
    }

    @Test("Jamming silences its radio from the first lost frame, for its duration or until it is disarmed")
    mutating func jamming() {
        _ = arm(.jammed([.wifi], lasting: .seconds(1)))
        #expect(heard(send(third)).isEmpty && heard(send(first)).isEmpty)
        clock.now += .seconds(1)
        #expect(heard(send(first)) == [first.bytes])
        let number = arm(.linkLoss(.wifi, at: .eapol(message: 3)))
        #expect(heard(send(first)) == [first.bytes])
        #expect(heard(send(third)).isEmpty && heard(send(first)).isEmpty)
        #expect(disarm(number) == "1")
        #expect(heard(send(first)) == [first.bytes])
    }

    @Test("The faults of a client that is gone are disarmed, and impossible faults are refused")
    mutating func forgetting() {
        _ = arm(.dropped(.everything), firings: 100)
        #expect(heard(send(first)).isEmpty)
        medium.forget(client: 1)
        #expect(heard(send(first)) == [first.bytes])
        for (fault, firings) in [
            (AirFault.dropped(.data), 0), (.delayed(.data, by: .seconds(-1)), 1), (.altered(.data, at: 0, to: []), 1),
            (.altered(.data, at: -1, to: [1]), 1), (.unplugged(.wifi, of: .host), 2), (.jammed([], lasting: .zero), 1),
            (AirFault(.dropped, when: nil), 1), (AirFault(.silence([.wifi], lasting: nil), when: .data), 1),
        ] { #expect(arm(fault, firings: firings) == -1, "\(fault)") }
    }

    @Test("An adapter is unplugged at once or at a packet, and can be plugged in again")
    mutating func unplugging() throws {
        let id = LinkID(board: .accessory, radio: .bluetooth)
        let actions = medium.arm(.unplugged(.bluetooth, of: .accessory), firings: 1, ticket)
        #expect(actions.contains(.send(.detach, id)) && events(actions).count == 1)
        #expect(say(.detached(reason: ""), on: id) == [.tell(.detached(.accessory, .bluetooth, reason: ""))])
        let back = medium.attach(id, ticket)
        #expect(back.contains { if case .send(.attach, id) = $0 { true } else { false } })
        _ = arm(.unplugged(.wifi, of: .host, at: .eapol(message: 3)))
        #expect(!send(first).contains(.send(.detach, here)))
        #expect(send(third).contains(.send(.detach, here)))
    }

    @Test("Events between host and controller can be lost and doubled")
    mutating func hci() {
        let host = LinkID(board: .host, radio: .bluetooth)
        _ = arm(.dropped(.hci(.event(code: 0x0E)).sent(by: .host)))
        let command = RadioMessage.packet([1, 3, 0x0C, 0])
        #expect(!say(command, on: host).contains(.send(.packet([4, 0x0E, 1, 3]), host)))
        _ = arm(.doubled(.hci(.event(code: 0x0E)).sent(by: .host)))
        #expect(say(command, on: host).filter { $0 == .send(.packet([4, 0x0E, 1, 3]), host) }.count == 2)
    }

    @Test("A walk changes the distance evenly over time, and reports its end")
    mutating func walking() {
        let start = clock.now
        _ = medium.setDistance(1)
        #expect(medium.move([.at(9, after: .seconds(4)), .at(nil, after: .seconds(6))], ticket, now: start).isEmpty)
        for (seconds, metres) in [(0, 1), (2, 5), (4, 9), (5, 9)] as [(Int, Double)] {
            _ = medium.tick(now: start + .seconds(seconds))
            #expect(medium.status.distance == metres)
        }
        let end = medium.tick(now: start + .seconds(6))
        #expect(medium.status.distance == nil)
        #expect(end.contains(ticket.done) && events(end) == [.arrived(metres: nil)])
        let broken: [[AirWaypoint]] = [
            [], [.at(-1, after: .zero)], [.at(1, after: .seconds(2)), .at(1, after: .seconds(1))],
        ]
        for path in broken {
            #expect(medium.move(path, ticket).answers.first?.hasPrefix("refused: ") == true)
        }
    }
}

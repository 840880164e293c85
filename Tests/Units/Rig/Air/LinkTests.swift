import BoardProtocol
import HILPOSIX
import RadioModel
import RigModel
import Testing
import VirtualRadio

@testable import HILAir

/// A controller that answers each packet of its host with an event, and sends the packet on the air.
final class EchoController: BluetoothController {
    func receive(hci packet: [UInt8]) -> [ControllerOutput] {
        [.hci([4, 0x0E, 1, packet[1]]), .linkLayer(bytes: [packet[1]], phy: 0)]
    }
    func receive(linkLayer bytes: [UInt8], phy: Int32, signal: Int8) -> [ControllerOutput] {
        [.hci([4, 0x3E, 2, bytes[0], UInt8(bitPattern: signal)])]
    }
    func tick() -> [ControllerOutput] { [] }
}

@Suite("The air and the ports of two boards")
struct LinkTests {
    private let host = LinkID(board: .host, radio: .bluetooth)
    private let accessory = LinkID(board: .accessory, radio: .bluetooth)
    private let ticket = Ticket(client: 1, call: 1)
    private var medium = Medium(firstToken: 100) { _ in EchoController() }

    private func sent(_ actions: [Medium.Action]) -> [RadioMessage] {
        actions.compactMap { if case .send(let message, _) = $0 { message } else { nil } }
    }

    private mutating func say(_ message: RadioMessage, on id: LinkID) -> [Medium.Action] {
        medium.receive(.frame(message.frame), on: id)
    }

    /// Connects a port, answers its reset, and plugs its radio in.
    private mutating func plugIn(_ id: LinkID, as name: String = "hci0") throws {
        guard case .reset(let token) = sent(medium.connected(id)).first else { throw Missing() }
        _ = say(.ready(token: token), on: id)
        _ = medium.attach(id, ticket)
        #expect(say(.attached(name: name), on: id).answers == [name])
    }

    private struct Missing: Error {}

    @Test(
        "A radio is plugged in only when the port has answered the reset, and the client hears when the kernel has it")
    mutating func attaching() {
        #expect(sent(medium.connected(host)) == [.reset(token: 101)])
        #expect(medium.attach(host, ticket) == [])
        #expect(sent(say(.ready(token: 99), on: host)) == [])
        let address = AirAddress.of(.bluetooth, on: .host)
        #expect(sent(say(.ready(token: 101), on: host)) == [.attach(address: address, channels: 1)])
        let actions = say(.attached(name: "hci0"), on: host)
        #expect(actions.answers == ["hci0"])
        #expect(actions.contains(.tell(.attached(.host, .bluetooth, name: "hci0"))))
        #expect(medium.status.link(.bluetooth, of: .host).name == "hci0")
    }

    @Test("A radio that is pulled out while its board has no power is gone when the board starts")
    mutating func pulledWithoutPower() throws {
        try plugIn(host)
        #expect(medium.detach(host, ticket).answers == [])
        let actions = say(.ready(token: 0), on: host)
        #expect(actions.answers == ["done"])
        #expect(sent(actions).contains { if case .reset = $0 { true } else { false } })
        #expect(say(.detached(reason: ""), on: host).answers == [], "it is answered once")
    }

    @Test("A radio is silenced at once while its board has no power, and is plugged in again when the board starts")
    mutating func silenced() throws {
        try plugIn(host)
        #expect(medium.silence(host, ticket).answers == ["done"], "nobody waits for the board")
        #expect(medium.status.link(.bluetooth, of: .host).name == nil)
        #expect(medium.attach(host, ticket).answers == [])
        guard case .reset(let token) = sent(say(.ready(token: 0), on: host)).first else { throw Missing() }
        #expect(sent(say(.ready(token: token), on: host)).count == 1)
        #expect(say(.attached(name: "hci0"), on: host).answers == ["hci0"])
    }

    @Test("A board whose radio program restarts gets its radio back")
    mutating func restart() throws {
        try plugIn(host)
        let actions = say(.ready(token: 0), on: host)
        #expect(actions.contains { if case .tell(.detached(.host, .bluetooth, _, _)) = $0 { true } else { false } })
        guard case .reset(let token) = sent(actions).first else { throw Missing() }
        #expect(sent(say(.ready(token: token), on: host)).count == 1)
        #expect(say(.attached(name: "hci0"), on: host).contains(.tell(.attached(.host, .bluetooth, name: "hci0"))))
    }

    @Test("A device that the board cannot make is refused, with the board's reason")
    mutating func refusal() {
        _ = medium.connected(host)
        _ = medium.attach(host, ticket)
        _ = say(.ready(token: 101), on: host)
        let actions = say(.detached(reason: "opening /dev/vhci: No such file"), on: host)
        #expect(actions.answers == ["refused: the host board's bluetooth port: opening /dev/vhci: No such file"])
    }

    @Test("Detaching is answered when the device is gone; if the port is lost, all requests are answered")
    mutating func detaching() throws {
        try plugIn(host)
        #expect(sent(medium.detach(host, ticket)) == [.detach])
        #expect(say(.detached(reason: ""), on: host).answers == ["done"])
        _ = medium.attach(host, ticket)
        #expect(medium.lost(host).answers == ["refused: the host board's bluetooth port is gone"])
        #expect(!medium.status.link(.bluetooth, of: .host).isConnected)
    }

    @Test("A controller's packet reaches the other with the signal of the distance, and nobody out of range")
    mutating func carrying() throws {
        try plugIn(host)
        try plugIn(accessory)
        medium.setDistance(2)
        let actions = say(.packet([1, 3, 0x0C, 0]), on: host)
        #expect(
            actions == [
                .capture(.hci(.host, sentByHost: true, [1, 3, 0x0C, 0])),
                .capture(.hci(.host, sentByHost: false, [4, 0x0E, 1, 3])),
                .send(.packet([4, 0x0E, 1, 3]), host),
                .capture(.hci(.accessory, sentByHost: false, [4, 0x3E, 2, 3, UInt8(bitPattern: -49)])),
                .send(.packet([4, 0x3E, 2, 3, UInt8(bitPattern: -49)]), accessory),
            ])
        medium.setDistance(nil)
        #expect(sent(say(.packet([1, 3, 0x0C, 0]), on: host)) == [.packet([4, 0x0E, 1, 3])])
    }

    @Test("Garbage from one board is counted and reported, and the other board's packets still pass")
    mutating func garbage() throws {
        try plugIn(host)
        try plugIn(accessory)
        let garbage: [FrameReader.Item] = [
            .refused("no frame starts here"), .frame(Frame(kind: 0x99, payload: [])),
            .frame(Frame(kind: 0x10, payload: [1, 3, 0x0C, 9])), .frame(Frame(kind: 0x20, payload: [1])),
            .frame(RadioMessage.hears(AirAddress.of(.wifi, on: .host), true).frame),
        ]
        for item in garbage {
            let actions = medium.receive(item, on: host)
            #expect(actions.contains { if case .tell(.refused) = $0 { true } else { false } })
            #expect(sent(actions).isEmpty)
        }
        #expect(medium.status.link(.bluetooth, of: .host).refusedFrames == garbage.count)
        #expect(sent(say(.packet([1, 9, 0x10, 0]), on: accessory)).first == .packet([4, 0x0E, 1, 9]))
        #expect(medium.status.link(.bluetooth, of: .accessory).refusedFrames == 0)
    }

    @Test("A frame of one Wi-Fi radio is answered with its status first, then delivered, then captured")
    mutating func wifi() throws {
        let here = LinkID(board: .host, radio: .wifi)
        let there = LinkID(board: .accessory, radio: .wifi)
        try plugIn(here, as: "wlan0")
        try plugIn(there, as: "wlan0")
        let transmission = WiFiTransmission(
            cookie: 1, flags: 3, frequency: 2412, rates: [], frame: [UInt8](repeating: 0xFF, count: 30))
        let actions = say(.transmit(transmission), on: here)
        #expect(actions.count == 3)
        guard case .send(.status, here) = actions[0], case .send(.receive, there) = actions[1],
            case .capture(.wifi(.host, transmission, signal: -36)) = actions[2]
        else { throw Missing() }
    }
}

import BoardProtocol
import HILPOSIX
import RadioModel
import RigModel
import Testing
import VirtualRadio

@testable import HILAir

@Suite("Further Bluetooth adapters of a board")
struct FurtherAdapterTests {
    private let host = LinkID(board: .host, radio: .bluetooth)
    private let port = LinkID(board: .accessory, radio: .bluetooth)
    private let second = LinkID(board: .accessory, radio: .bluetooth, adapter: 1)
    private let ticket = Ticket(client: 1, call: 1)
    private let reset: [UInt8] = [1, 3, 0x0C, 0]
    private var medium = Medium(firstToken: 100) { _ in EchoController() }

    init() throws {
        try plugIn(host)
        try plugIn(port)
    }

    private struct Missing: Error {}

    private mutating func say(_ message: RadioMessage, on id: LinkID) -> [Medium.Action] {
        medium.receive(.frame(message.frame), on: id)
    }

    private mutating func plugIn(_ id: LinkID) throws {
        guard case .send(.reset(let token), id)? = medium.connected(id).first else { throw Missing() }
        _ = medium.attach(id, ticket)
        _ = say(.ready(token: token), on: id)
        _ = say(.attached(name: "hci0"), on: id)
    }

    /// Asks for the second adapter, and answers for the board. Returns the replies to the client.
    private mutating func plugInSecond() throws -> [String] {
        let asked = medium.attach(second, ticket)
        guard case .send(.of(adapter: 1, .reset(let token)), port)? = asked.first else { throw Missing() }
        let address = DeviceAddress("02:00:00:00:02:B1")!
        #expect(
            say(.of(adapter: 1, .ready(token: token)), on: port)
                == [.send(.of(adapter: 1, .attach(address: address, channels: 1)), port)])
        return say(.of(adapter: 1, .attached(name: "hci1")), on: port).answers
    }

    private func sent(_ actions: [Medium.Action], to id: LinkID) -> [RadioMessage] {
        actions.compactMap { if case .send(let message, id) = $0 { message } else { nil } }
    }

    @Test("A request makes one adapter, with its own address; the first adapter is unchanged")
    mutating func attaching() throws {
        #expect(medium.status.links.count == 4, "none was asked for")
        #expect(try plugInSecond() == ["hci1"])
        #expect(medium.attach(second, ticket).answers == ["hci1"])
        let link = medium.status.link(.bluetooth, of: .accessory, adapter: 1)
        #expect(link.name == "hci1" && link.isConnected && link.address == DeviceAddress("02:00:00:00:02:B1"))
        #expect(medium.status.links.count == 5)
        #expect(medium.status.link(.bluetooth, of: .accessory).name == "hci0")
    }

    @Test("An adapter's packets have their own interface and controller, and all others hear them")
    mutating func carrying() throws {
        _ = try plugInSecond()
        let actions = say(.of(adapter: 1, .packet(reset)), on: port)
        let own = AirAdapter(board: .accessory, number: 1)
        #expect(actions.first == .capture(.hci(own, sentByHost: true, reset)))
        #expect(actions.contains(.capture(.hci(own, sentByHost: false, [4, 0x0E, 1, 3]))))
        let heard = RadioMessage.packet([4, 0x3E, 2, 3, UInt8(bitPattern: -40)])
        #expect(sent(actions, to: host) == [heard])
        #expect(sent(actions, to: port) == [.of(adapter: 1, .packet([4, 0x0E, 1, 3])), heard])
    }

    @Test("A board that restarts, or whose port is lost, loses all its adapters and gets them back")
    mutating func restart() throws {
        _ = try plugInSecond()
        let actions = say(.ready(token: 0), on: port)
        #expect(actions.contains { if case .tell(.detached(_, _, 1, _)) = $0 { true } else { false } })
        let resets = sent(actions, to: port)
        guard resets.count == 2, case .reset = resets[0], case .of(adapter: 1, .reset(let token)) = resets[1] else {
            throw Missing()
        }
        #expect(sent(say(.of(adapter: 1, .ready(token: token)), on: port), to: port).count == 1)
        #expect(medium.lost(port).contains { if case .tell(.detached(_, _, 1, _)) = $0 { true } else { false } })
        #expect(!medium.status.link(.bluetooth, of: .accessory, adapter: 1).isConnected)
        #expect(sent(medium.connected(port), to: port).count == 2)
    }

    @Test(
        "Too many adapters, a second Wi-Fi radio, and messages of unknown adapters are refused",
        arguments: [8, 255, -1])
    mutating func limits(number: Int) {
        let adapter = AdapterID(rawValue: number)
        let beyond = medium.attach(LinkID(board: .accessory, radio: .bluetooth, adapter: adapter), ticket)
        #expect(beyond.answers.first?.contains("at most 8 Bluetooth adapters") == true)
        let wifi = medium.attach(LinkID(board: .accessory, radio: .wifi, adapter: 1), ticket)
        #expect(wifi.answers.count == 1 && sent(wifi, to: port).isEmpty)
        #expect(medium.arm(.unplugged(.wifi, of: .accessory, adapter: 1), firings: 1, ticket).count == 1)
        let stray = say(.of(adapter: 3, .packet(reset)), on: port)
        #expect(stray.contains { if case .tell(.refused) = $0 { true } else { false } })
        #expect(medium.status.links.count == 4)
    }

    @Test("A fault unplugs only its adapter, and a board without power loses all")
    mutating func unplugging() throws {
        _ = try plugInSecond()
        let pulled = medium.arm(.unplugged(.bluetooth, of: .accessory, adapter: 1), firings: 1, ticket)
        #expect(sent(pulled, to: port) == [.of(adapter: 1, .detach)])
        #expect(
            say(.of(adapter: 1, .detached(reason: "")), on: port)
                == [.tell(.detached(.accessory, .bluetooth, adapter: 1, reason: ""))])
        #expect(medium.status.link(.bluetooth, of: .accessory).name == "hci0")
        _ = medium.attach(second, ticket)
        _ = say(.of(adapter: 1, .attached(name: "hci1")), on: port)
        #expect(sent(medium.silence(port, ticket), to: port) == [.detach, .of(adapter: 1, .detach)])
    }

    @Test("A predicate can select the packets of one adapter")
    func traffic() {
        let packets = [AirAdapter.accessory, AirAdapter(board: .accessory, number: 1), .host].map {
            TrafficPacket(layer: .linkLayer, sender: $0, bytes: [1])
        }
        let meant = { (traffic: Traffic) in packets.map { traffic.matches($0) } }
        #expect(meant(.everything.sent(by: .accessory)) == [true, true, false])
        #expect(meant(.everything.sent(by: .accessory, adapter: 1)) == [false, true, false])
        #expect(meant(.everything.sent(by: .accessory, adapter: .first)) == [true, false, false])
        let frame = TrafficPacket(layer: .wifi, sender: .accessory, bytes: [0x80, 0])
        #expect(!Traffic.fromAdapter(.accessory, .first).matches(frame), "Wi-Fi is of no Bluetooth adapter")
    }

    @Test("A packet that a fault held back comes from the adapter that sent it")
    mutating func held() throws {
        _ = try plugInSecond()
        _ = medium.arm(.reordered(.hci(.command()).sent(by: .accessory, adapter: 1)), firings: 1, ticket)
        #expect(sent(say(.of(adapter: 1, .packet(reset)), on: port), to: port).isEmpty)
        #expect(
            !sent(say(.packet([1, 0x14, 0x0C, 0]), on: port), to: port).isEmpty, "another adapter's overtakes nothing")
        let freed = sent(say(.of(adapter: 1, .packet([1, 0x14, 0x0C, 0])), on: port), to: port)
        let answers = freed.filter { if case .of(1, .packet(let packet)) = $0 { packet[1] == 0x0E } else { false } }
        #expect(answers == [0x14, 3].map { .of(adapter: 1, .packet([4, 0x0E, 1, $0])) })
    }

    @Test("Adapters that advertise at the same moment drift apart, and a scanner asks each of them")
    func advertisingDelay() {
        let scanner = SlowScanner()
        var medium = BluetoothMedium()
        medium.plugIn(scanner, on: .host)
        let count: UInt8 = 8
        for number in 0..<count {
            medium.plugIn(
                Advertiser(number: number),
                on: AirAdapter(board: .accessory, number: AdapterID(rawValue: Int(number))))
        }
        let start = ContinuousClock.now
        func run(_ ticks: Range<Int>) {
            for place in ticks {
                _ = medium.tick(geometry: Geometry(), now: start + BluetoothMedium.tickInterval * place)
            }
        }
        run(0..<400)
        #expect(scanner.asked == Set(0..<count))
        for number in 0..<count {
            let heard = scanner.heard[number, default: 0]
            #expect((16...20).contains(heard), "advertiser \(number) is heard ten times a second, if late")
        }
        medium.unplug(AirAdapter(board: .accessory, number: 0))
        let before = scanner.heard[0]
        run(400..<440)
        #expect(scanner.heard[0] == before, "one that is gone says nothing more")
    }
}

/// Advertises at every fourth tick, at the same ticks as all that were made with it.
private final class Advertiser: BluetoothController {
    private let number: UInt8
    private var ticks = 0

    init(number: UInt8) { self.number = number }

    func receive(hci packet: [UInt8]) -> [ControllerOutput] { [] }
    func receive(linkLayer bytes: [UInt8], phy: Int32, signal: Int8) -> [ControllerOutput] { [] }
    func tick() -> [ControllerOutput] {
        ticks += 1
        return ticks % 4 == 0 ? [.linkLayer(bytes: [0x0B, number], phy: 0)] : []
    }
}

/// Asks one advertiser at a time, and waits a tick for the answer.
private final class SlowScanner: BluetoothController {
    var heard: [UInt8: Int] = [:]
    var asked: Set<UInt8> = []
    private var isWaiting = false

    func receive(hci packet: [UInt8]) -> [ControllerOutput] { [] }
    func receive(linkLayer bytes: [UInt8], phy: Int32, signal: Int8) -> [ControllerOutput] {
        guard bytes.first == 0x0B else { return [] }
        heard[bytes[1], default: 0] += 1
        if !isWaiting { asked.insert(bytes[1]) }
        isWaiting = true
        return []
    }
    func tick() -> [ControllerOutput] {
        isWaiting = false
        return []
    }
}

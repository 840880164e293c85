import BoardProtocol
import HILPOSIX
import RadioModel
import RigModel
import Testing
import VirtualRadio

@testable import HILAir

@Suite("The router of a home on the air")
struct HomeRouterTests {
    private let port = LinkID(board: .host, radio: .wifi)
    private let accessory = LinkID(board: .accessory, radio: .wifi)
    private let ticket = Ticket(client: 1, call: 1)
    private let router = AirAddress.of(.wifi, on: .host, adapter: .homeRouter)
    private let phone = AirAddress.of(.wifi, on: .host)
    private var medium = Medium(firstToken: 100) { _ in throw Missing() }

    private struct Missing: Error {}

    init() throws {
        for id in [port, accessory] {
            guard case .send(.reset(let token), id)? = medium.connected(id).first else { throw Missing() }
            _ = medium.attach(id, ticket)
            _ = say(.ready(token: token), on: id)
            _ = say(.attached(name: "wlan0"), on: id)
        }
        guard case .send(.of(adapter: 1, .reset(let token)), port)? = medium.attach(.homeRouter, ticket).first else {
            throw Missing()
        }
        _ = say(.of(adapter: 1, .ready(token: token)), on: port)
        _ = say(.of(adapter: 1, .attached(name: "wlan1")), on: port)
    }

    private mutating func say(_ message: RadioMessage, on id: LinkID) -> [Medium.Action] {
        medium.receive(.frame(message.frame), on: id)
    }

    private func frame(
        _ kind: UInt8 = 0xB0, to: DeviceAddress, from: DeviceAddress, flags: UInt32 = 0
    ) -> WiFiTransmission {
        WiFiTransmission(
            cookie: 5, flags: flags, frequency: 2412, rates: [WiFiRate(index: 4, tries: 1)],
            frame: [kind, 0, 0, 0] + to.bytes + from.bytes + [0, 0])
    }

    /// The radios that get a frame, with the signal.
    private func receivers(_ actions: [Medium.Action]) -> [String: Int8] {
        var heard: [String: Int8] = [:]
        for case .send(let message, let id) in actions {
            switch message {
            case .receive(let reception): heard["\(AirPlace(id))"] = reception.signal
            case .of(adapter: 1, .receive(let reception)): heard["\(AirPlace.home)"] = reception.signal
            default: break
            }
        }
        return heard
    }

    @Test("The router has an address of its own, and both boards hear it from its place")
    mutating func place() throws {
        #expect(router == DeviceAddress("02:00:00:00:03:00")! && router != phone)
        #expect(medium.status.link(.wifi, of: .host, adapter: .homeRouter).name == "wlan1")
        let beacon = frame(0x80, to: DeviceAddress("FF:FF:FF:FF:FF:FF")!, from: router)
        let near = Geometry(distance: Geometry.usualHome).signal(.wifi)!
        #expect(
            receivers(say(.of(adapter: 1, .transmit(beacon)), on: port))
                == ["the host board": near, "the accessory board": near])
        medium.setHome(1, from: .host)
        medium.setHome(nil, from: .accessory)
        #expect(receivers(say(.of(adapter: 1, .transmit(beacon)), on: port)) == ["the host board": -36])
    }

    @Test("The boards out of each other's range still hear the router, and it both")
    mutating func apart() {
        medium.setDistance(nil)
        _ = say(.of(adapter: 1, .hears(router, true)), on: port)
        for (board, id) in [(AirPlace.host, port), (.accessory, accessory)] {
            let sent = frame(to: router, from: AirAddress.of(.wifi, on: board.board!))
            let actions = say(.transmit(sent), on: id)
            #expect(receivers(actions).keys.sorted() == ["the home's router"])
            guard case .send(.status(let status), id)? = actions.first else { return #expect(Bool(false)) }
            #expect(status.flags & WiFiStatus.acknowledged != 0, "the router acknowledges")
        }
    }

    @Test("A fault for the phone's packets does not touch those of the router")
    mutating func fault() {
        _ = medium.arm(.dropped(.from(.host)), firings: 10, ticket)
        #expect(receivers(say(.transmit(frame(to: router, from: phone)), on: port)).isEmpty)
        #expect(receivers(say(.of(adapter: 1, .transmit(frame(to: phone, from: router))), on: port)).count == 2)
    }

    @Test("Only the host board has a second Wi-Fi radio")
    mutating func others() {
        let refused = medium.attach(LinkID(board: .accessory, radio: .wifi, adapter: 1), ticket)
        #expect(refused.answers.first?.contains("the host board a second one for the home's router") == true)
        #expect(LinkID(board: .host, radio: .wifi, adapter: 3).exists, "of a stranger")
        #expect(!LinkID(board: .host, radio: .wifi, adapter: 4).exists)
    }

    @Test("A stranger stands beside the phone, with an address of its own")
    func stranger() {
        let place = AirPlace(LinkID(board: .host, radio: .wifi, adapter: 2))
        #expect(place == .stranger(2) && place.board == nil && place.radio.adapter == 2)
        let geometry = Geometry(distance: 10)
        #expect(
            geometry.wifiSignal(between: place, and: .accessory)
                == geometry.wifiSignal(between: .host, and: .accessory))
        #expect(geometry.wifiSignal(between: place, and: .home) == geometry.wifiSignal(between: .host, and: .home))
        #expect(geometry.wifiSignal(between: place, and: .stranger(3)) == -36)
        #expect(Geometry.apart.wifiSignal(between: place, and: .host) == nil)
        #expect(AirAddress.of(.wifi, on: .host, adapter: 3) == DeviceAddress("02:00:00:00:05:00"))
        #expect(Set(AirAddress.ofBoards).count == AirAddress.ofBoards.count)
    }

    @Test("The host board's channels go to the phone's radio, not to the router's")
    mutating func channels() {
        let beacon = frame(0x80, to: DeviceAddress("FF:FF:FF:FF:FF:FF")!, from: router)
        let actions = say(.of(adapter: 1, .transmit(beacon)), on: port)
        #expect(actions.contains(.send(.channels([2412]), port)))
        #expect(!actions.contains(.send(.of(adapter: 1, .channels([2412])), port)))
    }
}

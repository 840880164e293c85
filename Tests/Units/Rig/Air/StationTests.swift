import BoardProtocol
import HILPOSIX
import RadioModel
import RigModel
import Testing
import VirtualRadio

@testable import HILAir

@Suite("Stations without a board")
struct StationTests {
    private let start = ContinuousClock.now
    private let ticket = Ticket(client: 1, call: 1)
    private let home = AirAccessPoint(
        ssid: "Home", bssid: DeviceAddress("02:00:00:01:00:01")!, channel: 6, security: .wpa2, metres: 1)

    @Test("An advertiser is heard at its interval, and sends its name when it is asked")
    func advertiser() throws {
        let stations = Stations()
        let lamp = AirAdvertiser(
            named: "Lamp", address: DeviceAddress("02:00:00:02:00:01")!, services: [BluetoothUUID("180F")!])
        #expect(lamp.data == [2, 1, 6, 3, 3, 0x0F, 0x18] && lamp.scanResponse == [5, 9] + Array("Lamp".utf8))
        #expect(stations.add(.advertiser(lamp), at: start) == nil)
        #expect(stations.takeDue(at: start) == [.advertiser(lamp)] && stations.takeDue(at: start).isEmpty)
        #expect(stations.takeDue(at: start + .microseconds(99_999)).isEmpty)
        #expect(stations.takeDue(at: start + .milliseconds(110)).count == 1)
        let host: [UInt8] = [0xB0, 1, 0, 0, 0, 2]
        let request = [0x0E] + host + lamp.address.bytes.reversed() + [0, 0]
        #expect(stations.advertiser(asked: request) == lamp)
        #expect(lamp.answer(to: request) == [0x0F] + lamp.address.bytes.reversed() + host + [0] + lamp.scanResponse)
        for count in 0..<request.count { #expect(stations.advertiser(asked: Array(request.prefix(count))) == nil) }
        #expect(stations.remove(lamp.address) && !stations.remove(lamp.address))
        #expect(stations.advertiser(asked: request) == nil)
    }

    @Test("Advertisers that begin together drift apart by 0 to 10 ms per event, so that each is asked")
    func drift() {
        let stations = Stations()
        for number in 1...2 {
            let address = DeviceAddress(bytes: [2, 0, 0, 0x0A, 0, UInt8(number)])!
            _ = stations.add(.advertiser(AirAdvertiser(named: "Lamp", address: address)), at: start)
        }
        var times: [DeviceAddress: [Int]] = [:]
        for time in 0..<20_000 {
            for station in stations.takeDue(at: start + .milliseconds(time)) {
                times[station.address, default: []].append(time)
            }
        }
        for series in times.values {
            let pauses = zip(series, series.dropFirst()).map { $1 - $0 }
            #expect(series.count > 150 && pauses.allSatisfy { (100...111).contains($0) })
            #expect(Set(pauses).count > 5, "no two series keep step")
        }
        #expect(times.count == 2)
    }

    @Test("An access point answers probe requests on its channel, for any SSID or its own")
    func probes() {
        let stations = Stations()
        #expect(stations.add(.accessPoint(home), at: start) == nil)
        func probe(_ ssid: String, on frequency: UInt16 = 2437, cut: Int = 0) -> WiFiTransmission {
            let header: [UInt8] = [0x40, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 18) + [0, 0]
            return WiFiTransmission(
                cookie: 1, flags: 0, frequency: frequency, rates: [],
                frame: (header + [0, UInt8(ssid.utf8.count)] + ssid.utf8).dropLast(cut))
        }
        #expect(stations.accessPoints(asked: probe("")) == [home])
        #expect(stations.accessPoints(asked: probe("Home")) == [home])
        #expect(stations.accessPoints(asked: probe("Work")).isEmpty)
        #expect(stations.accessPoints(asked: probe("", on: 2412)).isEmpty)
        for cut in 1...20 { #expect(stations.accessPoints(asked: probe("Home", cut: cut)).isEmpty) }
    }

    @Test("A board's probe request is answered with the signal of the distance, also in the capture")
    func answers() throws {
        var medium = Medium(firstToken: 1) { _ in EchoController() }
        let id = LinkID(board: .host, radio: .wifi)
        guard case .send(.reset(let token), id)? = medium.connected(id).first else { return #expect(Bool(false)) }
        _ = medium.attach(id, ticket)
        for message in [RadioMessage.ready(token: token), .attached(name: "wlan0")] {
            _ = medium.receive(.frame(message.frame), on: id)
        }
        #expect(medium.add(.accessPoint(home), ticket).last == ticket.done)
        let own = AirAddress.of(.wifi, on: .host).bytes
        let probe =
            [0x40, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 6) + own + [UInt8](repeating: 0xFF, count: 6) + [
                0, 0, 0, 0,
            ]
        let sent = WiFiTransmission(cookie: 1, flags: 0, frequency: 2437, rates: [], frame: probe)
        let actions = medium.receive(.frame(RadioMessage.transmit(sent).frame), on: id)
        let answer = try #require(
            actions.compactMap { if case .send(.receive(let answer), id) = $0 { answer } else { nil } }.first)
        #expect(answer.signal == -36 && answer.frequency == 2437)
        #expect(answer.frame.starts(with: [0x50, 0, 0, 0] + own + home.bssid.bytes))
        #expect(actions.contains { if case .capture(.station(_, signal: -36)) = $0 { true } else { false } })
        // It also hears the beacons.
        let beacons = medium.tick(now: .now + .milliseconds(200))
        #expect(beacons.contains { if case .send(.receive(let b), id) = $0 { b.frame[0] == 0x80 } else { false } })
    }

    @Test("Invalid stations, a board's address, and one station too many are refused")
    func refusals() {
        let stations = Stations()
        var advertiser = AirAdvertiser(named: "Lamp", address: AirAddress.of(.bluetooth, on: .host))
        #expect(stations.add(.advertiser(advertiser), at: start) != nil)
        advertiser.address = DeviceAddress("02:00:00:02:00:01")!
        advertiser.data = [UInt8](repeating: 0, count: 32)
        #expect(stations.add(.advertiser(advertiser), at: start) != nil)
        var point = home
        point.channel = 14
        #expect(stations.add(.accessPoint(point), at: start) != nil)
        point.channel = 1
        point.ssid = String(repeating: "x", count: 33)
        #expect(stations.add(.accessPoint(point), at: start) != nil)
        point.ssid = "x"
        for number in 0...Stations.limit {
            point.bssid = DeviceAddress(bytes: [2, 0, 0, 9, UInt8(number >> 8), UInt8(number & 0xFF)])!
            #expect((stations.add(.accessPoint(point), at: start) == nil) == (number < Stations.limit))
        }
    }
}

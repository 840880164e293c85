import BoardProtocol
import HILPOSIX
import RadioModel
import RigModel
import Testing
import VirtualRadio

@testable import HILAir

@Suite("Channels")
struct ChannelTests {
    private let ticket = Ticket(client: 1, call: 1)
    private let host = LinkID(board: .host, radio: .wifi)
    private let accessory = LinkID(board: .accessory, radio: .wifi)

    private func point(_ number: UInt8, on channel: Int) -> AirAccessPoint {
        AirAccessPoint(ssid: "Net \(number)", bssid: DeviceAddress(bytes: [2, 0, 0, 9, 0, number])!, channel: channel)
    }

    /// Plugs a board's Wi-Fi radio in.
    private func plug(_ id: LinkID, into medium: inout Medium) -> [Medium.Action] {
        guard case .send(.reset(let token), id)? = medium.connected(id).first else { return [] }
        let actions = medium.attach(id, ticket)
        return actions
            + [RadioMessage.ready(token: token), .attached(name: "wlan0")].flatMap {
                medium.receive(.frame($0.frame), on: id)
            }
    }

    /// The channels that were sent to the boards.
    private func told(_ actions: [Medium.Action]) -> [LinkID: [UInt16]] {
        var told: [LinkID: [UInt16]] = [:]
        for case .send(.channels(let frequencies), let id) in actions { told[id] = frequencies }
        return told
    }

    private func beacon(from address: DeviceAddress, on frequency: UInt16, type: UInt8 = 0x80) -> FrameReader.Item {
        let frame = [type, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 6) + address.bytes + address.bytes + [0, 0]
        return .frame(
            RadioMessage.transmit(
                WiFiTransmission(cookie: 1, flags: 2, frequency: frequency, rates: [], frame: frame)
            ).frame)
    }

    @Test("A board is told the channels in use when it gets its radio, and of each change before the client's reply")
    func stations() throws {
        var medium = Medium(firstToken: 1) { _ in EchoController() }
        _ = medium.add(.accessPoint(point(1, on: 6)), ticket)
        #expect(told(plug(host, into: &medium)) == [host: [2437]])
        let added = medium.add(.accessPoint(point(2, on: 149)), ticket)
        #expect(added == [.send(.channels([2437, 5745]), host), ticket.done])
        #expect(told(medium.add(.accessPoint(point(3, on: 149)), ticket)).isEmpty, "that is known")
        #expect(told(medium.remove(point(2, on: 149).bssid, ticket)).isEmpty, "the third is still there")
        #expect(told(medium.remove(point(3, on: 149).bssid, ticket)) == [host: [2437]])
    }

    @Test("A channel with a board's beacons is in use until the network moves or ends; probe requests do not count")
    func boards() throws {
        var medium = Medium(firstToken: 1) { _ in EchoController() }
        #expect(told(plug(host, into: &medium)) == [host: []])
        #expect(told(plug(accessory, into: &medium)) == [accessory: []])
        let address = AirAddress.of(.wifi, on: .accessory)
        _ = medium.receive(.frame(RadioMessage.hears(address, true).frame), on: accessory)
        #expect(told(medium.receive(beacon(from: address, on: 5180, type: 0x40), on: accessory)).isEmpty)
        let begun = medium.receive(beacon(from: address, on: 5180), on: accessory)
        #expect(told(begun) == [host: [5180], accessory: [5180]])
        #expect(told(medium.receive(beacon(from: address, on: 5180), on: accessory)).isEmpty)
        // It is in use even if the other board is out of range.
        medium.setDistance(nil)
        #expect(told(medium.receive(beacon(from: address, on: 2472), on: accessory))[host] == [2472])
        let closed = medium.receive(.frame(RadioMessage.hears(address, false).frame), on: accessory)
        #expect(told(closed)[host] == [])
        _ = medium.receive(beacon(from: address, on: 2412), on: accessory)
        #expect(told(medium.detach(accessory, ticket)) == [host: []])
    }

    @Test("An access point is on its channel in beacon, header and capture", arguments: [1, 6, 11, 13, 36, 149, 165])
    func frames(_ channel: Int) throws {
        var medium = Medium(firstToken: 1) { _ in EchoController() }
        _ = plug(host, into: &medium)
        _ = medium.add(.accessPoint(point(1, on: channel)), ticket)
        let frequency = UInt16(try WiFiChannel(channel).frequency)
        let actions = medium.tick(now: .now + .milliseconds(200))
        let heard = try #require(
            actions.compactMap { if case .send(.receive(let heard), host) = $0 { heard } else { nil } }.first)
        #expect(heard.frequency == frequency)
        // Elements after header, time stamp, interval and capabilities: no CCK rate, nor what goes with it, at 5 GHz.
        var (elements, rest): ([UInt8: [UInt8]], ArraySlice<UInt8>) = ([:], heard.frame.dropFirst(36))
        while rest.count >= 2 {
            let body = rest.dropFirst(2).prefix(Int(rest[rest.startIndex + 1]))
            elements[rest[rest.startIndex]] = Array(body)
            rest = rest.dropFirst(2 + body.count)
        }
        let isHigh = frequency > 5000
        #expect(elements[3] == (isHigh ? nil : [UInt8(channel)]))
        #expect((elements[42] == nil) == isHigh && (elements[50] == nil) == isHigh)
        #expect(elements[1]?.contains { $0 & 0x7F < 12 } == !isHigh)
        let captured = try #require(
            actions.compactMap { if case .capture(.station(let sent, _)) = $0 { sent } else { nil } }.first)
        let header = Radiotap.header(of: captured, signal: -40)
        // Flags, rate, frequency, band: 6 Mbit/s OFDM at 5 GHz, 1 Mbit/s CCK at 2.4.
        #expect(
            Array(header[9...13]) == [isHigh ? 12 : 2] + littleEndian(frequency) + (isHigh ? [0x40, 0x01] : [0xA0, 0]))
    }

    @Test(
        "A channel that waits for radar, and one that there is not, are refused with the reason",
        arguments: [52, 100, 140])
    func radar(_ channel: Int) throws {
        var medium = Medium(firstToken: 1) { _ in EchoController() }
        let why = try #require(medium.add(.accessPoint(point(1, on: channel)), ticket).answers.last)
        #expect(why.hasPrefix("refused: on Wi-Fi channel \(channel) an access point must first listen for radar (DFS)"))
        #expect(why.hasSuffix("take 1 to 13, 36, 40, 44, 48, 149, 153, 157, 161 or 165"))
        for none in [0, 14, 35, 37, 54, 166, -1] {
            let why = try #require(medium.add(.accessPoint(point(1, on: none)), ticket).answers.last)
            #expect(why.hasPrefix("refused: there is no Wi-Fi channel \(none)"))
        }
    }
}

private func littleEndian(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }

import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("SDUs on LE channels")
struct L2CAPDataTests {
    /// An open channel that the central has opened.
    private var pair = L2CAPPair()
    private var central: LocalChannel
    private var peripheral: LocalChannel

    init() throws {
        var small = L2CAPConfiguration()
        small.mps = 30
        small.initialCredits = 4
        small.waitingSDUs = 4
        small.creditBatch = 1
        small.queuedSDUs = 2
        pair = L2CAPPair(central: small, peripheral: small)
        pair.peripheral.listeners[0x80] = L2CAPLink.Listener(mtu: 200)
        pair.pump(try pair.central.open(psm: 0x80, mtu: 100, at: .zero).1, from: .central)
        central = try #require(pair.centralsChannels.first)
        peripheral = try #require(pair.peripheralsChannels.first)
    }

    @Test(
        "SDUs of all lengths arrive whole, in both directions",
        .shows("L2CAP/COS/CFC/BV-01-C", "L2CAP/COS/CFC/BV-02-C", "L2CAP/COS/CFC/BV-03-C", "L2CAP/COS/CFC/BV-04-C"),
        arguments: [0, 1, 27, 28, 29, 58, 59, 100])
    mutating func lengths(length: Int) throws {
        let sdu = (0..<length).map { UInt8($0 & 0xFF) }
        pair.pump(try pair.central.send(sdu: sdu, on: central), from: .central)
        pair.pump(try pair.peripheral.send(sdu: sdu, on: peripheral), from: .peripheral)
        #expect(pair.received(by: .peripheral) == [sdu] && pair.received(by: .central) == [sdu])
        #expect(pair.heardByCentral.contains(.sent(central)) && pair.heardByPeripheral.contains(.sent(peripheral)))
    }

    @Test("An SDU longer than the peer's MTU, or than this end's own limit, is an error")
    mutating func tooLong() throws {
        #expect(throws: L2CAPError.tooLong(length: 201, most: 200)) {
            try pair.central.send(sdu: [UInt8](repeating: 0, count: 201), on: central)
        }
        #expect(throws: L2CAPError.tooLong(length: 101, most: 100)) {
            try pair.peripheral.send(sdu: [UInt8](repeating: 0, count: 101), on: peripheral)
        }
        pair.pump(try pair.central.send(sdu: [UInt8](repeating: 0, count: 200), on: central), from: .central)
        #expect(pair.received(by: .peripheral).map(\.count) == [200])
    }

    @Test(
        "A slow reader stops the sender, and each SDU that it takes lets one more through",
        .shows("L2CAP/LE/CFC/BV-07-C"))
    mutating func flowControl() throws {
        for number in 0..<6 as Range<UInt8> {
            pair.pump(try pair.central.send(sdu: [number], on: central), from: .central)
        }
        #expect(pair.received(by: .peripheral) == [[0], [1], [2], [3]])
        #expect(pair.heardByCentral.filter { $0 == .sent(central) }.count == 4)
        #expect(throws: L2CAPError.queueFull(waiting: 2)) { try pair.central.send(sdu: [6], on: central) }
        pair.pump(pair.peripheral.consumed(on: peripheral), from: .peripheral)
        #expect(pair.received(by: .peripheral).count == 5)
        pair.pump(try pair.central.send(sdu: [6], on: central), from: .central)
        pair.pump(pair.peripheral.consumed(4, on: peripheral), from: .peripheral)
        #expect(pair.received(by: .peripheral) == (0..<7 as Range<UInt8>).map { [$0] })
        #expect(pair.heardByCentral.filter { $0 == .sent(central) }.count == 7)
    }

    @Test("An SDU of more segments than credits arrives without its reader")
    mutating func longSDU() throws {
        let sdu = [UInt8](repeating: 9, count: 200)
        for _ in 0..<4 { pair.pump(try pair.central.send(sdu: sdu, on: central), from: .central) }
        #expect(pair.received(by: .peripheral).count == 4)
        pair.pump(try pair.central.send(sdu: sdu, on: central), from: .central)
        #expect(pair.received(by: .peripheral).count == 4)
    }

    @Test(
        "Data without a credit closes the channel, and so do lengths that break the terms",
        .shows("L2CAP/LE/CFC/BV-26-C", "L2CAP/LE/CFC/BV-27-C", "L2CAP/LE/CFC/BV-28-C"))
    mutating func violations() throws {
        let cases: [([[UInt8]], String)] = [
            ([[1, 0, 1], [1, 0, 1], [1, 0, 1], [1, 0, 1], [1, 0, 1]], "a K-frame without a credit"),
            ([[UInt8](repeating: 0, count: 31)], "a K-frame with 31 bytes of payload; our MPS is 30"),
            ([[201, 0, 1]], "an SDU of 201 bytes; our MTU is 200"),
            ([[3, 0, 1], [2, 3, 4]], "segments of 4 bytes for an SDU of 3"),
            ([[]], "the first K-frame of an SDU of 0 bytes; at least 2 are needed"),
        ]
        for (frames, mistake) in cases {
            var link = pair.peripheral
            var outputs: [L2CAPLink.Output] = []
            for frame in frames { outputs = link.hear(frame, on: peripheral.cid) }
            #expect(outputs.commands == [.disconnectionRequest(destination: central.cid, source: peripheral.cid)])
            let why = ChannelEnd.violation("the peer sent \(mistake)")
            #expect(outputs.events == [.closed(peripheral, byPeer: false, why: why)])
            #expect(link.hear([1, 0, 1], on: peripheral.cid).isEmpty)
            let response = SignalingCommand.disconnectionResponse(destination: central.cid, source: peripheral.cid)
            let identifier = try #require(outputs.packets.first?.identifier)
            #expect(link.hear(response, identifier: identifier).isEmpty && link.channels.isEmpty)
        }
    }

    @Test("More than 65535 credits close the channel", .shows("L2CAP/LE/CFC/BI-01-C"))
    mutating func creditOverflow() {
        let most = SignalingCommand.flowControlCredit(channel: peripheral.cid, credits: 65531)
        #expect(pair.central.hear(most).isEmpty)
        let outputs = pair.central.hear(.flowControlCredit(channel: peripheral.cid, credits: 1))
        #expect(outputs.commands == [.disconnectionRequest(destination: peripheral.cid, source: central.cid)])
        let why = ChannelEnd.violation("the peer sent 1 credits, which makes more than 65535")
        #expect(outputs.events == [.closed(central, byPeer: false, why: why)])
    }

    @Test("No credits are told, and change nothing")
    mutating func noCredits() {
        let outputs = pair.central.hear(.flowControlCredit(channel: peripheral.cid, credits: 0))
        #expect(outputs.count == 1 && outputs.hasNote)
    }

    @Test("Credits for an unknown channel get Command Reject", arguments: [0x0000, 0x0055] as [UInt16])
    mutating func creditsForNothing(cid: UInt16) {
        let outputs = pair.central.hear(.flowControlCredit(channel: cid, credits: 1))
        #expect(outputs.commands == [.commandReject(.invalidChannel(local: 0, remote: cid))])
    }

    @Test("Data for a channel that is not open yet is ignored")
    mutating func early() throws {
        let (channel, _) = try pair.central.open(psm: 0x90, at: .zero)
        let outputs = pair.central.hear([1, 0, 1], on: channel.cid)
        #expect(outputs.count == 1 && outputs.hasNote)
    }

    @Test("A random conversation loses nothing, changes nothing and keeps the order")
    func conversation() throws {
        var numbers = SeededNumbers(seed: 3)
        for _ in 0..<max(1, L2CAPFuzz.count / 1000) { try converse(&numbers) }
    }

    private func converse(_ numbers: inout SeededNumbers) throws {
        var configurations = (L2CAPConfiguration(), L2CAPConfiguration())
        for path in [\(L2CAPConfiguration, L2CAPConfiguration).0, \.1] {
            configurations[keyPath: path].mps = UInt16.random(in: 23...300, using: &numbers)
            configurations[keyPath: path].initialCredits = UInt16.random(in: 0...12, using: &numbers)
            configurations[keyPath: path].waitingSDUs = Int.random(in: 1...12, using: &numbers)
            configurations[keyPath: path].creditBatch = Int.random(in: 1...8, using: &numbers)
        }
        var pair = L2CAPPair(central: configurations.0, peripheral: configurations.1)
        pair.peripheral.listeners[0x80] = L2CAPLink.Listener(mtu: 2000)
        pair.pump(try pair.central.open(psm: 0x80, at: .zero).1, from: .central)
        let central = try #require(pair.centralsChannels.first)
        let peripheral = try #require(pair.peripheralsChannels.first)
        var sent: (central: [[UInt8]], peripheral: [[UInt8]]) = ([], [])
        for _ in 0..<100 {
            let sdu = L2CAPFuzz.bytes(2000, &numbers)
            switch Int.random(in: 0..<4, using: &numbers) {
            case 0:
                guard let outputs = try? pair.central.send(sdu: sdu, on: central) else { break }
                sent.central.append(sdu)
                pair.pump(outputs, from: .central)
            case 1:
                guard let outputs = try? pair.peripheral.send(sdu: sdu, on: peripheral) else { break }
                sent.peripheral.append(sdu)
                pair.pump(outputs, from: .peripheral)
            case 2: pair.pump(pair.central.consumed(on: central), from: .central)
            default: pair.pump(pair.peripheral.consumed(on: peripheral), from: .peripheral)
            }
        }
        for _ in 0..<100 {
            pair.pump(pair.central.consumed(100, on: central), from: .central)
            pair.pump(pair.peripheral.consumed(100, on: peripheral), from: .peripheral)
        }
        #expect(pair.received(by: .peripheral) == sent.central && pair.received(by: .central) == sent.peripheral)
        #expect(pair.heardByCentral.filter { $0 == .sent(central) }.count == sent.central.count)
    }
}

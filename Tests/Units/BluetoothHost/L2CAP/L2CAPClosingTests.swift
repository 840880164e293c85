import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Channels that end")
struct L2CAPClosingTests {
    private var pair = L2CAPPair()
    private var central: LocalChannel
    private var peripheral: LocalChannel

    init() throws {
        pair.peripheral.listeners[0x80] = L2CAPLink.Listener(mtu: 200)
        pair.pump(try pair.central.open(psm: 0x80, at: .zero).1, from: .central)
        central = try #require(pair.centralsChannels.first)
        peripheral = try #require(pair.peripheralsChannels.first)
    }

    @Test("Both ends hear of the end, and who wanted it", .shows("L2CAP/LE/CFC/BV-08-C", "L2CAP/LE/CFC/BV-09-C"))
    mutating func close() {
        pair.pump(pair.central.close(central, at: .zero), from: .central)
        #expect(pair.heardByPeripheral.last == .closed(peripheral, byPeer: true, why: .requested))
        #expect(pair.heardByCentral.last == .closed(central, byPeer: false, why: .requested))
        #expect(pair.central.channels.isEmpty && pair.peripheral.channels.isEmpty)
        #expect(pair.central.deadline == nil && pair.peripheral.deadline == nil)
    }

    @Test("A channel that the peer opened may be closed, too")
    mutating func closeByPeripheral() {
        pair.pump(pair.peripheral.close(peripheral, at: .zero), from: .peripheral)
        #expect(pair.heardByCentral.last == .closed(central, byPeer: true, why: .requested))
        #expect(pair.heardByPeripheral.last == .closed(peripheral, byPeer: false, why: .requested))
    }

    @Test("A channel that ends sends, receives and keeps nothing more")
    mutating func closing() throws {
        _ = pair.central.hear([9, 0, 1], on: central.cid)
        _ = pair.central.close(central, at: .zero)
        #expect(pair.central.channel(central)?.receiver == nil && pair.central.channel(central)?.sender == nil)
        #expect(throws: L2CAPError.notOpen(central)) { try pair.central.send(sdu: [1], on: central) }
        #expect(pair.central.hear([1, 0, 1], on: central.cid).isEmpty)
        #expect(pair.central.hear(.flowControlCredit(channel: peripheral.cid, credits: 1)).isEmpty)
        #expect(pair.central.consumed(on: central).isEmpty)
        #expect(pair.central.close(central, at: .zero).isEmpty)
    }

    @Test("Without an answer, the channel ends after the request timeout")
    mutating func timeout() {
        _ = pair.central.close(central, at: .seconds(1))
        #expect(pair.central.advance(to: .seconds(30)).isEmpty)
        #expect(
            pair.central.advance(to: .seconds(31)) == [
                .timedOut(.disconnection(central)), .closed(central, byPeer: false, why: .noAnswer),
            ])
        #expect(pair.central.channels.isEmpty && pair.central.deadline == nil)
    }

    @Test("A Command Reject for the end is an end")
    mutating func rejected() {
        let outputs = pair.central.close(central, at: .zero)
        let identifier = outputs.packets.first?.identifier ?? 0
        let reject = SignalingCommand.commandReject(.invalidChannel(local: 0, remote: 0))
        #expect(
            pair.central.hear(reject, identifier: identifier)
                == [.closed(central, byPeer: false, why: .requested)])
    }

    @Test("Both ends may close a channel at the same time")
    mutating func crossing() {
        let first = pair.central.close(central, at: .zero)
        let second = pair.peripheral.close(peripheral, at: .zero)
        pair.pump(first.map { (.central, $0) } + second.map { (.peripheral, $0) })
        #expect(pair.heardByCentral.dropFirst() == [.closed(central, byPeer: false, why: .requested)])
        #expect(pair.heardByPeripheral.dropFirst() == [.closed(peripheral, byPeer: false, why: .requested)])
        #expect(pair.central.channels.isEmpty && pair.peripheral.channels.isEmpty)
        #expect(pair.central.deadline == nil && pair.peripheral.deadline == nil)
    }

    @Test("A peer that closes at the same time, without an answer to this end, is told as late only")
    mutating func crossingWithoutAnswer() {
        _ = pair.central.close(central, at: .zero)
        let request = SignalingCommand.disconnectionRequest(destination: central.cid, source: peripheral.cid)
        let outputs = pair.central.hear(request, identifier: 77)
        #expect(outputs.events == [.closed(central, byPeer: false, why: .requested)])
        #expect(pair.central.hear(request, identifier: 78).events.isEmpty)
        #expect(pair.central.advance(to: .seconds(30)) == [.timedOut(.disconnection(central))])
        #expect(pair.central.channels.isEmpty)
    }

    @Test("The end of an unknown channel gets Command Reject", .shows("L2CAP/LE/CFC/BV-23-C"))
    mutating func unknown() {
        let outputs = pair.central.hear(.disconnectionRequest(destination: 0x60, source: 0x61))
        #expect(outputs.commands == [.commandReject(.invalidChannel(local: 0x60, remote: 0x61))])
    }

    @Test("A wrong Source CID is discarded", arguments: [0x0000, 0x0061] as [UInt16])
    mutating func wrongSource(source: UInt16) {
        let outputs = pair.central.hear(.disconnectionRequest(destination: central.cid, source: source))
        #expect(outputs.frames.isEmpty && outputs.hasNote && pair.central.channel(central)?.isOpen == true)
    }

    @Test("The peer cannot close a channel that it has not opened yet")
    mutating func early() throws {
        let (channel, _) = try pair.central.open(psm: 0x81, at: .zero)
        let outputs = pair.central.hear(.disconnectionRequest(destination: channel.cid, source: 0))
        #expect(outputs.frames.isEmpty && pair.central.channel(channel) != nil)
    }

    @Test("An answer with other channels than the request is not its answer")
    mutating func wrongResponse() {
        let identifier = pair.central.close(central, at: .zero).packets.first?.identifier ?? 0
        for (destination, source) in [(central.cid + 9, central.cid), (peripheral.cid, central.cid + 9)] {
            let response = SignalingCommand.disconnectionResponse(destination: destination, source: source)
            #expect(pair.central.hear(response, identifier: identifier).events.isEmpty)
        }
        #expect(pair.central.channel(central) != nil)
    }

    @Test("The end of the link ends its channels, open or not")
    mutating func linkEnds() throws {
        let (opening, _) = try pair.central.open(psm: 0x81, at: .zero)
        #expect(
            pair.central.end() == [
                .closed(central, byPeer: false, why: .linkEnded), .openFailed(opening, why: L2CAPRefusal(.linkEnded)),
            ])
        #expect(pair.central.channels.isEmpty && pair.central.deadline == nil)
        _ = pair.peripheral.close(peripheral, at: .zero)
        #expect(pair.peripheral.end() == [.closed(peripheral, byPeer: false, why: .linkEnded)])
    }
}

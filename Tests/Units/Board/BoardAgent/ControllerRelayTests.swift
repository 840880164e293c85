import BoardProtocol
import HILPOSIX
import HILTiming
import RadioModel
import Testing

@testable import BoardAgent
@testable import HILBlueZ

/// A relay whose controller is the other end of a socket.
private final class StubController: Sendable {
    let far: Descriptor
    let sent = EventLog<ControllerFrame>()
    let events = EventLog<Int>()
    let relay: ControllerRelay

    init() throws {
        let near: Descriptor
        (near, far) = try UnixSocket.packetPair()
        relay = try ControllerRelay(
            session: 5, send: { [sent] in sent.append($0) },
            emit: { [events] in if case .reportsDropped(let count) = $0 { events.append(count) } },
            open: { take, lost throws(SystemError) in try UserChannel(near, take: take, lost: lost) })
    }

    /// How the relay has ended.
    var end: String {
        get async throws {
            let message = try await sent.first { if case .ended = $0.content { true } else { false } }.event
            guard case .ended(let why) = message.content else { return "" }
            return why
        }
    }
}

@Suite("The relay of a taken controller", .timeLimit(.minutes(1)))
struct ControllerRelayTests {
    private static let reset: [UInt8] = [1, 3, 0x0C, 0]

    @Test("Packets go both ways in order, and each side learns what the other has taken")
    func packets() async throws {
        let stub = try StubController()
        stub.relay.take(ControllerFrame(session: 5, .packets(first: 0, [Self.reset, ControllerPackets.data(1)])))
        #expect(try stub.far.read() == Self.reset)
        #expect(try stub.far.read() == ControllerPackets.data(1))
        #expect(try await stub.sent.first().event == ControllerFrame(session: 5, .taken(2)))
        try stub.far.write(ControllerPackets.completed)
        #expect(
            try await stub.sent.first(from: 1).event
                == ControllerFrame(session: 5, .packets(first: 0, [ControllerPackets.completed])))
        // A message for an earlier controller does not reach this one.
        stub.relay.take(ControllerFrame(session: 4, .packets(first: 0, [ControllerPackets.data(2)])))
        stub.relay.take(ControllerFrame(session: 5, .packets(first: 2, [ControllerPackets.data(3)])))
        #expect(try stub.far.read() == ControllerPackets.data(3))
        await stub.relay.close()
        #expect(try stub.far.read().isEmpty, "the kernel has it again when that returns")
    }

    @Test("A flood of advertising reports stops at the window, and is counted")
    func flood() async throws {
        let stub = try StubController()
        for number in 0..<3000 { try stub.far.write(ControllerPackets.report(UInt8(number & 0xFF))) }
        try stub.far.write(ControllerPackets.completed)
        let last = try await stub.sent.first {
            guard case .packets(_, let packets) = $0.content else { return false }
            return packets.contains(ControllerPackets.completed)
        }.event
        guard case .packets(let first, let packets) = last.content else { return }
        let kept = Int(first) + packets.count - 1
        #expect(kept == ControllerQueue.mostReportBytes / ControllerPackets.report(0).count)
        await stub.relay.close()
        #expect(stub.events.events.reduce(kept, +) == 3000)
    }

    @Test("What a runner sends wrongly ends the relay: lost packets, more than the window, what was never sent")
    func wrong() async throws {
        let gap = try StubController()
        gap.relay.take(ControllerFrame(session: 5, .packets(first: 1, [Self.reset])))
        #expect(try await gap.end == "1 packets of the runner were lost on the way")
        await gap.relay.close()

        let flood = try StubController()
        let packets = (0..<300).map { ControllerPackets.data($0, count: 251) }
        flood.relay.take(ControllerFrame(session: 5, .packets(first: 0, packets)))
        #expect(try await flood.end == "the runner sends more packets than were taken")
        await flood.relay.close()

        let early = try StubController()
        early.relay.take(ControllerFrame(session: 5, .taken(1)))
        #expect(try await early.end == "the runner has taken packets that were never sent")
        await early.relay.close()
    }

    @Test("A controller that is unplugged, or sends no HCI, ends the relay with the reason")
    func lost() async throws {
        let unplugged = try StubController()
        unplugged.far.close()
        #expect(try await unplugged.end == "it was unplugged")
        await unplugged.relay.close()

        let broken = try StubController()
        try broken.far.write([9, 9])
        #expect(try await broken.end.hasPrefix("it sent an H4 packet of the unknown type 9"))
        await broken.relay.close()
    }
}

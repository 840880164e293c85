import Testing

@testable import HILBluetoothHost

@Suite("Data to the controller")
struct DataFlowTests {
    private let first = ConnectionHandle(0x40)
    private let second = ConnectionHandle(0x41)

    private func channel(
        le: (Int, Int) = (27, 3), classic: (Int, Int) = (0, 0), lowWater: Int = 2
    ) -> ControllerChannel {
        var configuration = ControllerChannel.Configuration()
        configuration.lowWater = lowWater
        configuration.mostWaitingBytes = 4096
        var channel = ControllerChannel(configuration: configuration)
        _ = channel.use(
            BufferSizes(
                lowEnergy: .init(packetLength: le.0, packetCount: le.1),
                classic: .init(packetLength: classic.0, packetCount: classic.1)))
        return channel
    }

    /// A whole frame on channel 4 with so many bytes in all.
    private func frame(_ count: Int, _ value: UInt8 = 7) -> [UInt8] {
        [UInt8((count - 4) & 0xFF), UInt8((count - 4) >> 8), 4, 0] + [UInt8](repeating: value, count: count - 4)
    }

    @Test("A frame is cut to the buffer's size: a first packet, then continuing ones")
    func fragments() {
        var channel = channel(le: (27, 9))
        _ = channel.linkOpened(first, kind: .le, at: .zero)
        let frame = frame(60)
        let packets = channel.send(frame: frame, on: first).packets
        #expect(
            packets == [
                ControllerPacket.data(first, 0, frame[0..<27]), ControllerPacket.data(first, 1, frame[27..<54]),
                ControllerPacket.data(first, 1, frame[54..<60]),
            ])
        #expect(channel.send(frame: self.frame(27), on: first).packets.count == 1)
        #expect(channel.send(frame: self.frame(28), on: first).packets.count == 2)
    }

    @Test("A frame on a classic link begins with the flag for classic links, and uses the classic buffers")
    func classic() {
        var channel = channel(le: (27, 1), classic: (100, 2))
        _ = channel.linkOpened(first, kind: .classic, at: .zero)
        _ = channel.linkOpened(second, kind: .le, at: .zero)
        let frame = frame(150)
        #expect(
            channel.send(frame: frame, on: first).packets == [
                ControllerPacket.data(first, 2, frame[0..<100]), ControllerPacket.data(first, 1, frame[100...]),
            ])
        #expect(channel.send(frame: frame, on: second).packets.count == 1)
    }

    @Test("Without LE buffers, LE links share the classic ones")
    func shared() {
        var channel = channel(le: (0, 0), classic: (50, 3))
        _ = channel.linkOpened(first, kind: .le, at: .zero)
        _ = channel.linkOpened(second, kind: .classic, at: .zero)
        #expect(channel.send(frame: frame(50), on: second).packets.count == 1)
        #expect(channel.send(frame: frame(50), on: first).packets == [ControllerPacket.data(first, 0, frame(50))])
        #expect(channel.send(frame: frame(50), on: second).packets.count == 1)
        #expect(channel.send(frame: frame(50), on: first).packets.count == 0)
        #expect(channel.receive(ControllerPacket.completed([(second, 1)]), at: .zero).packets.count == 1)
    }

    @Test("The controller never has more packets than buffers, and completed ones make room")
    func credits() {
        var channel = channel(le: (27, 3))
        _ = channel.linkOpened(first, kind: .le, at: .zero)
        let sent = (0..<5).map { channel.send(frame: frame(20, UInt8($0)), on: first).packets.count }
        #expect(sent == [1, 1, 1, 0, 0])
        #expect(channel.pendingFrames(on: first) == 2)
        let more = channel.receive(ControllerPacket.completed([(first, 2)]), at: .zero)
        #expect(more.packets == [3, 4].map { ControllerPacket.data(first, 0, frame(20, $0)) })
        #expect(channel.pendingFrames(on: first) == 0)
    }

    @Test("Reports of more packets than there were, and of unknown links, give no buffers")
    func wrongReports() {
        var channel = channel(le: (27, 2))
        _ = channel.linkOpened(first, kind: .le, at: .zero)
        _ = channel.receive(ControllerPacket.completed([(first, 65535), (second, 9)]), at: .zero)
        let sent = (0..<4).map { _ in channel.send(frame: frame(20), on: first).packets.count }
        #expect(sent == [1, 1, 0, 0])
    }

    @Test("Links take turns packet by packet, and each keeps its order")
    func fairness() {
        var channel = channel(le: (27, 1))
        for handle in [first, second] { _ = channel.linkOpened(handle, kind: .le, at: .zero) }
        let (long, short) = (frame(80, 1), frame(10, 2))
        var packets = channel.send(frame: long, on: first).packets
        packets += channel.send(frame: short, on: second).packets
        packets += channel.send(frame: frame(10, 3), on: second).packets
        for handle in [first, second, first, second] {
            packets += channel.receive(ControllerPacket.completed([(handle, 1)]), at: .zero).packets
        }
        #expect(
            packets == [
                ControllerPacket.data(first, 0, long[0..<27]), ControllerPacket.data(second, 0, short),
                ControllerPacket.data(first, 1, long[27..<54]), ControllerPacket.data(second, 0, frame(10, 3)),
                ControllerPacket.data(first, 1, long[54...]),
            ])
    }

    @Test("A link whose peer takes nothing leaves a buffer for each other link")
    func reserve() {
        var channel = channel(le: (27, 5))
        let links = (0..<3).map { ConnectionHandle(0x40 + $0) }
        for link in links { _ = channel.linkOpened(link, kind: .le, at: .zero) }
        #expect((0..<9).map { _ in channel.send(frame: frame(20), on: links[0]).packets.count }.reduce(0, +) == 3)
        for link in links[1...] { #expect(channel.send(frame: frame(20), on: link).packets.count == 1) }
        // With more links than buffers, all of them still take turns.
        for number in 3..<9 { _ = channel.linkOpened(ConnectionHandle(0x40 + number), kind: .le, at: .zero) }
        _ = channel.receive(ControllerPacket.completed([(links[0], 3)]), at: .zero)
        #expect(channel.pendingFrames(on: links[0]) == 5)
        #expect(channel.send(frame: frame(20), on: ConnectionHandle(0x48)).packets.count == 1)
    }

    @Test("A busy link does not hold up another kind of link")
    func separatePools() {
        var channel = channel(le: (27, 1), classic: (100, 1))
        _ = channel.linkOpened(first, kind: .le, at: .zero)
        _ = channel.linkOpened(second, kind: .classic, at: .zero)
        for _ in 0..<3 { _ = channel.send(frame: frame(27), on: first) }
        #expect(channel.send(frame: frame(27), on: second).packets.count == 1)
    }

    @Test("A closed link gives its buffers to the others, and its frames are dropped")
    func closing() {
        var channel = channel(le: (27, 2))
        _ = channel.linkOpened(first, kind: .le, at: .zero)
        for _ in 0..<4 { _ = channel.send(frame: frame(20, 1), on: first) }
        _ = channel.linkOpened(second, kind: .le, at: .zero)
        #expect(channel.send(frame: frame(20, 2), on: second) == [])
        #expect(
            channel.linkClosed(first) == [.packet(ControllerPacket.data(second, 0, frame(20, 2))), .drained(second)])
        #expect(channel.pendingFrames(on: first) == 0)
        #expect(channel.send(frame: frame(20), on: first) == [])
        #expect(channel.receive(ControllerPacket.completed([(first, 2)]), at: .zero) == [])
        // One of the two buffers is used.
        #expect((0..<2).map { _ in channel.send(frame: frame(20), on: second).packets.count } == [1, 0])
    }

    @Test("A link with the handle of an earlier one begins anew")
    func reopening() {
        var channel = channel(le: (27, 1))
        _ = channel.linkOpened(first, kind: .le, at: .zero)
        for _ in 0..<3 { _ = channel.send(frame: frame(40, 1), on: first) }
        _ = channel.linkOpened(first, kind: .le, at: .zero)
        #expect(channel.pendingFrames(on: first) == 0)
        #expect(channel.send(frame: frame(20, 2), on: first).packets == [ControllerPacket.data(first, 0, frame(20, 2))])
    }

    @Test("Frames wait until the controller's buffers are known")
    func noBuffers() {
        var channel = ControllerChannel()
        _ = channel.linkOpened(first, kind: .le, at: .zero)
        #expect(channel.send(frame: frame(20), on: first) == [])
        let outputs = channel.use(BufferSizes(lowEnergy: .init(packetLength: 27, packetCount: 1)))
        #expect(outputs == [.packet(ControllerPacket.data(first, 0, frame(20))), .drained(first)])
    }

    @Test("Writers are told when few frames wait, and when none do")
    func drained() {
        var channel = channel(le: (27, 1), lowWater: 2)
        _ = channel.linkOpened(first, kind: .le, at: .zero)
        for _ in 0..<5 { #expect(channel.send(frame: frame(20), on: first).drained == []) }
        #expect(channel.pendingFrames(on: first) == 4)
        #expect(channel.isCongested(first))
        var told: [Bool] = []
        for _ in 0..<5 {
            told.append(channel.receive(ControllerPacket.completed([(first, 1)]), at: .zero).drained == [first])
        }
        // 3 wait, 2 wait, 1 waits, none waits, none waits.
        #expect(told == [false, true, false, true, false])
        #expect(!channel.isCongested(first))
    }

    @Test("A frame that leaves at once tells nothing")
    func notCongested() {
        var channel = channel(le: (27, 3))
        _ = channel.linkOpened(first, kind: .le, at: .zero)
        #expect(channel.send(frame: frame(20), on: first).drained == [])
        #expect(channel.send(frame: [], on: first) == [])
        #expect(channel.pendingFrames(on: first) == 0)
    }

    @Test("A peer that takes no data cannot fill the memory")
    func overflow() {
        var channel = channel(le: (27, 1))
        _ = channel.linkOpened(first, kind: .le, at: .zero)
        var violations = 0
        for _ in 0..<100 { violations += channel.send(frame: frame(100), on: first).violations.count }
        #expect(channel.pendingFrames(on: first) == 41)
        #expect(violations == 59)
        #expect(
            channel.send(frame: frame(100), on: first) == [
                .violation(first, "it does not take its data: 4073 bytes wait")
            ])
    }
}

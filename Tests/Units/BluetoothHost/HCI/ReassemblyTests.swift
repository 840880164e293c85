import Testing

@testable import HILBluetoothHost

@Suite("Data from the controller")
struct ReassemblyTests {
    private let link = ConnectionHandle(0x40)

    private func open() -> ControllerChannel {
        var channel = ControllerChannel()
        _ = channel.linkOpened(link, kind: .le, at: .zero)
        return channel
    }

    /// What comes of packets: their boundaries and their data.
    private func receive(_ packets: [(UInt16, String)]) -> [ControllerChannel.Output] {
        var channel = open()
        return packets.flatMap { channel.receive(ControllerPacket.data(link, $0.0, hci($0.1)), at: .zero) }
    }

    @Test("A frame in one packet")
    func whole() {
        #expect(receive([(2, "0300 0400 010203")]) == [.frame(hci("0300 0400 010203"), on: link)])
        #expect(receive([(2, "0000 0400")]) == [.frame(hci("0000 0400"), on: link)])
        // From a controller that keeps the sender's flag.
        #expect(receive([(0, "0000 0400")]) == [.frame(hci("0000 0400"), on: link)])
    }

    @Test("A frame in many packets, even of one byte each")
    func pieces() {
        #expect(
            receive([(2, "0300 0400 01"), (1, "02"), (1, ""), (1, "03")]) == [.frame(hci("0300 0400 010203"), on: link)]
        )
        #expect(
            receive([(2, "03"), (1, "00"), (1, "04"), (1, "00"), (1, "01"), (1, "02"), (1, "03")])
                == [.frame(hci("0300 0400 010203"), on: link)])
    }

    @Test("The longest frame, and not a byte more")
    func longest() {
        var channel = open()
        let start = hci("FFFF 0400") + [UInt8](repeating: 1, count: 60_000)
        #expect(channel.receive(ControllerPacket.data(link, 2, start), at: .zero) == [])
        let rest = [UInt8](repeating: 2, count: 5_535)
        #expect(channel.receive(ControllerPacket.data(link, 1, rest), at: .zero) == [.frame(start + rest, on: link)])
        _ = channel.receive(ControllerPacket.data(link, 2, start), at: .zero)
        #expect(
            channel.receive(ControllerPacket.data(link, 1, rest + [3]), at: .zero)
                == [.violation(link, "it sent a frame of 65536 bytes and had announced 65535")])
    }

    @Test("A continuation without a beginning is the peer's fault")
    func noBeginning() {
        let text = "it continued a frame that it did not begin"
        #expect(receive([(1, "01")]) == [.violation(link, text)])
        #expect(receive([(2, "0000 0400"), (1, "01")]).violations == [text])
    }

    @Test("A beginning inside a frame is the peer's fault, and the new frame is taken")
    func beginningInside() {
        let text = "it began a frame inside another one, of which it had sent 5 bytes"
        #expect(
            receive([(2, "0300 0400 01"), (2, "0000 0600")])
                == [.violation(link, text), .frame(hci("0000 0600"), on: link)])
        #expect(
            receive([(2, "0300 0400 01"), (2, "0100 0600"), (1, "07")])
                == [.violation(link, text), .frame(hci("0100 0600 07"), on: link)])
    }

    @Test("More data than announced is the peer's fault, and the frame is dropped")
    func tooMuch() {
        let text = "it sent a frame of 3 bytes and had announced 2"
        #expect(receive([(2, "0200 0400 010203")]) == [.violation(link, text)])
        #expect(receive([(2, "0200 0400 01"), (1, "0203"), (2, "0000 0400")]).frames.count == 1)
    }

    @Test("Empty beginnings, broadcasts and unknown marks are the peer's fault")
    func marks() {
        #expect(receive([(2, "")]).violations == ["it began a frame with an empty packet"])
        #expect(receive([(3, "0000 0400")]).violations == ["it sent a piece of a frame with an unknown mark"])
        #expect(receive([(2 | 4, "0000 0400")]).violations == ["it sent a broadcast on its link"])
        #expect(receive([(2, "0300 0400 01"), (2, "")]).violations.count == 1)
    }

    @Test("Frames of several links come apart")
    func links() {
        var channel = open()
        let other = ConnectionHandle(0x41)
        _ = channel.linkOpened(other, kind: .classic, at: .zero)
        var outputs: [ControllerChannel.Output] = []
        for (handle, boundary, data) in [
            (link, 2, "0200 0400 01"), (other, 2, "0200 0400 0A"), (link, 1, "02"), (other, 1, "0B"),
        ] as [(ConnectionHandle, UInt16, String)] {
            outputs += channel.receive(ControllerPacket.data(handle, boundary, hci(data)), at: .zero)
        }
        #expect(outputs == [.frame(hci("0200 0400 0102"), on: link), .frame(hci("0200 0400 0A0B"), on: other)])
    }

    @Test("Data that overtakes its link's event comes out when the link opens")
    func early() {
        var channel = ControllerChannel()
        #expect(channel.receive(ControllerPacket.data(link, 2, hci("0200 0400 01")), at: .seconds(1)) == [])
        #expect(channel.receive(ControllerPacket.data(link, 1, hci("02")), at: .seconds(1)) == [])
        #expect(
            channel.linkOpened(link, kind: .le, at: .milliseconds(1_099))
                == [.frame(hci("0200 0400 0102"), on: link)])
        #expect(channel.linkOpened(ConnectionHandle(0x41), kind: .le, at: .milliseconds(1_099)) == [])
    }

    @Test("Data of a link that does not open soon is dropped")
    func tooEarly() {
        var channel = ControllerChannel()
        _ = channel.receive(ControllerPacket.data(link, 2, hci("0000 0400")), at: .seconds(1))
        #expect(channel.linkOpened(link, kind: .le, at: .milliseconds(1_100)) == [])
        var closed = open()
        _ = closed.linkClosed(link)
        _ = closed.receive(ControllerPacket.data(link, 2, hci("0000 0400")), at: .seconds(1))
        _ = closed.linkClosed(link)
        #expect(closed.linkOpened(link, kind: .le, at: .seconds(1)) == [])
    }

    @Test("Little data of unknown links is kept, the newest of it")
    func manyEarly() {
        var channel = ControllerChannel()
        for number in 0..<40 {
            let packet = ControllerPacket.data(ConnectionHandle(number), 2, hci("0000 0400"))
            #expect(channel.receive(packet, at: .zero) == [])
        }
        let kept = (0..<40).filter { !channel.linkOpened(ConnectionHandle($0), kind: .le, at: .zero).isEmpty }
        #expect(kept == Array(24..<40))
    }

    @Test("A frame that was incomplete when its link ended never becomes part of another link's frame")
    func closing() {
        var channel = open()
        _ = channel.receive(ControllerPacket.data(link, 2, hci("0200 0400 01")), at: .zero)
        _ = channel.linkClosed(link)
        _ = channel.linkOpened(link, kind: .le, at: .zero)
        #expect(channel.receive(ControllerPacket.data(link, 1, hci("02")), at: .zero).violations.count == 1)
    }
}

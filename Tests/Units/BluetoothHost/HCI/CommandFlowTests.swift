import Testing

@testable import HILBluetoothHost

@Suite("Commands through the controller channel")
struct CommandFlowTests {
    @Test("A command waits until the controller has answered the one before")
    func oneAtATime() {
        var channel = ControllerChannel()
        let first = channel.send(.readRSSI(ConnectionHandle(1)), at: .zero)
        let second = channel.send(.leRand, at: .zero)
        #expect(first.outputs == [.packet(hci("01 0514 02 0100"))])
        #expect(second.outputs == [])
        let answer = channel.receive(ControllerPacket.complete(.readRSSI, .success, [1, 0, 0xC8]), at: .zero)
        #expect(
            answer == [
                .completed(first.token, .success, returnParameters: [1, 0, 0xC8]), .packet(hci("01 1820 00")),
            ])
    }

    @Test("As many commands are on their way as the controller allows")
    func allowance() {
        var channel = ControllerChannel()
        #expect(channel.receive(ControllerPacket.allow(3), at: .zero) == [])
        let sent = (0..<5).map { _ in channel.send(.leRand, at: .zero) }
        #expect(sent.map(\.outputs.count) == [1, 1, 1, 0, 0])
        // Two are still on their way: the controller may or may not have counted them.
        #expect(channel.receive(ControllerPacket.complete(.leRand, allowance: 2), at: .zero).packets.count == 0)
        #expect(channel.receive(ControllerPacket.complete(.leRand, allowance: 3), at: .zero).packets.count == 2)
    }

    @Test("A controller that allows no command gets none until it allows one")
    func none() {
        var channel = ControllerChannel()
        _ = channel.send(.leRand, at: .zero)
        _ = channel.send(.leRand, at: .zero)
        #expect(channel.receive(ControllerPacket.complete(.leRand, allowance: 0), at: .zero).packets == [])
        #expect(channel.receive(ControllerPacket.allow(1), at: .zero) == [.packet(hci("01 1820 00"))])
    }

    @Test("An answer goes to the oldest command with its opcode")
    func matching() {
        var channel = ControllerChannel()
        _ = channel.receive(ControllerPacket.allow(5), at: .zero)
        let tokens = [HCICommand.leRand, .readRSSI(ConnectionHandle(1)), .leRand].map {
            channel.send($0, at: .zero).token
        }
        #expect(Set(tokens).count == 3)
        let answers = [HCIOpcode.leRand, .leRand, .readRSSI].flatMap {
            channel.receive(ControllerPacket.complete($0, allowance: 5), at: .zero)
        }
        #expect(answers == [tokens[0], tokens[2], tokens[1]].map { .completed($0, .success, returnParameters: []) })
    }

    @Test("Command Status answers a command too: its begin, or its failure")
    func status() {
        var channel = ControllerChannel()
        let first = channel.send(.leReadRemoteFeatures(ConnectionHandle(1)), at: .zero).token
        #expect(
            channel.receive(ControllerPacket.status(.leReadRemoteFeatures), at: .zero)
                == [.completed(first, .success, returnParameters: [])])
        let second = channel.send(.leRand, at: .zero).token
        #expect(
            channel.receive(ControllerPacket.status(.leRand, .unknownCommand), at: .zero)
                == [.completed(second, .unknownCommand, returnParameters: [])])
    }

    @Test("An answer without a command is only an event, and still allows commands")
    func unmatched() throws {
        var channel = ControllerChannel()
        _ = channel.send(.leRand, at: .zero)
        _ = channel.send(.leRand, at: .zero)
        let outputs = channel.receive(ControllerPacket.complete(.reset, allowance: 2), at: .zero)
        #expect(
            outputs == [
                .event(.commandComplete(.reset, allowance: 2, returnParameters: [0])), .packet(hci("01 1820 00")),
            ])
        let status = channel.receive(ControllerPacket.status(.disconnect), at: .zero)
        #expect(status == [.event(.commandStatus(.disconnect, status: .success, allowance: 1))])
    }

    @Test("Nothing is sent beside a Reset")
    func reset() {
        var channel = ControllerChannel()
        _ = channel.receive(ControllerPacket.allow(9), at: .zero)
        #expect(channel.send(.leRand, at: .zero).outputs.count == 1)
        #expect(channel.send(.reset, at: .zero).outputs == [])
        #expect(channel.send(.leRand, at: .zero).outputs == [])
        let afterRand = channel.receive(ControllerPacket.complete(.leRand, allowance: 9), at: .zero)
        #expect(afterRand.packets == [HCICommand.reset.packet])
        #expect(channel.receive(ControllerPacket.allow(9), at: .zero) == [])
        let afterReset = channel.receive(ControllerPacket.complete(.reset, allowance: 9), at: .zero)
        #expect(afterReset.packets == [HCICommand.leRand.packet])
    }

    @Test("A command without an answer in time is the controller's failure, with the command's name")
    func noAnswer() {
        var channel = ControllerChannel()
        #expect(channel.deadline == nil)
        _ = channel.send(.leRand, at: .seconds(5))
        _ = channel.send(.reset, at: .seconds(6))
        #expect(channel.deadline == .seconds(15))
        #expect(channel.advance(to: .milliseconds(14_999)) == [])
        #expect(
            channel.advance(to: .seconds(15)) == [.failed("the controller did not answer LE Rand within 10.0 seconds")])
        #expect(channel.deadline == nil)
    }

    @Test("Each command's time begins when it is sent")
    func limitFromSending() {
        var configuration = ControllerChannel.Configuration()
        configuration.commandLimit = .seconds(2)
        var channel = ControllerChannel(configuration: configuration)
        _ = channel.send(.leRand, at: .zero)
        _ = channel.send(.readAddress, at: .zero)
        _ = channel.receive(ControllerPacket.complete(.leRand), at: .seconds(1))
        #expect(channel.deadline == .seconds(3))
        _ = channel.receive(ControllerPacket.complete(.readAddress), at: .seconds(2))
        #expect(channel.deadline == nil)
    }

    @Test("A controller that allows no command in time has failed, even if it repeats that")
    func starved() {
        var channel = ControllerChannel()
        _ = channel.receive(ControllerPacket.allow(0), at: .seconds(1))
        #expect(channel.deadline == nil)
        _ = channel.send(.leRand, at: .seconds(2))
        #expect(channel.deadline == .seconds(12))
        _ = channel.receive(ControllerPacket.allow(0), at: .seconds(5))
        #expect(channel.deadline == .seconds(12))
        #expect(
            channel.advance(to: .seconds(12)) == [.failed("the controller did not take LE Rand within 10.0 seconds")])
    }

    @Test(
        "A broken controller has failed: it is told once, and nothing more is taken or given",
        arguments: [
            ("04 10 01 42", "the controller reported the hardware error 0x42"),
            (
                "04 05 03 00 4000",
                "the controller sent a Disconnection Complete event of 3 bytes; at least 4 are needed"
            ),
            ("04 05 09 00", "the controller sent an HCI event that announces 9 bytes and has 1"),
            ("04 0E 03 01 1820", "the controller completed LE Rand without a status"),
            ("02 4000 0500 01", "the controller sent a data packet that announces 5 bytes and has 1"),
            ("02 40", "the controller sent a data packet of 1 bytes; at least 2 are needed"),
            ("01 030C 00", "the controller sent a packet of type 0x01, neither an event nor data"),
            ("03 4000 00", "the controller sent a packet of type 0x03, neither an event nor data"),
            ("", "the controller sent an empty packet"),
        ])
    func broken(packet: String, text: String) {
        var channel = ControllerChannel()
        _ = channel.use(BufferSizes(lowEnergy: .init(packetLength: 27, packetCount: 2)))
        _ = channel.linkOpened(ConnectionHandle(0x40), kind: .le, at: .zero)
        let first = channel.send(.leRand, at: .zero).token
        #expect(channel.receive(hci(packet), at: .zero) == [.failed(text)])
        #expect(channel.failure == text)
        #expect(channel.deadline == nil)
        #expect(channel.receive(ControllerPacket.complete(.leRand), at: .zero) == [])
        #expect(channel.receive(hci(packet), at: .zero) == [])
        let later = channel.send(.leRand, at: .zero)
        #expect(later.outputs == [])
        #expect(later.token != first)
        #expect(channel.send(frame: [1, 0, 4, 0, 9], on: ConnectionHandle(0x40)) == [])
        #expect(channel.linkOpened(ConnectionHandle(0x41), kind: .le, at: .zero) == [])
        #expect(channel.linkClosed(ConnectionHandle(0x40)) == [])
        #expect(channel.advance(to: .seconds(60)) == [])
    }

    @Test("Other events come out as they are, stored link keys not at all")
    func events() {
        var channel = ControllerChannel()
        let event = HCIEvent.disconnectionComplete(
            ConnectionHandle(0x40), status: .success, reason: .remoteUserEnded)
        #expect(channel.receive(hci("04 05 04 00 4000 13"), at: .zero) == [.event(event)])
        #expect(channel.receive(hci("04 15 01 00"), at: .zero) == [])
        #expect(channel.receive(hci("04 FF 01 07"), at: .zero) == [.event(.unknown(code: 0xFF, [7]))])
        #expect(channel.receive(hci("04 1A 01 01"), at: .zero) == [.event(.dataBufferOverflow(linkType: 1))])
    }
}

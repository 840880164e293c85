import BoardProtocol
import Foundation
import HILPOSIX
import HILTiming
import RadioModel
import Testing

@testable import HILPhoneRadio

@Suite("The controller of a host board", .timeLimit(.minutes(1)))
struct BoardTransportTests {
    private static let reset: [UInt8] = [1, 3, 0x0C, 0]
    private static let event: [UInt8] = [4, 0x0E, 4, 1, 3, 0x0C, 0]
    private static let address = DeviceAddress("02:00:00:00:00:01")!

    /// The agent's end. The test decides what it says.
    private final class Agent: Sendable {
        let channel: FrameChannel
        let commands = EventLog<String>()
        let messages = EventLog<ControllerFrame>()

        /// - Parameter answer: Answers the command to take the controller.
        init(_ socket: Descriptor, _ answer: Result<TakenController, RadioError>, early: ControllerFrame? = nil) {
            channel = FrameChannel(socket, name: "stub")
            Task { [channel, commands, messages] in
                for await case .frame(let frame) in channel.items {
                    if let message = ControllerFrame(payload: frame.payload),
                        frame.kind == BoardProtocol.FrameKind.controller
                    {
                        messages.append(message)
                    } else {
                        let answer = Answerer<BoardCall>.answer(Data(frame.payload)) { call throws(RadioError) in
                            commands.append(call.name)
                            if let early { channel.send(early.frame) }
                            switch call {
                            case .controller(.take(let reply)): return reply(try answer.get())
                            case .controller(.giveBack(let reply)): return reply()
                            default: throw .invalid("not a call of this test")
                            }
                        }
                        guard let answer else { continue }
                        channel.send(Frame(kind: BoardProtocol.FrameKind.answer, payload: Array(answer)))
                    }
                }
            }
        }

        func say(_ content: ControllerFrame.Content) { channel.send(ControllerFrame(session: 3, content).frame) }
    }

    private func taken(early: ControllerFrame? = nil) async throws -> (BoardTransport, Agent) {
        let (near, far) = try UnixSocket.pair()
        let agent = Agent(far, .success(TakenController(session: 3, address: Self.address)), early: early)
        return (try await BoardTransport.take(from: BoardClient(near, role: .host)), agent)
    }

    @Test("Packets go both ways in order, also those that come before the answer, and it is given back")
    func packets() async throws {
        let (transport, agent) = try await taken(
            early: ControllerFrame(session: 3, .packets(first: 0, [Self.event])))
        #expect(transport.address == Self.address)
        var packets = transport.packets.makeAsyncIterator()
        #expect(try await packets.next() == Self.event)
        #expect(try await agent.messages.first().event == ControllerFrame(session: 3, .taken(1)))
        try transport.send(Self.reset)
        #expect(
            try await agent.messages.first(from: 1).event
                == ControllerFrame(session: 3, .packets(first: 0, [Self.reset])))
        agent.say(.packets(first: 1, [[2, 1, 0x20, 0, 0], Self.event]))
        #expect(try await packets.next() == [2, 1, 0x20, 0, 0])
        #expect(try await packets.next() == Self.event)
        try await transport.giveBack()
        #expect(agent.commands.events == ["controller.take", "controller.giveBack"])
        #expect(try await packets.next() == nil)
        #expect(throws: RadioError.self) { try transport.send(Self.reset) }
    }

    @Test("A transport that is no longer used gives the controller back")
    func released() async throws {
        var agent: Agent?
        do {
            let (transport, made) = try await taken()
            agent = made
            transport.close()
        }
        _ = try await agent?.commands.first { $0 == "controller.giveBack" }
    }

    @Test("A board that does not give its controller says why")
    func refused() async throws {
        let (near, far) = try UnixSocket.pair()
        let agent = Agent(far, .failure(.rig("it is switched on")))
        let client = BoardClient(near, role: .host)
        await #expect(throws: RadioError.rig("it is switched on")) { try await BoardTransport.take(from: client) }
        withExtendedLifetime(agent) {}
    }

    @Test("Lost packets, a lost controller and a lost agent end it with the reason, after the packets before")
    func lost() async throws {
        func end(_ body: (Agent) -> Void) async throws -> String {
            let (transport, agent) = try await taken()
            agent.say(.packets(first: 0, [Self.event]))
            body(agent)
            var packets = transport.packets.makeAsyncIterator()
            #expect(try await packets.next() == Self.event)
            do { _ = try await packets.next() } catch { return "\(error)" }
            return "no error"
        }
        #expect(try await end { $0.say(.packets(first: 3, [Self.event])) }.contains("2 of its packets were lost"))
        #expect(try await end { $0.say(.ended("it was unplugged")) }.contains("it was unplugged"))
        #expect(try await end { $0.say(.taken(1)) }.contains("never sent"))
        // A closed connection may lose what was sent last.
        let (transport, agent) = try await taken()
        agent.channel.close()
        var packets = transport.packets.makeAsyncIterator()
        await #expect {
            _ = try await packets.next()
        } throws: { "\($0)".contains("the agent of the host board is lost") }
    }

    @Test("A reader that stops makes the board wait; a board that takes nothing makes the phone fail, not grow")
    func bounds() async throws {
        let messages = EventLog<ControllerFrame>()
        let conversation = ControllerConversation { messages.append($0) }
        conversation.begin(3)
        let packets = (0..<40).map { [2, UInt8($0), 0x20, 0xE8, 3] + [UInt8](repeating: 0, count: 1000) }
        conversation.receive(ControllerFrame(session: 3, .packets(first: 0, packets)))
        #expect(messages.events.isEmpty, "nothing is taken before somebody reads it")
        for packet in packets { #expect(try await conversation.next() == packet) }
        #expect(messages.events.last == ControllerFrame(session: 3, .taken(40)))
        #expect(messages.count < 10, "not each packet has its message")

        let place = messages.count
        let data = [2, 1, 0x20, 0xE8, 3] + [UInt8](repeating: 0, count: 1000)
        #expect(throws: RadioError.self) { for _ in 0..<2000 { try conversation.send(data) } }
        let sent = messages.events.dropFirst(place).reduce(0) {
            if case .packets(_, let packets) = $1.content { $0 + packets.count } else { $0 }
        }
        #expect(sent == 33, "the window of 32 KiB")
        conversation.receive(ControllerFrame(session: 3, .taken(33)))
        guard case .packets(first: 33, let more)? = messages.events.last?.content else {
            Issue.record("nothing was sent when there was room again")
            return
        }
        #expect(more.count == 33)
    }
}

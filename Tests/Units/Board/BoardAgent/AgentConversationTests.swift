import BoardProtocol
import Foundation
import Glibc
import HILPOSIX
import HILTiming
import RadioModel
import Synchronization
import Testing

@testable import BoardAgent

/// Answers scans when the test says so, returns written values at once, and records all commands.
final class StubHandler: CallHandler {
    let asked = EventLog<String>()
    let cancelled = EventLog<String>()
    let ended = EventLog<String>()
    private let scans = AsyncStream<Void>.makeStream()

    var areRadiosPowered: Bool { true }
    func reset() async { asked.append("reset") }
    func take(payload bytes: [UInt8]) { asked.append("payload \(bytes.count)") }
    func take(controller bytes: [UInt8]) { asked.append("controller \(bytes.count)") }
    func conversationEnded() { ended.append("ended") }
    func letOneScanEnd() { scans.continuation.yield() }

    func perform(_ call: BoardCall) async throws -> Answer {
        asked.append(call.name)
        switch call {
        case .station(.scan(_, let reply)):
            for await _ in scans.stream { return reply([]) }
            cancelled.append("scan")
            throw CancellationError()
        case .fault(.freeDisk(let reply)): return reply(23)
        case .station(.leave): throw RadioError.notConnected
        default: throw HILPOSIX.SystemError(code: EIO, action: "trying")
        }
    }
}

/// An agent's port and server on one end of a socket pair, and a client on the other end.
final class StubAgent: Sendable {
    let handler = StubHandler()
    let lines = EventLog<String>()
    let journal: Journal
    let server: AgentServer
    let client: Descriptor
    let ended = EventLog<String>()

    init() throws {
        let (near, far) = try UnixSocket.pair()
        client = far
        let port = try AgentPort(
            input: near, output: near, outlivesClients: false, incompleteMessageLimit: .milliseconds(20))
        journal = Journal { [lines] in lines.append(String(decoding: $0, as: UTF8.self)) }
        server = AgentServer(role: .host, journal: journal, handler: handler) { port.send($0) }
        startThread(named: "agent") { [server, ended] in
            do { try port.run { server.accept($0) } } catch { ended.append("\(error)") }
            ended.append("end")
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct AgentConversationTests {
    static let device = DeviceAddress("02:00:00:00:00:01")!

    @Test func greetsAndAnswersInParallel() async throws {
        let agent = try StubAgent()
        let client = BoardClient(agent.client, role: .host)
        let greeting = try await client.ask { .hello(version: 1, $0) }
        #expect(greeting == BoardGreeting(role: .host, radiosPowered: true))
        let scan = Task { try await client.ask { .station(.scan(hidden: nil, $0)) } }
        _ = try await agent.handler.asked.first(within: .seconds(300), waitingFor: "the scan") { $0 == "station.scan" }
        #expect(try await client.ask { .fault(.freeDisk($0)) } == 23, "the second call does not wait for the first")
        agent.handler.letOneScanEnd()
        #expect(try await scan.value.isEmpty)
        await #expect(throws: RadioError.notConnected) { try await client.ask { .station(.leave($0)) } }
        // An error that is not a `RadioError` is a fault of the rig. Its text says what was being done.
        await #expect(throws: RadioError.rig("trying: Input/output error")) {
            try await client.ask { .system(.versions($0)) }
        }
    }

    @Test func nothingIsDoneBeforeHello() async throws {
        let agent = try StubAgent()
        let client = BoardClient(agent.client, role: .host)
        await #expect(throws: RadioError.invalid("a conversation begins with hello")) {
            try await client.ask { .fault(.freeDisk($0)) }
        }
        #expect(agent.handler.asked.events.isEmpty)
    }

    /// The request of the first conversation ends with it, and its answer does not reach the second conversation.
    @Test func aSecondHelloEndsTheFirstConversation() async throws {
        let agent = try StubAgent()
        let client = BoardClient(agent.client, role: .host)
        try await client.ask { .hello(version: 1, $0) }
        let scan = Task { try await client.ask { .station(.scan(hidden: nil, $0)) } }
        _ = try await agent.handler.asked.first(within: .seconds(300), waitingFor: "the scan") { $0 == "station.scan" }
        try await client.ask { .hello(version: 1, $0) }
        _ = try await agent.handler.cancelled.first(within: .seconds(300), waitingFor: "the scan to be cancelled")
        try await client.ask { .fault(.freeDisk($0)) }
        scan.cancel()
        await #expect(throws: (any Error).self) { try await scan.value }
    }

    /// What the phone's own host stack holds is given back when its runner is gone, not when the next one comes.
    @Test func messagesToTheControllerArePassedOnAndTheEndIsTold() async throws {
        let agent = try StubAgent()
        let client = BoardClient(agent.client, role: .host)
        try await client.ask { .hello(version: 1, $0) }
        #expect(agent.handler.ended.count == 1, "a greeting ends the conversation before")
        client.send(ControllerFrame(session: 1, .taken(0)))
        _ = try await agent.handler.asked.first(within: .seconds(300), waitingFor: "the message") {
            $0 == "controller 13"
        }
        let messages = EventLog<ControllerFrame?>()
        client.onController { messages.append($0) }
        agent.server.pass(ControllerFrame(session: 1, .taken(1)).frame)
        _ = try await messages.first(within: .seconds(300), waitingFor: "the message") { $0?.content == .taken(1) }
        await client.close()
        _ = try await agent.handler.ended.first(from: 1, within: .seconds(300), waitingFor: "the end")
    }

    @Test func eventsAreSentOnlyAfterHello() async throws {
        let agent = try StubAgent()
        let client = BoardClient(agent.client, role: .host)
        agent.server.tell(.radio(.bluetoothPower(false)))
        try await client.ask { .hello(version: 1, $0) }
        agent.server.tell(.radio(.bluetoothPower(true)))
        let first = try await client.events.first(within: .seconds(300), waitingFor: "an event")
        guard case .radio(.bluetoothPower(true)) = first.event else {
            Issue.record("got \(first.event)")
            return
        }
    }

    /// Frames that the agent sends do not extend the time for an incomplete request.
    @Test(.timeLimit(.minutes(1))) func halfARequestIsGivenUpOnABusyPort() async throws {
        let agent = try StubAgent()
        let client = BoardClient(agent.client, role: .host)
        try await client.ask { .hello(version: 1, $0) }
        let request = try JSONEncoder().encode(NumberedCall(id: 900, call: BoardCall.station(.leave(Reply()))))
        try agent.client.write(Frame(kind: BoardProtocol.FrameKind.call, payload: Array(request)).bytes.dropLast(3))
        let chatter = Task {
            while !Task.isCancelled {
                agent.server.tell(.radio(.bluetoothPower(true)))
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        defer { chatter.cancel() }
        _ = try await client.events.first(within: .seconds(300), waitingFor: "a refusal") {
            if case .refused = $0 { true } else { false }
        }
    }

    /// Garbage, a wrong checksum, a frame over the limit, an incomplete frame, an unknown kind, invalid JSON: each is
    /// refused, reported and logged, and the next request is answered.
    @Test func aFrameThatIsNotARequestIsRefusedAndTheNextIsAnswered() async throws {
        let request = try JSONEncoder().encode(NumberedCall(id: 900, call: BoardCall.station(.leave(Reply()))))
        let whole = Frame(kind: BoardProtocol.FrameKind.call, payload: Array(request)).bytes
        var broken = whole
        broken[20] ^= 1
        let hostile: [[UInt8]] = [
            Array("garbage HI".utf8), broken, [0x48, 0x49, 1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0],
            Array(whole.dropLast(3)), Frame(kind: 77, payload: []).bytes,
            Frame(kind: BoardProtocol.FrameKind.call, payload: Array(#"{"id":"#.utf8)).bytes,
        ]
        let agent = try StubAgent()
        let raw = agent.client
        let client = BoardClient(raw, role: .host)
        try await client.ask { .hello(version: 1, $0) }
        for bytes in hostile {
            let place = client.events.count
            try raw.write(bytes)
            _ = try await client.events.first(from: place, within: .seconds(300), waitingFor: "a refusal") {
                if case .refused = $0 { true } else { false }
            }
            #expect(try await client.ask { .fault(.freeDisk($0)) } == 23)
        }
        // The journal writes on its own thread, and several lines at once.
        agent.journal.flush()
        let refusals = agent.lines.events.joined().split(separator: "\n").filter { $0.contains("refused: ") }
        #expect(refusals.count >= hostile.count)
        #expect(!agent.handler.asked.events.contains("station.leave"))
    }

    @Test(
        arguments: [
            (#"{"id":7,"call":{"dance":{"passphrase":"swordfish"}}}"#, "the call dance: it is unknown here"),
            (
                #"{"id":7,"call":{"station":{"_0":{"fly":{"passphrase":"swordfish"}}}}}"#,
                "the call station.fly: it is unknown here"
            ),
            (
                #"{"id":7,"call":{"station":{"_0":{"join":{"_0":{"passphrase":"swordfish"},"_1":{}}}}}}"#,
                "the call station.join: it lacks “ssid”"
            ),
        ]) func anUnreadableCallIsAnsweredByItsNameWithoutItsContent(text: String, why: String) async throws
    {
        let agent = try StubAgent()
        let channel = FrameChannel(agent.client, name: "client")
        channel.send(Frame(kind: BoardProtocol.FrameKind.call, payload: Array(text.utf8)))
        for await item in channel.items {
            guard case .frame(let frame) = item, frame.kind == BoardProtocol.FrameKind.answer else { continue }
            let failure = Answerer<BoardCall>.answer(7, .failure(.invalid(why)))
            #expect(try object(Data(frame.payload)) == object(failure))
            break
        }
        agent.journal.flush()
        #expect(!agent.lines.events.contains { $0.contains("swordfish") })
    }

    private func object(_ message: Data) throws -> NSDictionary? {
        try JSONSerialization.jsonObject(with: message) as? NSDictionary
    }

    @Test func theEndOfTheStreamEndsThePort() async throws {
        let agent = try StubAgent()
        agent.client.close()
        let last = try await agent.ended.first(within: .seconds(300), waitingFor: "the port's end")
        #expect(last.event == "end")
    }
}

import BoardProtocol
import Foundation
import HILPOSIX
import RadioModel
import Testing

/// The agent's end of a conversation. The test decides what it sends.
private final class Agent: Sendable {
    let channel: FrameChannel

    init(_ descriptor: Descriptor) { channel = FrameChannel(descriptor, name: "stub") }

    func answer(_ id: UInt32, _ outcome: Result<Answer, RadioError>) {
        let message = Answerer<BoardCall>.answer(id, outcome)
        channel.send(Frame(kind: BoardProtocol.FrameKind.answer, payload: Array(message)))
    }

    func next() async throws -> NumberedCall<BoardCall>? {
        for await case .frame(let frame) in channel.items {
            return try JSONDecoder().decode(NumberedCall<BoardCall>.self, from: Data(frame.payload))
        }
        return nil
    }
}

@Suite struct BoardMessageTests {
    @Test func callsAreDecodedAsTheyWereEncoded() throws {
        let device = try #require(DeviceAddress("02:00:00:00:00:01"))
        let calls: [BoardCall] = [
            .system(.powerRadios(Reply())), .controller(.take(Reply())), .controller(.giveBack(Reply())),
            .station(.join(WiFiCredentials(ssid: "Lamp 7", security: .wpa3, passphrase: "swordfish"), Reply())),
            .station(.openStream(address: "192.168.7.1", port: 7008, by: .tcp, Reply())),
            .station(.sendOnStream(3, Data([0, 255]), isLast: true, Reply())),
            .station(.receiveFromStream(3, limit: 65_536, Reply())), .station(.closeStream(3, Reply())),
            .station(.scan(hidden: nil, Reply())), .station(.scan(hidden: "é", Reply())),
            .accessory(.ask(Data([0, 255]), of: "die", on: .first, Reply())),
            .accessory(.ask(Data(), of: "lamp", on: 7, Reply())), .accessory(.powerAdapter(1, device, Reply())),
            .accessory(.openInternet(NetworkConfiguration(ssid: "é", security: .open), Reply())),
            .fault(.waitForAdapterRemoval(2, Reply())),
            .home(
                .open(
                    HomeNetworkConfiguration(
                        NetworkConfiguration(ssid: "é", security: .wpa2, passphrase: "swordfish"),
                        radio: DeviceAddress("02:00:00:00:03:00"), isolatesStations: true, hasInternet: true), Reply())),
            .home(.changePassphrase("swordfish", Reply())), .home(.close(Reply())),
            .home(.playServers(ports: [443], Reply())), .home(.nextClient(after: 1, milliseconds: 7, Reply())),
            .stranger(.station(device, .leave(Reply()))), .stranger(.leave(Reply())),
            .stranger(
                .askPorts(device, PortQuestion("10.0.0.1", .udp, ports: [1...9, 53...53], milliseconds: 7), Reply())),
            .program(.offerPayload(PayloadID(digest: "0a", size: 7), Reply())),
            .program(.awaitReadiness(.line(containing: "é"), milliseconds: 5, on: .first, Reply())),
            .program(.awaitReadiness(.socket(port: 80), milliseconds: 5, on: 1, Reply())),
            .program(.send(Data([0, 255]), on: 1, Reply())), .accessory(.prepareCompartment(1, Reply())),
            .program(
                .start(
                    ProgramRequest(
                        payload: PayloadID(digest: "0a", size: 7), keepsFiles: true, command: ["a b", "'"],
                        environment: ["A": "b"], folder: "/", user: "nobody", owns: [.wpaSupplicant]), on: 2, Reply())),
            .program(
                .startAhead(
                    ProgramStart(ProgramRequest(command: ["lamp"]), .network(ssid: "é"), milliseconds: 7), Reply())),
            .program(.checkAhead(Reply())), .program(.end(sparesAhead: true, Reply())),
            .localNetwork(.browse(type: "_lamp._tcp", domain: nil, readsText: true, Reply())),
            .localNetwork(.nextChanges(3, Reply())),
            .localNetwork(.resolve(BonjourName(name: "Lamp é", type: "_lamp._tcp"), Reply())),
            .localNetwork(.publish(.service("Lamp", type: "_lamp._tcp", port: 80), isRenamed: false, Reply())),
            .localNetwork(.setText(4, [Data([0, 255])], Reply())),
            .localNetwork(.listen(port: 0, by: .udp, Reply())), .localNetwork(.accept(5, Reply())),
            .station(.join(WiFiCredentials(ssid: "Küche", security: .open, encoding: .windowsLatin1), Reply())),
            .program(.stop(graceMilliseconds: 0, on: 7, Reply())), .program(.fetchFile("../x", on: 1, Reply())),
            .program(.runCommand(["true"], milliseconds: 1, on: 1, Reply())),
        ]
        for (id, call) in calls.enumerated() {
            let message = try JSONEncoder().encode(NumberedCall(id: UInt32(id), call: call))
            let read = try JSONDecoder().decode(NumberedCall<BoardCall>.self, from: message)
            #expect(read.id == UInt32(id))
            #expect(String(describing: read.call) == String(describing: call))
        }
    }

    /// An event carries the adapter of its accessory, whatever its content.
    @Test func eventsNameTheirAccessory() throws {
        let told = Data([0, 0xFF, 0x7B])
        let data = try JSONEncoder().encode(BoardEvent.accessory(told, of: "lamp", on: 3))
        guard case .accessory(told, of: "lamp", on: 3) = try JSONDecoder().decode(BoardEvent.self, from: data) else {
            Issue.record("another event was decoded")
            return
        }
        #expect((-1...8).filter { AdapterID(rawValue: $0).exists } == Array(0...7))
    }

    /// Names go into logs. Values may be secret.
    @Test func aCallsNameHoldsNoValue() {
        let credentials = WiFiCredentials(ssid: "a", security: .wpa2, passphrase: "swordfish")
        #expect(BoardCall.station(.join(credentials, Reply())).name == "station.join")
        #expect(BoardCall.system(.powerRadios(Reply())).name == "system.powerRadios")
        #expect(BoardCall.hello(version: 7, Reply()).name == "hello")
    }

    @Test func answersFindTheirRequestsInAnyOrder() async throws {
        let (near, far) = try UnixSocket.pair()
        let client = BoardClient(near, role: .host)
        let agent = Agent(far)
        let stream = Task {
            try await client.ask { .station(.openStream(address: "192.168.7.1", port: 7008, by: .tcp, $0)) }
        }
        let first = try #require(try await agent.next())
        let scan = Task { try await client.ask { .station(.scan(hidden: nil, $0)) } }
        let second = try #require(try await agent.next())
        agent.answer(second.id, .failure(.notConnected))
        agent.answer(4711, .success(Reply<Done>()()))
        agent.answer(first.id, .success(Reply<Int>()(185)))
        await #expect(throws: RadioError.notConnected) { try await scan.value }
        #expect(try await stream.value == 185)
    }

    /// The error of a client whose agent answers the greeting in this way.
    private func greeting(_ answer: @escaping @Sendable (Agent, UInt32) throws -> Void) async throws -> String {
        let (near, far) = try UnixSocket.pair()
        let client = BoardClient(near, role: .host)
        let agent = Agent(far)
        let greeting = Task { try await client.greet(within: .seconds(60)) }
        try answer(agent, try #require(try await agent.next()).id)
        do { try await greeting.value } catch { return "\(error)" }
        return "greeted"
    }

    @Test func anAgentOfAnotherVersionIsReportedAtOnce() async throws {
        let own = BoardProtocol.version
        let other = try await greeting {
            let greeting = BoardGreeting(version: own + 1, role: .host, radiosPowered: false)
            $0.answer($1, .success(Reply<BoardGreeting>()(greeting)))
        }
        #expect(
            other.contains(
                "speaks version \(own + 1) of the board protocol for a host board, but this program speaks version \(own);"
            ))
        let unknown = try await greeting { $0.answer($1, .failure(.invalid("unknown request"))) }
        #expect(unknown.contains("does not understand version \(own) of the board protocol: unknown request"))
        let unreadable = try await greeting { agent, id in
            let payload = Array(#"{"id":\#(id),"outcome":{"success":{"_0":{"dance":{}}}}}"#.utf8)
            agent.channel.send(Frame(kind: BoardProtocol.FrameKind.answer, payload: payload))
        }
        #expect(unreadable.contains("the host board's agent sent an unreadable answer: "))
        #expect(!unreadable.contains("dance"), "no part of the payload: it may be secret")
    }

    @Test func aLostAgentEndsEveryWait() async throws {
        let (near, far) = try UnixSocket.pair()
        let client = BoardClient(near, role: .accessory)
        let agent = Agent(far)
        let waiting = Task { try await client.ask { .system(.versions($0)) } }
        _ = try await agent.next()
        agent.channel.close()
        let lost = RadioError.rig("the agent of the accessory board is lost")
        await #expect(throws: lost) { try await waiting.value }
        await #expect(throws: lost) { try await client.ask { .system(.versions($0)) } }
        await #expect(throws: lost) {
            try await client.events.first(within: .seconds(300), waitingFor: "an event")
        }
    }
}

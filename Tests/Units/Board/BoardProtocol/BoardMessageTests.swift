import BoardProtocol
import Foundation
import HILPOSIX
import RadioModel
import Testing

/// The agent's end of a conversation. The test decides what it sends.
private final class Agent: Sendable {
    let channel: FrameChannel

    init(_ descriptor: Descriptor) { channel = FrameChannel(descriptor, name: "stub") }

    func reply(_ id: UInt32, _ outcome: BoardReply.Outcome) throws {
        let payload = try JSONEncoder().encode(BoardReply(id: id, outcome: outcome))
        channel.send(Frame(kind: BoardProtocol.FrameKind.reply, payload: Array(payload)))
    }

    func next() async throws -> BoardRequest? {
        for await case .frame(let frame) in channel.items {
            return try JSONDecoder().decode(BoardRequest.self, from: Data(frame.payload))
        }
        return nil
    }
}

@Suite struct BoardMessageTests {
    @Test func requestsAreDecodedAsTheyWereEncoded() throws {
        let device = try #require(DeviceAddress("02:00:00:00:00:01"))
        let commands: [BoardCommand] = [
            .powerRadios, .takeController, .giveControllerBack,
            .joinWiFi(WiFiCredentials(ssid: "Lamp 7", security: .wpa3, passphrase: "swordfish")),
            .openStream(address: "192.168.7.1", port: 7008, by: .tcp), .sendOnStream(3, Data([0, 255]), isLast: true),
            .receiveFromStream(3, limit: 65_536), .closeStream(3),
            .accessory(Data([0, 255]), of: "die", on: .first), .accessory(Data(), of: "lamp", on: 7),
            .powerAdapter(1, device),
            .openInternet(NetworkConfiguration(ssid: "é", security: .open)), .waitForAdapterRemoval(2),
            .openHomeNetwork(
                HomeNetworkConfiguration(
                    NetworkConfiguration(ssid: "é", security: .wpa2, passphrase: "swordfish"),
                    radio: DeviceAddress("02:00:00:00:03:00"), isolatesStations: true, hasInternet: true)),
            .changeHomePassphrase("swordfish"), .closeHomeNetwork,
            .offerPayload(PayloadID(digest: "0a", size: 7)),
            .awaitProgram(.line(containing: "é"), milliseconds: 5, on: .first),
            .awaitProgram(.socket(port: 80), milliseconds: 5, on: 1), .sendToProgram(Data([0, 255]), on: 1),
            .prepareCompartment(1),
            .startProgram(
                ProgramRequest(
                    payload: PayloadID(digest: "0a", size: 7), keepsFiles: true, command: ["a b", "'"],
                    environment: ["A": "b"], folder: "/", user: "nobody", owns: [.wpaSupplicant]), on: 2),
            .startProgramAhead(
                ProgramStart(ProgramRequest(command: ["lamp"]), .network(ssid: "é"), milliseconds: 7)),
            .checkProgramAhead, .endProgram(sparesAhead: true),
            .localNetwork(.browse(type: "_lamp._tcp", domain: nil, readsText: true)), .localNetwork(.nextChanges(3)),
            .localNetwork(.resolve(BonjourName(name: "Lamp é", type: "_lamp._tcp"))),
            .localNetwork(.publish(.service("Lamp", type: "_lamp._tcp", port: 80), isRenamed: false)),
            .localNetwork(.setText(4, [Data([0, 255])])), .localNetwork(.listen(port: 0, by: .udp)),
            .localNetwork(.accept(5)),
            .joinWiFi(WiFiCredentials(ssid: "Küche", security: .open, encoding: .windowsLatin1)),
            .stopProgram(graceMilliseconds: 0, on: 7), .fetchFile("../x", on: 1),
            .runCommand(["true"], milliseconds: 1, on: 1),
        ]
        for (id, command) in commands.enumerated() {
            let payload = try JSONEncoder().encode(BoardRequest(id: UInt32(id), command: command))
            let request = try JSONDecoder().decode(BoardRequest.self, from: payload)
            #expect(request.id == UInt32(id))
            #expect(String(describing: request.command) == String(describing: command))
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
    @Test func aCommandsNameHoldsNoValue() {
        let join = BoardCommand.joinWiFi(WiFiCredentials(ssid: "a", security: .wpa2, passphrase: "swordfish"))
        #expect(join.name == "joinWiFi")
        #expect(BoardCommand.powerRadios.name == "powerRadios")
    }

    @Test func answersFindTheirRequestsInAnyOrder() async throws {
        let (near, far) = try UnixSocket.pair()
        let client = BoardClient(near, role: .host)
        let agent = Agent(far)
        let stream = Task { try await client.ask(.openStream(address: "192.168.7.1", port: 7008, by: .tcp)) }
        let first = try #require(try await agent.next())
        let scan = Task { try await client.ask(.scanWiFi) }
        let second = try #require(try await agent.next())
        try agent.reply(second.id, .failure(.notConnected))
        try agent.reply(4711, .success(.done))
        try agent.reply(first.id, .success(.number(185)))
        await #expect(throws: RadioError.notConnected) { try await scan.value }
        guard case .number(185) = try await stream.value else {
            Issue.record("no stream")
            return
        }
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
            try $0.reply($1, .success(.hello(version: own + 1, role: .host, radiosPowered: false)))
        }
        #expect(
            other.contains("speaks version \(own + 1) of the board protocol, but this program speaks version \(own) "))
        let unknown = try await greeting { try $0.reply($1, .failure(.invalid("unknown request"))) }
        #expect(unknown.contains("does not understand version \(own) of the board protocol: unknown request"))
        let unreadable = try await greeting { agent, id in
            let payload = Array(#"{"id":\#(id),"outcome":{"success":{"_0":{"dance":{}}}}}"#.utf8)
            agent.channel.send(Frame(kind: BoardProtocol.FrameKind.reply, payload: payload))
        }
        #expect(unreadable.contains("the host board's agent sent an unreadable answer: "))
        #expect(!unreadable.contains("dance"), "no part of the payload: it may be secret")
    }

    @Test func aLostAgentEndsEveryWait() async throws {
        let (near, far) = try UnixSocket.pair()
        let client = BoardClient(near, role: .accessory)
        let agent = Agent(far)
        let waiting = Task { try await client.ask(.versions) }
        _ = try await agent.next()
        agent.channel.close()
        let lost = RadioError.rig("the agent of the accessory board is lost")
        await #expect(throws: lost) { try await waiting.value }
        await #expect(throws: lost) { try await client.ask(.versions) }
        await #expect(throws: lost) {
            try await client.events.first(within: .seconds(300), waitingFor: "an event")
        }
    }
}

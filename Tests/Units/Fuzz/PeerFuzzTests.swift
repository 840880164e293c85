import BoardProtocol
import Foundation
import Glibc
import HILPOSIX
import HILTiming
import RadioModel
import RigModel
import Testing

@testable import BoardAgent
@testable import HILAir

/// Does nothing, at once.
private struct IdleHandler: CallHandler {
    var areRadiosPowered: Bool { true }
    func reset() async {}
    func perform(_ call: BoardCall) async throws -> Answer {
        guard case .system(.versions(let reply)) = call else { throw RadioError.unsupported(call.name) }
        return reply([:])
    }
    func take(payload bytes: [UInt8]) {}
    func take(controller bytes: [UInt8]) {}
    func conversationEnded() {}
}

/// The number of an answer.
private struct Numbered: Decodable {
    var id: UInt32
}

/// Whole peers behind sockets: after any bytes they still answer valid requests.
@Suite(.serialized)
struct PeerFuzzTests {
    @Test("After any bytes the agent still answers the next request")
    func agent() async throws {
        let calls: [BoardCall] = [
            .hello(version: BoardProtocol.version, Reply()),
            .accessory(.powerAdapter(1, DeviceAddress("02:00:00:00:00:01")!, Reply())), .station(.leave(Reply())),
            .system(.powerRadios(Reply())), .system(.setClock(nanoseconds: 1, Reply())), .system(.versions(Reply())),
            .localNetwork(
                .publish(.service("Lamp", type: "_lamp._tcp", port: 80, text: ["fw": "1"]), isRenamed: true, Reply())),
            .localNetwork(.accept(7, Reply())),
        ]
        func frame(_ call: BoardCall, _ id: UInt32) throws -> [UInt8] {
            let message = try JSONEncoder().encode(NumberedCall(id: id, call: call))
            return Frame(kind: BoardProtocol.FrameKind.call, payload: Array(message)).bytes
        }
        let corpus = try calls.enumerated().map { try frame($1, UInt32($0)) }
        let (near, far) = try UnixSocket.pair()
        let port = try AgentPort(
            input: near, output: near, outlivesClients: false, incompleteMessageLimit: .milliseconds(20))
        let server = AgentServer(role: .host, journal: Journal { _ in }, handler: IdleHandler()) { port.send($0) }
        startThread(named: "agent") { try? port.run { server.accept($0) } }
        let replies = EventLog<UInt32>()
        startThread(named: "client") {
            var reader = FrameReader()
            while let bytes = try? far.read(), !bytes.isEmpty {
                for case .frame(let frame) in reader.push(bytes) where frame.kind == BoardProtocol.FrameKind.answer {
                    let answer = try? JSONDecoder().decode(Numbered.self, from: Data(frame.payload))
                    if let answer { replies.append(answer.id) }
                }
            }
        }
        var id: UInt32 = 1_000_000
        await Fuzzer(corpus: corpus).run("the agent") { bytes, _ in
            id += 1
            try far.write(bytes + frame(.system(.versions(Reply())), id))
            let wanted = id
            _ = try await replies.first(within: .seconds(300), waitingFor: "the answer") { $0 == wanted }
        }
        far.shutDown()
    }

    @Test("After any bytes of a client and of a board, the air still answers another client")
    func air() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let configuration = AirConfiguration(rig: folder, library: "", portTimeout: .seconds(5))
        for board in BoardRole.allCases {
            let path = "\(folder)/\(board.rawValue)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        let listeners = try LinkID.all.map { try UnixSocket.listen(at: configuration.socket(of: $0)) }
        let (stop, lifeline) = try Descriptor.pipe()
        startThread(named: "air") {
            let server = try? AirServer(configuration, log: { _ in }, makeController: { _ in SilentController() })
            try? server?.run(until: stop)
        }
        defer { lifeline.close() }
        let boards = try listeners.map { try UnixSocket.accept(on: $0) }
        let client = try await AirClient.connect(to: configuration.controlSocket)
        let bad = try UnixSocket.connect(to: configuration.controlSocket)
        for board in boards + [bad] { drain(board) }
        let corpus = try requests() + [[0x48, 0x49, 1, 0x02, 4, 0, 0, 0]]
        await Fuzzer(corpus: corpus).run("the air") { bytes, numbers in
            let target = (boards + [bad]).randomElement(using: &numbers) ?? bad
            try target.write(bytes)
            _ = try await client.status()
        }
        await client.close()
        for board in boards + [bad] { board.shutDown() }
    }

    /// Encoded requests of clients, except those that write files.
    private func requests() throws -> [[UInt8]] {
        let asked: [AirCall] = [
            .attach(.host, .bluetooth, Reply()), .attach(.accessory, .bluetooth, adapter: 1, Reply()),
            .detach(.accessory, .wifi, Reply()), .detach(.accessory, .bluetooth, adapter: 7, Reply()),
            .silence(.host, .wifi, Reply()), .setDistance(metres: 3, Reply()), .setDistance(metres: nil, Reply()),
            .stopCapture(Reply()), .status(Reply()),
        ]
        return try asked.enumerated().map { id, call in
            let message = try JSONEncoder().encode(NumberedCall(id: UInt32(id), call: call))
            return Frame(kind: AirFrameKind.calls.call, payload: Array(message)).bytes
        }
    }

    /// Reads all data, so that the peer is not blocked.
    private func drain(_ descriptor: Descriptor) {
        startThread(named: "drain") { while let bytes = try? descriptor.read(), !bytes.isEmpty {} }
    }
}

/// A controller that ignores all packets and sends none.
private final class SilentController: BluetoothController {
    func receive(hci packet: [UInt8]) -> [ControllerOutput] { [] }
    func receive(linkLayer bytes: [UInt8], phy: Int32, signal: Int8) -> [ControllerOutput] { [] }
    func tick() -> [ControllerOutput] { [] }
}

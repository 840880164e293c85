import BoardProtocol
import Foundation
import Glibc
import HILPOSIX
import HILTiming
import RadioModel
import RigModel
import Synchronization
import Testing
import VirtualRadio

@testable import HILAir

/// A rig folder with the sockets of both boards' virtual machines, and an air that serves it.
final class FakeRig: Sendable {
    let folder: String
    private let listeners: [LinkID: Descriptor]
    private let lifeline: Descriptor
    /// The lines of the air's log.
    let log = EventLog<String>()

    /// - Parameters:
    ///   - boards: The boards that the rig has.
    ///   - resumed: The folder with another rig's recordings.
    ///   - acceptClient: Accepts a client of the air.
    init(
        boards: [BoardRole] = BoardRole.allCases, resumed: String? = nil,
        acceptClient: @escaping @Sendable (Descriptor) throws(SystemError) -> Descriptor = {
            listener throws(SystemError) in try UnixSocket.accept(on: listener)
        }
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "air-\(UUID().uuidString.prefix(8))").path
        let configuration = AirConfiguration(
            rig: folder, boards: boards, library: "", portTimeout: .seconds(5), recordings: folder, resumed: resumed)
        for board in BoardRole.allCases {
            let path = "\(folder)/\(board.rawValue)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        var listeners: [LinkID: Descriptor] = [:]
        for id in configuration.radios { listeners[id] = try UnixSocket.listen(at: configuration.socket(of: id)) }
        self.listeners = listeners
        let (stop, lifeline) = try Descriptor.pipe()
        self.lifeline = lifeline
        startThread(named: "air") { [log] in
            let server = try? AirServer(
                configuration, log: { log.append($0) }, acceptClient: acceptClient,
                makeController: { _ in EchoController() })
            try? server?.run(until: stop)
        }
    }

    deinit {
        lifeline.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    func client() async throws -> AirClient { try await AirClient.connect(to: "\(folder)/air.sock") }

    /// The board's end of a port.
    func board(_ board: BoardRole, _ radio: AirRadio) throws -> FakeBoardPort {
        FakeBoardPort(try UnixSocket.accept(on: listeners[LinkID(board: board, radio: radio)]!))
    }
}

/// The board's end of a port, controlled by the test.
final class FakeBoardPort {
    let channel: FrameChannel
    private let descriptor: Descriptor
    private var items: AsyncStream<FrameReader.Item>.AsyncIterator

    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
        channel = FrameChannel(descriptor, name: "board")
        items = channel.items.makeAsyncIterator()
    }

    func send(_ message: RadioMessage) { channel.send(message.frame) }

    func sendRaw(_ bytes: [UInt8]) throws { try descriptor.write(bytes) }

    func next() async throws -> RadioMessage? {
        guard case .frame(let frame) = await items.next() else { return nil }
        return try RadioMessage(frame)
    }

    /// Answers the reset and the request to attach.
    func beAttached(as name: String) async throws {
        guard case .reset(let token) = try await next() else { return #expect(Bool(false), "no reset") }
        send(.ready(token: token))
        guard case .attach = try await next() else { return #expect(Bool(false), "no attach") }
        send(.attached(name: name))
    }
}

@Suite("The air with its sockets", .timeLimit(.minutes(1)))
struct AirServerTests {
    private let rig: FakeRig

    init() throws { rig = try FakeRig() }

    @Test("An air with the recordings of an earlier one takes over its radios without a reset")
    func resumption() async throws {
        let client = try await rig.client()
        for id in LinkID.all {
            let port = try rig.board(id.board, id.radio)
            async let name = client.ask { .attach(id.board, id.radio, $0) }
            try await port.beAttached(as: "\(id.radio)0")
            #expect(try await name == "\(id.radio)0")
        }
        let next = try FakeRig(resumed: rig.folder)
        let port = try next.board(.host, .bluetooth)
        #expect(try await next.client().ask { .attach(.host, .bluetooth, $0) } == "bluetooth0")
        port.send(.packet([1, 3, 0x0C, 0]))
        #expect(try await port.next() == .packet([4, 0x0E, 1, 3]))
    }

    @Test("An air of the host board alone waits for no other port, and refuses to plug radios into the other board")
    func hostAlone() async throws {
        let rig = try FakeRig(boards: [.host])
        let client = try await rig.client()
        let port = try rig.board(.host, .bluetooth)
        async let name = client.ask { .attach(.host, .bluetooth, $0) }
        try await port.beAttached(as: "hci0")
        #expect(try await name == "hci0")
        #expect(try await client.status().links.map(\.board) == [.host, .host])
        for adapter: AdapterID in [.first, 1] {
            await #expect(throws: RadioError.rig("the air refuses: the rig has no accessory board")) {
                try await client.ask { .attach(.accessory, .bluetooth, adapter: adapter, $0) }
            }
        }
        try await client.ask { .detach(.accessory, .wifi, $0) }
    }

    @Test("Two clients plug radios in; packets are answered, captured and counted; the socket is the owner's only")
    func journey() async throws {
        let (first, second) = (try await rig.client(), try await rig.client())
        let port = try rig.board(.host, .bluetooth)
        async let name = first.ask { .attach(.host, .bluetooth, $0) }
        try await port.beAttached(as: "hci0")
        #expect(try await name == "hci0")
        _ = try await second.events.first(within: .seconds(300), waitingFor: "the news of the radio") {
            $0 == .attached(.host, .bluetooth, name: "hci0")
        }
        let path = rig.folder + "/capture.pcapng"
        try await second.ask { .startCapture(path: path, $0) }
        await #expect(throws: RadioError.self) { try await first.ask { .startCapture(path: path, $0) } }
        port.send(.packet([1, 3, 0x0C, 0]))
        #expect(try await port.next() == .packet([4, 0x0E, 1, 3]))
        try await first.ask { .setDistance(metres: 10, $0) }
        await #expect(throws: RadioError.self) { try await first.ask { .setDistance(metres: -1, $0) } }
        let status = try await first.status()
        #expect(status.bluetoothSignal == -70 && status.capturePath == path && status.capturedPackets == 2)
        #expect(status.link(.bluetooth, of: .host).framesFromBoard == 3)
        #expect(try await first.ask { .stopCapture($0) } == 2)
        var information = stat()
        #expect(stat(rig.folder + "/air.sock", &information) == 0 && information.st_mode & 0o777 == 0o600)
    }

    @Test("Garbage from one board is refused and reported; the same port and the other board still work")
    func garbageFromBoard() async throws {
        let client = try await rig.client()
        let (bad, good) = (try rig.board(.host, .bluetooth), try rig.board(.accessory, .bluetooth))
        async let badName = client.ask { .attach(.host, .bluetooth, $0) }
        try await bad.beAttached(as: "hci0")
        async let goodName = client.ask { .attach(.accessory, .bluetooth, $0) }
        try await good.beAttached(as: "hci0")
        _ = try await (badName, goodName)
        let whole = RadioMessage.packet([1, 9, 0x10, 0]).frame.bytes
        // Noise, a frame above the limit, one with a wrong checksum, one cut short, one of an unknown kind; then a
        // valid one.
        try bad.sendRaw([UInt8](repeating: 0x48, count: 300) + [0x48, 0x49, 1, 0x10, 0xFF, 0xFF, 0xFF, 0x7F])
        try bad.sendRaw(Array(whole.dropLast()) + [0xEE] + whole.dropLast(2) + Frame(kind: 0x99, payload: []).bytes)
        bad.send(.packet([1, 3, 0x0C, 0]))
        #expect(try await bad.next() == .packet([4, 0x0E, 1, 3]))
        good.send(.packet([1, 9, 0x10, 0]))
        var answer = try await good.next()
        // The other controller's packet arrives as well.
        while answer != .packet([4, 0x0E, 1, 9]), answer != nil { answer = try await good.next() }
        #expect(answer != nil)
        let status = try await client.status()
        #expect(status.link(.bluetooth, of: .host).refusedFrames >= 2)
        #expect(status.link(.bluetooth, of: .accessory).refusedFrames == 0)
        #expect(client.events.events.contains { if case .refused = $0 { true } else { false } })
    }

    @Test("Garbage from a client is refused, and neither that client nor another loses its connection")
    func garbageFromClient() async throws {
        let client = try await rig.client()
        let raw = try UnixSocket.connect(to: rig.folder + "/air.sock")
        try raw.write([UInt8](repeating: 0x48, count: 40) + Frame(kind: 1, payload: Array("{}".utf8)).bytes)
        try raw.write(Frame(kind: 1, payload: Array(#"{"id":7,"call":{"status":{"_0":{}}}}"#.utf8)).bytes)
        var reader = FrameReader()
        var kinds: [UInt8] = []
        while !kinds.contains(AirFrameKind.calls.answer) {
            for case .frame(let frame) in reader.push(try raw.read()) { kinds.append(frame.kind) }
        }
        #expect(try await client.status().refusedClientFrames == 2)
    }

    @Test("Bytes that are refused repeatedly do not fill the log, from any client")
    func floodOfGarbage() async throws {
        let client = try await rig.client()
        let count = 3000
        let garbage = Frame(kind: 1, payload: Array("{}".utf8)).bytes
        for _ in 0..<30 {
            let raw = try UnixSocket.connect(to: rig.folder + "/air.sock")
            for _ in 0..<(count / 30) { try raw.write(garbage) }
        }
        _ = try await client.events.first(from: count - 1, within: .seconds(300), waitingFor: "the last refusal")
        #expect(try await client.status().refusedClientFrames == count)
        let lines = rig.log.events.filter { $0.contains("client") }
        #expect(lines.count >= 100 && lines.count <= 110, "\(lines.count) lines")
        #expect(lines.last?.contains("(the 1600th line about refused bytes of clients; most are left out)") == true)
    }

    @Test(
        "A request that this air does not know is answered at once, and so is an answer that its client does not know")
    func unknownWords() async throws {
        _ = try await rig.client()
        let raw = try UnixSocket.connect(to: rig.folder + "/air.sock")
        try raw.write(Frame(kind: 1, payload: Array(#"{"id":7,"call":{"dance":{}}}"#.utf8)).bytes)
        var reader = FrameReader()
        var answer: String?
        while answer == nil {
            for case .frame(let frame) in reader.push(try raw.read()) where frame.kind == AirFrameKind.calls.answer {
                answer = String(decoding: frame.payload, as: UTF8.self)
            }
        }
        #expect(answer?.contains(#""id":7"#) == true && answer?.contains("the call dance: it is unknown here") == true)

        let (near, far) = try UnixSocket.pair()
        let client = AirClient(near)
        startThread(named: "air") {
            _ = try? far.read()
            let unknown = Array(#"{"id":1,"outcome":{"success":{"_0":{"dance":{}}}}}"#.utf8)
            try? far.write(Frame(kind: AirFrameKind.calls.answer, payload: unknown).bytes)
        }
        let error = await #expect(throws: RadioError.self) {
            try await client.ask(within: .seconds(60)) { .status($0) }
        }
        #expect(error?.description.contains("the air's answer is unreadable: ") == true)
    }

    @Test(
        "If a board's port is lost, all clients are told and waiting ones answered; if it returns, it is served again")
    func reconnection() async throws {
        let client = try await rig.client()
        let port = try rig.board(.host, .wifi)
        let first = Task { try await client.ask { .attach(.host, .wifi, $0) } }
        guard case .reset(let token) = try await port.next() else { return #expect(Bool(false), "no reset") }
        port.send(.ready(token: token))
        guard case .attach = try await port.next() else { return #expect(Bool(false), "no attach") }
        port.channel.close()
        await #expect(throws: RadioError.self) { try await first.value }
        let again = try rig.board(.host, .wifi)
        async let second = client.ask { .attach(.host, .wifi, $0) }
        try await again.beAttached(as: "wlan0")
        #expect(try await second == "wlan0")
    }

    @Test("Without free descriptors, a client is accepted after a pause, and the air does not spin until then")
    func noFreeDescriptors() async throws {
        let attempts = Mutex(0)
        let rig = try FakeRig(acceptClient: { listener throws(SystemError) in
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            var result: Result<Descriptor, SystemError> = .failure(SystemError(code: 0, action: ""))
            // The first three fail.
            ForcedError.$next.withValue(attempt <= 3 ? ("accept", EMFILE) : nil) {
                do throws(SystemError) { result = .success(try UnixSocket.accept(on: listener)) } catch {
                    result = .failure(error)
                }
            }
            return try result.get()
        })
        let began = ContinuousClock.now
        let client = try await rig.client()
        _ = try await client.status()
        #expect(began.duration(to: .now) >= .milliseconds(300))
        #expect(attempts.withLock { $0 } == 4)
        let lines = rig.log.events.filter { $0.hasPrefix("accepting a connection: ") }
        #expect(lines == Array(repeating: "accepting a connection: Too many open files", count: 3))
    }
}

@Suite("A connection of the air")
struct ConnectionTests {
    @Test("An incomplete frame holds up the next one only for a moment")
    func stalled() throws {
        let (near, far) = try UnixSocket.pair()
        var connection = try Connection(near, limit: RadioMessage.limit)
        let whole = RadioMessage.packet([1, 3, 0x0C, 0]).frame
        // The head of a frame of 60,000 bytes.
        try far.write([0x48, 0x49, 1, 0x10, 0x60, 0xEA, 0, 0] + whole.bytes)
        #expect(try connection.receive().isEmpty && connection.isMidFrame)
        #expect(connection.giveUpIfStalled(at: .now).isEmpty)
        #expect(connection.giveUpIfStalled(at: .now + Connection.stallLimit).last == .frame(whole))
        #expect(!connection.isMidFrame)
        far.close()
        #expect(throws: Connection.Ended.self) { try connection.receive() }
    }
}

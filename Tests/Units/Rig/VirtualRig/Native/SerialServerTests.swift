import Foundation
import HILPOSIX
import HILTiming
import Testing

@testable import VirtualRig

@Suite("The serial ports of native boards", .timeLimit(.minutes(1)))
final class SerialServerTests {
    private let folder = Folder()
    private let changes = EventLog<SerialServer.Change>()

    /// A new folder, which is gone afterwards.
    private struct Folder {
        let path = "/tmp/hil-test-\(UUID().uuidString.prefix(8))"
    }

    init() throws { try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder.path) }

    private func server() throws -> SerialServer {
        let plan = [
            PortPlan(number: 1, name: "agent", path: "\(folder.path)/agent.sock"),
            PortPlan(number: 4, name: "journal", path: "\(folder.path)/journal", isFile: true),
            PortPlan(number: 5, name: "shell", path: "\(folder.path)/shell.sock"),
        ]
        return try SerialServer(kernelSocket: "\(folder.path)/serial.sock", ports: plan) { [changes] in
            changes.append($0)
        }
    }

    private func kernel() throws -> StubKernel { try StubKernel(connectingTo: "\(folder.path)/serial.sock") }

    /// What the kernel did wrong, once the server has hung up.
    private func breach() async throws -> DeviceError? {
        let (change, _) = try await changes.first(within: .seconds(300), waitingFor: "the end") {
            if case .ended = $0 { true } else { false }
        }
        guard case .ended(let error) = change else { return nil }
        return error
    }

    @Test("The kernel is told of its ports and their names, and of the client that is connected")
    func announcement() throws {
        let server = try server()
        let client = try UnixSocket.connect(to: "\(folder.path)/agent.sock")
        let kernel = try kernel()
        for _ in 0..<6 { try kernel.offer(2) }
        try kernel.control(.max, 0, 1)
        #expect(try (0..<3).map { _ in try kernel.used(2) } == [1, 4, 5].map { [$0, 0, 0, 0, 1, 0, 1, 0] })
        try kernel.control(4, 3, 1)
        #expect(try kernel.used(2) == [4, 0, 0, 0, 7, 0, 1, 0] + Array("journal".utf8))
        // A file is always there to be written.
        #expect(try kernel.used(2) == [4, 0, 0, 0, 6, 0, 1, 0])
        try kernel.control(1, 3, 1)
        #expect(try kernel.used(2) == [1, 0, 0, 0, 7, 0, 1, 0] + Array("agent".utf8))
        try kernel.offer(2)
        #expect(try kernel.used(2) == [1, 0, 0, 0, 6, 0, 1, 0])
        withExtendedLifetime((server, client)) {}
    }

    @Test("Bytes pass in both directions once a program on the board has opened the port")
    func bytes() throws {
        let server = try server()
        let client = try UnixSocket.connect(to: "\(folder.path)/agent.sock")
        let kernel = try kernel()
        try client.write(Array("early".utf8))
        try kernel.offer(4)
        try kernel.open(1)
        #expect(try kernel.used(4) == Array("early".utf8))
        try kernel.offer(5, Array("back".utf8))
        #expect(try client.read(upTo: 10) == Array("back".utf8))
        // A buffer takes what it has room for.
        try kernel.offer(4, room: 3)
        try client.write(Array("abcde".utf8))
        #expect(try kernel.used(4) == Array("abc".utf8))
        try kernel.offer(4)
        #expect(try kernel.used(4) == Array("de".utf8))
        withExtendedLifetime(server) {}
    }

    @Test("What the board writes to a slow client comes complete and in order")
    func slowClient() async throws {
        let server = try server()
        let client = try UnixSocket.connect(to: "\(folder.path)/agent.sock")
        let kernel = try kernel()
        try kernel.open(1)
        let count = 3000
        let received = EventLog<[UInt8]>()
        startThread(named: "client") {
            var bytes: [UInt8] = []
            // In small pieces, so that the socket is full most of the time.
            while bytes.count < count * 256, let more = try? client.read(upTo: 100), !more.isEmpty { bytes += more }
            received.append(bytes)
        }
        func chunk(_ number: Int) -> [UInt8] { (0..<256).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) } }
        for number in 0..<count {
            try kernel.offer(5, chunk(number))
            if number >= StubKernel.queueSize - 1 { _ = try kernel.used(5) }
        }
        let bytes = try await received.first(within: .seconds(300), waitingFor: "all bytes").event
        #expect(bytes == (0..<count).flatMap(chunk))
        withExtendedLifetime(server) {}
    }

    @Test("The journal's bytes are appended to its file")
    func journal() throws {
        let server = try server()
        let kernel = try kernel()
        try kernel.open(4)
        try kernel.offer(11, Array("one\n".utf8))
        try kernel.offer(11, Array("two\n".utf8))
        _ = try (kernel.used(11), kernel.used(11))
        #expect(try String(contentsOfFile: "\(folder.path)/journal", encoding: .utf8) == "one\ntwo\n")
        withExtendedLifetime(server) {}
    }

    @Test("A client stays connected while the board has no power, and speaks to its next start")
    func powerCut() async throws {
        let server = try server()
        let client = try UnixSocket.connect(to: "\(folder.path)/shell.sock")
        do {
            let kernel = try kernel()
            try kernel.open(5)
            kernel.socket.shutDown()
            #expect(try await breach() == nil)
        }
        try client.write(Array("again".utf8))
        let kernel = try kernel()
        try kernel.offer(12)
        try kernel.open(5)
        #expect(try kernel.used(12) == Array("again".utf8))
        withExtendedLifetime(server) {}
    }

    @Test("A second client waits for the end of the first")
    func secondClient() throws {
        let server = try server()
        let (first, second) = try (
            UnixSocket.connect(to: "\(folder.path)/agent.sock"), UnixSocket.connect(to: "\(folder.path)/agent.sock")
        )
        try second.write(Array("second".utf8))
        let kernel = try kernel()
        try kernel.open(1)
        try kernel.offer(4)
        try first.write(Array("first".utf8))
        #expect(try kernel.used(4) == Array("first".utf8))
        first.close()
        try kernel.offer(4)
        // The client has gone, and there is another one.
        #expect(try kernel.handleControl() == [1, 0, 0, 0, 6, 0, 0, 0])
        try kernel.control(4, 3, 1)
        _ = try kernel.used(3)
        #expect(kernel.usedCount(4) == 1, "the second client's bytes do not overtake the news of it")
        #expect(try kernel.handleControl() == [1, 0, 0, 0, 6, 0, 1, 0])
        for _ in 0..<2 { try kernel.handleControl() }
        #expect(try kernel.used(4) == Array("second".utf8))
        withExtendedLifetime(server) {}
    }

    /// Something that a hostile kernel does, and the words about it.
    struct Breach: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: String
        let act: @Sendable (StubKernel) throws -> Void
    }

    static let breaches = [
        Breach(testDescription: "a buffer outside its memory", words: "does not share") {
            try $0.offer(5, address: StubKernel.base + UInt64(StubKernel.memorySize) - 1, count: 2, flags: 0)
        },
        Breach(testDescription: "a buffer whose address overflows", words: "does not share") {
            try $0.offer(5, address: .max, count: .max, flags: 0)
        },
        Breach(testDescription: "a chain in a circle", words: "endless chain") {
            try $0.offer(5, address: StubKernel.base, count: 1, flags: 1, next: 0)
        },
        Breach(testDescription: "a chain that leaves the queue", words: "endless chain") {
            try $0.offer(5, address: StubKernel.base, count: 1, flags: 1, next: 999)
        },
        Breach(testDescription: "an indirect buffer", words: "indirect") {
            try $0.offer(5, address: StubKernel.base, count: 16, flags: 4)
        },
        Breach(testDescription: "a queue that does not exist", words: "queue 4000") {
            try $0.send(35, queue: 4000, 0)
        },
        Breach(testDescription: "a queue of a strange size", words: "3 buffers") {
            try $0.send(8, queue: 5, 3)
            try $0.send(
                9,
                littleEndian(UInt32(5)) + littleEndian(UInt32(0))
                    + [StubKernel.base, StubKernel.base, StubKernel.base, 0].flatMap(littleEndian))
        },
        Breach(testDescription: "a queue outside its memory", words: "does not share") {
            try $0.send(
                9, littleEndian(UInt32(5)) + littleEndian(UInt32(0)) + [16, 32, 64, 0 as UInt64].flatMap(littleEndian))
        },
        Breach(testDescription: "memory that is moved", words: "in use") {
            try $0.send(5, littleEndian(UInt32(1)) + littleEndian(UInt32(0)) + [UInt8](repeating: 0, count: 32))
        },
        Breach(testDescription: "a request that is too long", words: "request of") {
            try $0.send(1, [UInt8](repeating: 0, count: 4096))
        },
        Breach(testDescription: "a request that is too short", words: "only 4 bytes") {
            try $0.send(9, [1, 0, 0, 0])
        },
        Breach(testDescription: "too much configuration", words: "configuration") {
            try $0.send(24, littleEndian(UInt32(0)) + littleEndian(UInt32(9999)) + littleEndian(UInt32(0)))
        },
    ]

    @Test("A kernel that breaks the rules is hung up on, and the reason is told", arguments: breaches)
    func hostile(breach: Breach) async throws {
        let server = try server()
        let client = try UnixSocket.connect(to: "\(folder.path)/agent.sock")
        let kernel = try kernel()
        try kernel.open(1)
        try breach.act(kernel)
        let error = try await self.breach()
        #expect(error?.description.contains(breach.words) == true, "\(String(describing: error))")
        withExtendedLifetime((server, client, kernel)) {}
    }

    @Test("Memory that is larger than its file is refused: reading it would end this process")
    func shortFile() throws {
        let path = "\(folder.path)/short"
        let file = try Descriptor.open(path, O_RDWR | O_CREAT)
        try file.write([UInt8](repeating: 0, count: 4096))
        let region = GuestMemory.Region(address: 0, size: 8192, offset: 0)
        #expect(throws: DeviceError.self) { try GuestMemory([region], files: [file]) }
        #expect(throws: DeviceError.self) {
            try GuestMemory([.init(address: .max - 10, size: 4096, offset: 0)], files: [file])
        }
        let memory = try GuestMemory([.init(address: 100, size: 4096, offset: 0)], files: [file])
        #expect(try memory.bytes(at: 100, count: 4096).count == 4096)
        #expect(throws: DeviceError.self) { try memory.bytes(at: 99, count: 1) }
        #expect(throws: DeviceError.self) { try memory.bytes(at: 101, count: 4096) }
    }
}

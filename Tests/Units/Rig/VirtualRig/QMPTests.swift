import HILPOSIX
import RigModel
import Testing

@testable import VirtualRig

@Suite("QEMU's machine protocol")
struct QMPTests {
    @Test("The messages in use are read, for any split of the bytes", arguments: [1, 7, 10_000])
    func messages(cut: Int) {
        let text = """
            {"QMP": {"version": {"qemu": {"micro": 22, "minor": 2, "major": 7}}, "capabilities": ["oob"]}}\r
            {"return": {}, "id": 1}\r
            {"timestamp": {"seconds": 1, "microseconds": 2}, "event": "MIGRATION", "data": {"status": "completed"}}\r
            {"id": 2, "error": {"class": "GenericError", "desc": "no such file"}}\r
            {"return": {"status": "running", "running": true}, "id": 3}\r
            {"return": [1, "two"], "id": 4}\r
            {"timestamp": {"seconds": 1, "microseconds": 2}, "event": "STOP"}\r

            """
        var reader = QMPReader()
        let bytes = Array(text.utf8)
        var messages: [QMPMessage] = []
        for start in stride(from: 0, to: bytes.count, by: cut) {
            messages += reader.push(Array(bytes[start..<min(start + cut, bytes.count)]))
        }
        #expect(
            messages == [
                .greeting, .answer(id: 1, detail: ""), .event("MIGRATION", status: "completed"),
                .failure(id: 2, why: "no such file"), .answer(id: 3, detail: "running"), .answer(id: 4, detail: ""),
                .event("STOP", status: nil),
            ])
    }

    @Test("Garbage is refused, and the next message is read")
    func garbage() {
        var generator = SystemRandomNumberGenerator()
        var reader = QMPReader()
        for _ in 0..<200 {
            let noise = (0..<Int.random(in: 0...300)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let messages = reader.push(noise + Array("\n{\"event\":\"RESUME\"}\n".utf8))
            #expect(messages.last == .event("RESUME", status: nil))
        }
        for line in ["{", "[]", "7", #"{"id":"x"}"#, #"{"return":{}}"#, #"{"event":5}"#, #"{"id":1e99,"return":{}}"#] {
            guard case .refused = QMPReader.parse(Array(line.utf8)) else {
                Issue.record("accepted \(line)")
                continue
            }
        }
    }

    @Test("A line without an end does not fill the memory")
    func endlessLine() {
        var reader = QMPReader()
        var messages: [QMPMessage] = []
        for _ in 0..<3 { messages += reader.push(Array(repeating: UInt8(ascii: "a"), count: QMPReader.limit)) }
        messages += reader.push(Array("\n{\"event\":\"STOP\"}\n".utf8))
        #expect(
            messages == [
                .refused("a line of more than \(QMPReader.limit) bytes"), .event("STOP", status: nil),
            ])
    }

    @Test("An answer goes to its command; a failure and a lost QEMU are errors that name the board")
    func client() async throws {
        let (ours, theirs) = try UnixSocket.pair()
        let client = QMPClient(ours, name: "host")
        startThread(named: "qemu") {
            // The first line is the command; its number is the log's count.
            _ = try? theirs.read()
            try? theirs.write(Array("{\"event\":\"STOP\"}\n{\"id\":0,\"return\":{\"status\":\"paused\"}}\n".utf8))
            _ = try? theirs.read()
            try? theirs.write(Array("{\"id\":2,\"error\":{\"desc\":\"not now\"}}\n".utf8))
            _ = try? theirs.read()
            theirs.shutDown()
        }
        #expect(try await client.run("query-status") == "paused")
        await #expect(throws: RigFailure("cont on the host board's QEMU", "not now")) {
            try await client.run("cont")
        }
        await #expect(throws: RigFailure("talking to the host board's QEMU", "it ended")) {
            try await client.run("cont")
        }
    }

    @Test("An unreadable answer is an error at once")
    func unreadable() async throws {
        let (ours, theirs) = try UnixSocket.pair()
        let client = QMPClient(ours, name: "host")
        startThread(named: "qemu") {
            _ = try? theirs.read()
            try? theirs.write(Array("{\"id\":0,\"result\":\n".utf8))
        }
        let error = await #expect(throws: RigFailure.self) { try await client.run("cont", within: .seconds(60)) }
        let reason = "its answer cannot be read: 17 bytes, “{\"id\":0,\"result\":”: "
        #expect(error?.reason.hasPrefix(reason) == true, "\(String(describing: error))")
    }

    @Test("A snapshot that QEMU cannot load is an error")
    func failedMigration() async throws {
        let (ours, theirs) = try UnixSocket.pair()
        let client = QMPClient(ours, name: "accessory")
        for status in ["active", "failed"] {
            try theirs.write(Array("{\"event\":\"MIGRATION\",\"data\":{\"status\":\"\(status)\"}}\n".utf8))
        }
        await #expect(throws: RigFailure("restoring the accessory board's snapshot", "QEMU failed")) {
            try await client.migrationEnd(from: 0, within: .seconds(5), for: "restoring")
        }
    }
}

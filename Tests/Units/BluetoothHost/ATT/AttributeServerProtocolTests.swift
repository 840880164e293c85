import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Clients that break the protocol")
struct AttributeServerProtocolTests {
    private var bench: ServerBench

    init() throws { bench = try ServerBench() }

    @Test("A request before the answer to the last one is a violation, and is ignored", .shows("GATT/SR/GAR/BI-45-C"))
    mutating func tooEarly() throws {
        let token = try bench.question(of: .readRequest(handle: 0x10))
        let text = "before the answer to Read Request, handle 0x0010"
        #expect(bench.send("0A 03 00") == [.violation("Read Request \(text): 0A 03 00")])
        #expect(bench.send("02 17 00") == [.violation("Exchange MTU Request \(text): 02 17 00")])
        #expect(bench.send("0A") == [.violation("Read Request \(text): 0A")])
        #expect(bench.send("3E 01") == [.violation("PDU with the unknown opcode 0x3E \(text): 3E 01")])
        #expect(bench.answer(token, .value([7])) == [.send([0x0B, 7])])
        #expect(bench.answers(to: .readRequest(handle: 3)).count == 1)
    }

    @Test(
        "Unknown requests are refused, unknown commands are ignored",
        .shows("GATT/SR/UNS/BI-01-C", "GATT/SR/UNS/BI-02-C"))
    mutating func unknown() {
        #expect(
            bench.send("3E 01") == [
                .send(ATTSamples.bytes("01 3E 00 00 06")), .note("PDU with the unknown opcode 0x3E was refused: 3E 01"),
            ])
        #expect(bench.send("5E 01") == [.note("PDU with the unknown opcode 0x5E was ignored: 5E 01")])
    }

    @Test("Requests that the phone does not know are refused like unknown ones")
    mutating func unsupported() throws {
        var configuration = AttributeServer.Configuration()
        configuration.unsupported = [.readMultipleVariableRequest, .writeCommand]
        bench = try ServerBench(configuration)
        #expect(bench.error(of: .readMultipleVariableRequest(handles: [3, 5])) == .requestNotSupported)
        #expect(
            bench.send("52 10 00 01") == [.note("Write Command was ignored: 52 10 00 01")])
    }

    @Test(
        "A request of the wrong form gets Invalid PDU",
        arguments: ["0A", "0A 01 00 00", "08 01 00 FF FF 00", "0E 03 00", "18 02", "02 17", "16 01"])
    mutating func wrongForm(hex: String) {
        let outputs = bench.send(hex)
        #expect(outputs.first == .send([0x01] + ATTSamples.bytes(hex).prefix(1) + [0, 0, 0x04]))
        guard case .note(let text)? = outputs.last, outputs.count == 2 else {
            Issue.record("no note: \(outputs)")
            return
        }
        #expect(text.hasSuffix(": \(Hex.spaced(ATTSamples.bytes(hex)))"))
    }

    @Test("A command of the wrong form is ignored and noted", arguments: ["52", "52 10", "D2 10 00 01"])
    mutating func wrongCommand(hex: String) {
        let outputs = bench.send(hex)
        guard outputs.count == 1, case .note? = outputs.first else {
            Issue.record("no note: \(outputs)")
            return
        }
    }

    @Test("A PDU longer than the MTU is a violation; a request is answered still")
    mutating func tooLong() {
        let value = [UInt8](repeating: 0, count: 21)
        let outputs = bench.send(.writeRequest(handle: 0x12, value: value))
        #expect(outputs.count == 2 && outputs[0].isViolation)
        #expect(outputs[1] == .send(ATTSamples.bytes("01 12 00 00 04")))
        let command = bench.send(.writeCommand(handle: 0x10, value: value))
        #expect(command.count == 1 && command[0].isViolation)
        #expect(
            bench.send([UInt8]([0x52, 0x10, 0] + value.dropLast())) == [
                .written(handle: 0x10, value: Array(value.dropLast()))
            ])
    }

    @Test("An empty PDU is a violation")
    mutating func empty() { #expect(bench.send("") == [.violation("ATT PDU of 0 bytes")]) }

    @Test("PDUs for a client are not the server's", arguments: ["0B 01", "01 0A 00 00 01", "1B 03 00", "1D 03 00"])
    mutating func notForTheServer(hex: String) { #expect(bench.send(hex).isEmpty) }

    @Test("Input and answers after the link's end are ignored")
    mutating func linkEnded() throws {
        let token = try bench.question(of: .readRequest(handle: 0x10))
        bench.server.linkEnded(because: "the link was lost")
        bench.server.linkEnded(because: "again")
        #expect(bench.server.end == "the link was lost")
        #expect(bench.answer(token, .value([1])).isEmpty)
        for hex in ["0A 03 00", "52 10 00 01", "1E", "3E", ""] { #expect(bench.send(hex).isEmpty) }
        #expect(bench.server.notify([1], of: 0x15, in: bench.database).isEmpty)
    }
}

extension ServerBench {
    fileprivate mutating func send(_ bytes: [UInt8]) -> [AttributeServer.Output] {
        server.receive(bytes, at: .zero, in: &database)
    }
}

@Suite("Clients that remember the database")
struct AttributeServerCachingTests {
    private var bench: ServerBench
    private let read = ATTPDU.readRequest(handle: 3)

    init() throws {
        bench = try ServerBench()
        bench.server.usesRobustCaching = true
        _ = bench.send(.writeRequest(handle: 0x09, value: [2, 0]))
        _ = bench.send(.writeRequest(handle: 0x16, value: [3, 0]))
    }

    private mutating func change() throws {
        let range = try #require(try bench.database.add([ATTSamples.service(0x180A, 0x2A29)]))
        bench.server.databaseChanged(range, in: bench.database)
    }

    @Test("A request by handle gets Database Out Of Sync once; the next one shows that the client is aware")
    mutating func outOfSync() throws {
        try change()
        #expect(bench.send(read) == [.send(ATTSamples.bytes("01 0A 03 00 12"))])
        #expect(bench.answers(to: read).first?.opcode == .readResponse)
        #expect(bench.server.awareness == .aware)
    }

    @Test(
        "All requests by handle are checked, and no search is",
        arguments: [
            ("0A 03 00", true), ("0C 03 00 00 00", true), ("0E 03 00 05 00", true), ("20 03 00 05 00", true),
            ("12 12 00 01", true), ("16 12 00 00 00 01", true), ("04 01 00 FF FF", false),
            ("10 01 00 FF FF 00 28", false), ("08 01 00 FF FF 03 28", false), ("06 01 00 FF FF 00 28 0F 18", false),
            ("02 B9 00", false), ("18 00", false),
        ])
    mutating func kinds(hex: String, isChecked: Bool) throws {
        try change()
        let answers = bench.send(hex).compactMap(\.pdu)
        guard case .errorResponse(_, _, .databaseOutOfSync)? = answers.first else {
            #expect(!isChecked && bench.server.awareness == .unaware)
            return
        }
        #expect(isChecked && bench.server.awareness == .informed)
    }

    @Test("Commands are ignored, and values are withheld, until the client is aware")
    mutating func withheld() throws {
        try change()
        let text = "the client does not know of the change of the database"
        #expect(
            bench.send(.writeCommand(handle: 0x10, value: [1])) == [
                .note("Write Command, handle 0x0010, was ignored: error 0x12 (database out of sync)")
            ])
        #expect(bench.server.awareness == .unaware)
        #expect(bench.server.notify([1], of: 0x15, in: bench.database) == [.unsent(handle: 0x15, text)])
        #expect(
            bench.server.indicate([1], of: 0x15, at: .zero, in: bench.database) == [.unsent(handle: 0x15, text)])
    }

    @Test("The confirmation of Service Changed makes the client aware")
    mutating func serviceChanged() throws {
        try change()
        let range = ATTSamples.bytes("1B 00 1D 00")
        #expect(
            bench.server.indicate(range, of: 0x08, at: .zero, in: bench.database) == [.send([0x1D, 8, 0] + range)])
        #expect(bench.server.awareness == .unaware)
        #expect(bench.send(.confirmation) == [.confirmed(handle: 8)])
        #expect(bench.server.awareness == .aware)
        #expect(bench.answers(to: read).first?.opcode == .readResponse)
    }

    @Test("The confirmation of another indication does not")
    mutating func otherIndication() throws {
        _ = bench.server.indicate([1], of: 0x15, at: .zero, in: bench.database)
        try change()
        #expect(bench.send(.confirmation) == [.confirmed(handle: 0x15)])
        #expect(bench.server.awareness == .unaware)
    }

    @Test("A read of the Database Hash makes the client aware with its next request")
    mutating func hashRead() throws {
        try change()
        _ = bench.send(.readByTypeRequest(.all, type: AttributeType.databaseHash))
        #expect(bench.server.awareness == .informed)
        #expect(bench.answers(to: read).first?.opcode == .readResponse)
        #expect(bench.server.awareness == .aware)
    }

    @Test("A client without robust caching gets no error and all values")
    mutating func withoutCaching() throws {
        bench.server.usesRobustCaching = false
        try change()
        #expect(bench.answers(to: read).first?.opcode == .readResponse)
        #expect(bench.server.notify([1], of: 0x15, in: bench.database).first?.pdu?.opcode == .notification)
    }

    @Test("Subscriptions of a removed service are forgotten, others are kept")
    mutating func removed() throws {
        bench.server.databaseChanged(try bench.database.remove(3), in: bench.database)
        #expect(bench.server.configurations == [0x09: .indicates])
    }
}

import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Subscriptions")
struct AttributeServerSubscriptionTests {
    private var bench: ServerBench

    init() throws { bench = try ServerBench() }

    private mutating func subscribe(_ handle: UInt16, _ value: UInt16) -> [AttributeServer.Output] {
        bench.send(.writeRequest(handle: handle, value: [UInt8(value & 0xFF), UInt8(value >> 8)]))
    }

    @Test("The layer above learns of each change of a subscription, after the response")
    mutating func changes() {
        #expect(
            subscribe(0x16, 1) == [.send([0x13]), .subscribed(handle: 0x15, notifies: true, indicates: false)])
        #expect(subscribe(0x16, 1) == [.send([0x13])], "Nothing has changed")
        #expect(subscribe(0x16, 3) == [.send([0x13]), .subscribed(handle: 0x15, notifies: true, indicates: true)])
        #expect(bench.answers(to: .readRequest(handle: 0x16)) == [.readResponse(value: [3, 0])])
        #expect(bench.server.subscription(of: 0x15, in: bench.database) == [.notifies, .indicates])
        #expect(subscribe(0x16, 0) == [.send([0x13]), .subscribed(handle: 0x15, notifies: false, indicates: false)])
        #expect(bench.server.configurations.isEmpty)
        #expect(bench.answers(to: .readRequest(handle: 0x16)) == [.readResponse(value: [0, 0])])
    }

    @Test("A subscription that the properties do not have is refused")
    mutating func unsupported() throws {
        #expect(subscribe(0x09, 1) == [.send(ATTSamples.bytes("01 12 09 00 13"))])
        #expect(subscribe(0x16, 0x8001) == [.send(ATTSamples.bytes("01 12 16 00 13"))])
        var configuration = AttributeServer.Configuration()
        configuration.unsupportedSubscriptionError = ATTError(0xFD)
        bench = try ServerBench(configuration)
        #expect(subscribe(0x09, 1) == [.send(ATTSamples.bytes("01 12 09 00 FD"))])
        configuration.unsupportedSubscriptionError = nil
        bench = try ServerBench(configuration)
        #expect(subscribe(0x09, 1) == [.send([0x13])])
        #expect(subscribe(0x16, 0xFFFF).last == .subscribed(handle: 0x15, notifies: true, indicates: true))
    }

    @Test("A configuration has two bytes", arguments: [[], [1], [1, 0, 0]] as [[UInt8]])
    mutating func length(value: [UInt8]) {
        #expect(bench.error(of: .writeRequest(handle: 0x16, value: value)) == .invalidAttributeValueLength)
    }

    @Test("Everybody may read a configuration; subscribing needs the protection of the characteristic")
    mutating func protection() {
        #expect(bench.answers(to: .readRequest(handle: 0x0D)) == [.readResponse(value: [0, 0])])
        #expect(bench.error(of: .writeRequest(handle: 0x0D, value: [1, 0])) == .insufficientAuthentication)
        bench.server.security = ATTSamples.encrypted
        #expect(subscribe(0x0D, 1).last == .subscribed(handle: 0x0C, notifies: true, indicates: false))
    }

    @Test("Subscriptions of a bonded client come back, as far as the database still has them")
    mutating func restored() {
        let saved: [UInt16: ClientConfiguration] = [
            0x0D: .notifies, 0x16: [.indicates], 0x09: [.notifies, .indicates], 0x03: .notifies, 0x99: .notifies,
        ]
        #expect(
            bench.server.restore(saved, in: bench.database) == [
                .subscribed(handle: 0x08, notifies: false, indicates: true),
                .subscribed(handle: 0x0C, notifies: true, indicates: false),
                .subscribed(handle: 0x15, notifies: false, indicates: true),
            ])
        #expect(bench.server.configurations == [0x0D: .notifies, 0x16: .indicates, 0x09: .indicates])
        bench.server.linkEnded(because: "the link was lost")
        #expect(bench.server.configurations.count == 3)
    }

    @Test("A value is notified to a subscriber only, and is cut to the MTU")
    mutating func notify() {
        let value = [UInt8](0..<30)
        #expect(bench.server.notify(value, of: 0x15, in: bench.database).isEmpty)
        _ = subscribe(0x16, 2)
        #expect(bench.server.notify(value, of: 0x15, in: bench.database).isEmpty)
        _ = subscribe(0x16, 1)
        #expect(
            bench.server.notify(value, of: 0x15, in: bench.database) == [.send([0x1B, 0x15, 0] + value.prefix(20))])
        #expect(bench.server.notify(value, of: 0x12, in: bench.database).isEmpty)
        #expect(bench.server.notify(value, of: 0x99, in: bench.database).isEmpty)
    }

    @Test("Notifications do not wait for requests or confirmations")
    mutating func notifyMeanwhile() {
        _ = subscribe(0x16, 3)
        _ = bench.server.indicate([1], of: 0x15, at: .zero, in: bench.database)
        _ = bench.send(.readRequest(handle: 0x10))
        #expect(bench.server.notify([2], of: 0x15, in: bench.database) == [.send([0x1B, 0x15, 0, 2])])
    }
}

@Suite("Indications of the server")
struct AttributeServerIndicationTests {
    private var bench: ServerBench

    init() throws {
        bench = try ServerBench()
        _ = bench.send(.writeRequest(handle: 0x16, value: [2, 0]))
    }

    private mutating func indicate(_ value: UInt8, at now: Duration = .zero) -> [AttributeServer.Output] {
        bench.server.indicate([value], of: 0x15, at: now, in: bench.database)
    }

    @Test("One indication is outstanding; the next one follows its confirmation")
    mutating func oneAtATime() {
        #expect(indicate(1) == [.send([0x1D, 0x15, 0, 1])])
        #expect(indicate(2).isEmpty)
        #expect(bench.server.deadline == .seconds(30))
        #expect(
            bench.send(.confirmation, at: .seconds(20)) == [
                .confirmed(handle: 0x15), .send([0x1D, 0x15, 0, 2]),
            ])
        #expect(bench.server.deadline == .seconds(50))
        #expect(bench.send(.confirmation, at: .seconds(21)) == [.confirmed(handle: 0x15)])
        #expect(bench.server.deadline == nil)
    }

    @Test("An indication is cut to the MTU")
    mutating func long() {
        let value = [UInt8](0..<30)
        #expect(
            bench.server.indicate(value, of: 0x15, at: .zero, in: bench.database) == [
                .send([0x1D, 0x15, 0] + value.prefix(20))
            ])
    }

    @Test("An indication without a confirmation for 30 s ends the link", .shows("GATT/SR/GAT/BV-01-C"))
    mutating func timeOut() {
        _ = indicate(1, at: .seconds(5))
        _ = indicate(2, at: .seconds(6))
        #expect(bench.server.advance(to: .milliseconds(34_999)).isEmpty)
        #expect(
            bench.server.advance(to: .seconds(35)) == [
                .linkMustEnd("Handle Value Indication, handle 0x0015, had no confirmation within 30 s")
            ])
        #expect(bench.send(.confirmation).isEmpty && bench.send(.readRequest(handle: 3)).isEmpty)
        #expect(bench.server.deadline == nil && bench.server.advance(to: .seconds(99)).isEmpty)
        #expect(indicate(3).isEmpty)
    }

    @Test("A confirmation without an indication, or with parameters, is a violation")
    mutating func unasked() {
        #expect(bench.send(.confirmation) == [.violation("Handle Value Confirmation without an indication")])
        _ = indicate(1)
        #expect(bench.send("1E 00") == [.violation("Handle Value Confirmation of 2 bytes: 1E 00")])
        #expect(bench.send(.confirmation) == [.confirmed(handle: 0x15)])
    }

    @Test("Indications that wait are reported as unsent when the client unsubscribes")
    mutating func unsubscribed() {
        _ = indicate(1)
        _ = indicate(2)
        _ = bench.send(.writeRequest(handle: 0x16, value: [0, 0]))
        #expect(indicate(3).isEmpty)
        #expect(
            bench.send(.confirmation) == [
                .confirmed(handle: 0x15), .unsent(handle: 0x15, "the client has unsubscribed"),
            ])
    }

    @Test("A client that never confirms does not fill the memory")
    mutating func bounded() {
        for _ in 0...64 { _ = indicate(1) }
        #expect(indicate(2) == [.unsent(handle: 0x15, "64 indications wait for confirmations")])
        #expect(bench.server.indications.count == 64)
    }
}

import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Requests for connection parameters")
struct L2CAPParametersTests {
    private static let good = ConnectionParameters(
        shortestInterval: 12, longestInterval: 24, latency: 4, timeout: 600)
    private var pair = L2CAPPair()

    @Test(
        "The central is asked, and its answer reaches the peripheral",
        .shows("L2CAP/LE/CPU/BV-02-C"), arguments: [true, false])
    mutating func answered(accepted: Bool) throws {
        pair.pump(try pair.peripheral.requestParameters(Self.good, at: .zero), from: .peripheral)
        #expect(pair.heardByCentral == [.parametersRequested(Self.good, identifier: 1)])
        pair.pump(pair.central.answerParameters(identifier: 1, accepted: accepted), from: .central)
        #expect(pair.heardByPeripheral == [.parametersAnswered(accepted: accepted)])
        #expect(pair.peripheral.deadline == nil)
    }

    @Test("A request without an answer ends after the request timeout")
    mutating func timeout() throws {
        _ = try pair.peripheral.requestParameters(Self.good, at: .seconds(1))
        #expect(pair.peripheral.deadline == .seconds(31))
        #expect(pair.peripheral.advance(to: .seconds(30)).isEmpty)
        #expect(pair.peripheral.advance(to: .seconds(31)) == [.timedOut(.parameters(Self.good))])
        #expect(pair.peripheral.deadline == nil)
        _ = try pair.peripheral.requestParameters(Self.good, at: .seconds(32))
    }

    @Test("A late answer is told, without another effect")
    mutating func lateAnswer() throws {
        _ = try pair.peripheral.requestParameters(Self.good, at: .zero)
        _ = pair.peripheral.advance(to: .seconds(30))
        let outputs = pair.peripheral.hear(.parameterUpdateResponse(isAccepted: true))
        #expect(outputs.count == 1 && outputs.hasNote)
    }

    @Test("A Command Reject is an answer: not accepted")
    mutating func rejected() throws {
        _ = try pair.peripheral.requestParameters(Self.good, at: .zero)
        let outputs = pair.peripheral.hear(.commandReject(.notUnderstood))
        #expect(outputs.events == [.parametersAnswered(accepted: false)] && pair.peripheral.deadline == nil)
    }

    @Test(
        "A request out of the specification's range is refused by the layer itself", .shows("L2CAP/LE/CPU/BI-01-C"),
        arguments: [
            ConnectionParameters(shortestInterval: 5, longestInterval: 24, latency: 0, timeout: 600),
            ConnectionParameters(shortestInterval: 12, longestInterval: 3201, latency: 0, timeout: 3200),
            ConnectionParameters(shortestInterval: 3201, longestInterval: 3200, latency: 0, timeout: 3200),
            ConnectionParameters(shortestInterval: 25, longestInterval: 24, latency: 0, timeout: 600),
            ConnectionParameters(shortestInterval: 6, longestInterval: 6, latency: 500, timeout: 3200),
            ConnectionParameters(shortestInterval: 6, longestInterval: 6, latency: 0, timeout: 9),
            ConnectionParameters(shortestInterval: 6, longestInterval: 6, latency: 0, timeout: 3201),
            // 2 × (1 + 4) × 480 units of 1.25 ms are 6 s.
            ConnectionParameters(shortestInterval: 6, longestInterval: 480, latency: 4, timeout: 600),
            ConnectionParameters(shortestInterval: 65535, longestInterval: 65535, latency: 65535, timeout: 65535),
        ])
    mutating func outOfRange(wanted: ConnectionParameters) {
        let outputs = pair.central.hear(.parameterUpdateRequest(wanted), identifier: 9)
        #expect(outputs.commands == [.parameterUpdateResponse(isAccepted: false)])
        #expect(outputs.events.count == 1)
        guard case .refusedParameters(wanted, _)? = outputs.events.first else {
            Issue.record("\(outputs)")
            return
        }
        #expect(throws: L2CAPError.self) { try pair.peripheral.requestParameters(wanted, at: .zero) }
    }

    @Test(
        "The limits of the ranges are in range",
        arguments: [
            ConnectionParameters(shortestInterval: 6, longestInterval: 6, latency: 499, timeout: 3200),
            ConnectionParameters(shortestInterval: 6, longestInterval: 3200, latency: 0, timeout: 3200),
            ConnectionParameters(shortestInterval: 6, longestInterval: 6, latency: 0, timeout: 10),
            ConnectionParameters(shortestInterval: 6, longestInterval: 480, latency: 4, timeout: 601),
        ])
    mutating func limits(wanted: ConnectionParameters) {
        let outputs = pair.central.hear(.parameterUpdateRequest(wanted), identifier: 9)
        #expect(outputs == [.parametersRequested(wanted, identifier: 9)])
    }

    @Test("A second request before the answer to the first one is refused")
    mutating func second() {
        _ = pair.central.hear(.parameterUpdateRequest(Self.good), identifier: 1)
        let outputs = pair.central.hear(.parameterUpdateRequest(Self.good), identifier: 2)
        #expect(outputs.packets.map(\.identifier) == [2])
        #expect(outputs.commands == [.parameterUpdateResponse(isAccepted: false)])
        let answer = pair.central.answerParameters(identifier: 1, accepted: true)
        #expect(answer.packets.map(\.identifier) == [1])
    }

    @Test("An answer to no request sends nothing")
    mutating func answerToNothing() {
        #expect(pair.central.answerParameters(identifier: 1, accepted: true).frames.isEmpty)
        _ = pair.central.hear(.parameterUpdateRequest(Self.good), identifier: 1)
        _ = pair.central.answerParameters(identifier: 1, accepted: true)
        #expect(pair.central.answerParameters(identifier: 1, accepted: true).frames.isEmpty)
    }

    @Test("A central that asks for parameters gets Command Reject", .shows("L2CAP/LE/CPU/BI-02-C"))
    mutating func wrongRole() {
        let outputs = pair.peripheral.hear(.parameterUpdateRequest(Self.good))
        #expect(outputs.commands == [.commandReject(.notUnderstood)] && outputs.events.isEmpty)
    }

    @Test("Only the peripheral of an LE link asks, once at a time")
    mutating func ownMistakes() throws {
        #expect(throws: L2CAPError.wrongRole) { try pair.central.requestParameters(Self.good, at: .zero) }
        var classic = L2CAPLink(role: .peripheral, transport: .classic)
        #expect(throws: L2CAPError.wrongTransport) { try classic.requestParameters(Self.good, at: .zero) }
        _ = try pair.peripheral.requestParameters(Self.good, at: .zero)
        #expect(throws: L2CAPError.unanswered) { try pair.peripheral.requestParameters(Self.good, at: .zero) }
    }
}

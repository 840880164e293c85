import Foundation
import HILPOSIX
import Testing

@testable import BoardProtocol

/// Returns received bytes, hangs up when it receives a zero, and tries forbidden actions on other peers.
private struct Echo: InternetService {
    var port: UInt16 = 7
    var other: Int?
    var pending: Set<Int> = []
    var open: Set<Int> = []

    mutating func opened(_ connection: Int) { open.insert(connection) }
    mutating func closed(_ connection: Int) { open.remove(connection) }
    func isUnfinished(_ connection: Int) -> Bool { pending.contains(connection) }

    mutating func received(_ bytes: Data, from connection: Int) -> [InternetAction] {
        switch bytes.first {
        case 0: return [.hangUp(connection, why: "a zero"), .send(bytes, to: connection)]
        case 1:
            pending.insert(connection)
            return []
        case 2:
            let push = AccessoryPush(session: UUID(), sealed: Data(count: 40))
            return push.map { [.push($0, token: bytes)] } ?? []
        case 3: return (1...9).flatMap { [.send(bytes, to: $0), .hangUp($0, why: "a trick")] }
        default: return [.send(bytes, to: connection)]
        }
    }
}

extension SimulatedInternet {
    fileprivate mutating func connect(_ port: UInt16) throws -> Int {
        let number = opened(port: port)
        return try #require(number)
    }
}

@Suite("The simulated internet")
struct SimulatedInternetTests {
    @Test("Each service has its own port and its own peers; nothing listens on other ports")
    func ports() throws {
        var internet = SimulatedInternet([Echo(port: 7), Echo(port: 8)])
        #expect(internet.ports == [PushService.port, 7, 8])
        #expect(internet.opened(port: 9) == nil)
        let (one, two) = (try internet.connect(7), try internet.connect(8))
        #expect(internet.received(Data([9]), from: one) == [.send(Data([9]), to: one)])
        #expect(internet.received(Data([9]), from: two) == [.send(Data([9]), to: two)])
        #expect(internet.received(Data([1]), from: one).isEmpty)
        #expect(internet.isUnfinished(one) && !internet.isUnfinished(two))
    }

    @Test("After a service has hung up, it cannot send, and it cannot reach peers of other services")
    func borders() throws {
        var internet = SimulatedInternet([Echo(port: 7), Echo(port: 8)])
        let (one, two) = (try internet.connect(7), try internet.connect(8))
        let phone = try internet.connect(PushService.port)
        let outputs = internet.received(Data([3]), from: two)
        #expect(outputs.contains(.close(two)))
        #expect(!outputs.contains(.close(one)) && !outputs.contains(.close(phone)))
        #expect(internet.received(Data([9]), from: two).isEmpty)
        let last = internet.received(Data([0]), from: one)
        #expect(last == [.note("connection \(one): disconnected: a zero"), .close(one)])
    }

    @Test("A push of a service reaches the phone that registered the token")
    func push() throws {
        var internet = SimulatedInternet([Echo()])
        let service = try internet.connect(7)
        #expect(internet.received(Data([2, 7]), from: service).count == 1)
        #expect(internet.waitingPushCount == 1)
        let phone = try internet.connect(PushService.port)
        let outputs = internet.received(Data(PushMessage.register(token: Data([2, 7])).frame.bytes), from: phone)
        #expect(outputs.contains { if case .send(_, phone) = $0 { true } else { false } })
    }

    @Test("Above the limit, a new peer is hung up on, whatever its service")
    func crowd() throws {
        var internet = SimulatedInternet([Echo()])
        let first = try internet.connect(7)
        while internet.opened(port: PushService.port) != nil {}
        #expect(internet.opened(port: 7) == nil)
        internet.closed(first)
        #expect(internet.opened(port: 7) != nil)
    }
}

import BoardProtocol
import Glibc
import HILPOSIX
import HILTiming
import RadioModel
import StubRig
import Synchronization
import Testing

@testable import VirtualRig

@Suite("A board without power until it is needed")
final class SleepingBoardTests: Sendable {
    /// The agents of the board: one for each time that it was switched on.
    private let agents = EventLog<StubAgent>()
    /// The commands that reached an agent.
    private let asked = EventLog<String>()
    private let failure = Mutex<RadioError?>(nil)

    private func connect() async throws -> BoardClient {
        let (agents, asked) = (agents, asked)
        return try await SleepingBoard.connect(.host) { [self] in
            if let error = failure.withLock({ $0 }) { throw error }
            let (ours, theirs) = try UnixSocket.pair()
            let agent = StubAgent(theirs, role: .host) { command in
                asked.append(command.name)
                if case .station(.scan(_, let reply)) = command { return reply([]) }
                return nil
            }
            agents.append(agent)
            return ours
        }
    }

    @Test("It answers for itself what needs no board, and the first other command switches it on, once")
    func wakes() async throws {
        let board = try await connect()
        try await board.ask { .system(.setClock(nanoseconds: 1, $0)) }
        #expect(try await board.ask { .system(.versions($0)) } == [:])
        let health = try await board.ask { .system(.health($0)) }
        #expect(health.bonds.isEmpty && health.networks.isEmpty && health.daemons.contains(.supplicant))
        #expect(agents.count == 0)
        #expect(try await board.ask { .station(.scan(hidden: nil, $0)) }.isEmpty)
        // Now its own agent answers everything.
        #expect(try await board.ask { .system(.versions($0)) } == ["kernel": "stub"])
        #expect(agents.count == 1 && asked.events == ["hello", "station.scan", "system.versions"])
    }

    @Test("Its agent gets no command before it has answered its greeting")
    func greetsFirst() async throws {
        let early = Mutex<Int?>(nil)
        let board = try await SleepingBoard.connect(.host) {
            let (ours, theirs) = try UnixSocket.pair()
            startThread(named: "slow-agent") {
                guard let hello = try? theirs.read() else { return }
                // As long as anything is likely to come.
                var file = pollfd(fd: theirs.raw, events: Int16(POLLIN), revents: 0)
                let isEarly = poll(&file, 1, 200) > 0
                var reader = FrameReader()
                early.withLock { $0 = reader.push(hello).count - 1 + (isEarly ? 1 : 0) }
                // From here on it is an agent like any other, whose client has just said hello.
                let (front, back) = (try? UnixSocket.pair()) ?? (theirs, theirs)
                let agent = StubAgent(back, role: .host)
                try? front.write(hello)
                startThread(named: "to-agent") {
                    while let bytes = try? theirs.read(), !bytes.isEmpty { try? front.write(bytes) }
                }
                while let bytes = try? front.read(), !bytes.isEmpty { try? theirs.write(bytes) }
                withExtendedLifetime(agent) {}
            }
            return ours
        }
        try await board.ask { .system(.wake($0)) }
        #expect(early.withLock { $0 } == 0)
        await board.close()
    }

    @Test("Events of its agent arrive, and the loss of its agent ends the conversation")
    func events() async throws {
        let board = try await connect()
        try await board.ask { .system(.wake($0)) }
        let agent = try #require(agents.events.first)
        agent.tell(.radio(.wifiPower(false)))
        _ = try await board.events.first(within: .seconds(300), waitingFor: "the event") {
            if case .radio(.wifiPower(false)) = $0 { true } else { false }
        }
        agent.die()
        await #expect(throws: RadioError.self) {
            _ = try await board.events.first(from: 2, within: .seconds(300), waitingFor: "the end")
        }
    }

    @Test("A board that cannot be switched on is an error of the rig with the reason, and is tried again")
    func cannotWake() async throws {
        let board = try await connect()
        failure.withLock { $0 = .rig("no memory") }
        await #expect(throws: RadioError.rig("the host board could not be switched on: no memory")) {
            try await board.ask { .station(.scan(hidden: nil, $0)) }
        }
        failure.withLock { $0 = nil }
        #expect(try await board.ask { .station(.scan(hidden: nil, $0)) }.isEmpty, "it is tried again")
    }
}

import BoardProtocol
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
                if case .scanWiFi = command { return .networks([]) }
                return nil
            }
            agents.append(agent)
            return ours
        }
    }

    @Test("It answers for itself what needs no board, and the first other command switches it on, once")
    func wakes() async throws {
        let board = try await connect()
        guard case .done = try await board.ask(.setClock(nanoseconds: 1)),
            case .versions([:]) = try await board.ask(.versions),
            case .health(let health) = try await board.ask(.health)
        else {
            Issue.record("another answer")
            return
        }
        #expect(health.bonds.isEmpty && health.networks.isEmpty && health.daemons.contains(.supplicant))
        #expect(agents.count == 0)
        guard case .networks([]) = try await board.ask(.scanWiFi) else {
            Issue.record("the agent's answer is lost")
            return
        }
        // Now its own agent answers everything.
        guard case .versions(let versions) = try await board.ask(.versions) else {
            Issue.record("no versions")
            return
        }
        #expect(versions == ["kernel": "stub"])
        #expect(agents.count == 1 && asked.events == ["hello", "scanWiFi", "versions"])
    }

    @Test("Events of its agent arrive, and the loss of its agent ends the conversation")
    func events() async throws {
        let board = try await connect()
        _ = try await board.ask(.wake)
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
            try await board.ask(.scanWiFi)
        }
        failure.withLock { $0 = nil }
        guard case .networks([]) = try await board.ask(.scanWiFi) else {
            Issue.record("it is not tried again")
            return
        }
    }
}

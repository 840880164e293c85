import BoardProtocol
import HILAir
import HILPOSIX
import HILRecord
import HILTiming
import RadioModel
import RigModel
import StubRig
import Synchronization
import Testing

@testable import HIL

/// An air that records the calls it gets, and lets every fault fire a given number of times.
private final class ScriptedAir: Sendable {
    let asked = Mutex<[AirCall]>([])
    let ordered = Mutex<[String]>([])
    let recorded = Mutex<[ScenarioEvent]>([])
    let events = EventLog<AirEvent>()
    private let fires: Int
    private let ends: [(Descriptor, Descriptor)]
    private let agents = Mutex<[StubAgent]>([])
    private let air = Mutex<StubAir?>(nil)

    init(fires: Int) throws {
        self.fires = fires
        ends = try BoardRole.allCases.map { _ in try UnixSocket.pair() }
    }

    /// A handle with a client of its own.
    func handle() throws -> AirHandle {
        let airEnds = try UnixSocket.pair()
        let facets = AirFacets(AirClient(airEnds.0))
        air.withLock { air in
            air = StubAir(airEnds.1) { call in
                self.asked.withLock { $0.append(call) }
                return switch call {
                case .arm(_, _, let reply): reply(7)
                case .disarm(_, let reply): reply(self.fires)
                default: nil
                }
            }
        }
        let boards = zip(BoardRole.allCases, ends).map { role, ends in
            agents.withLock { agents in
                agents.append(
                    StubAgent(ends.1, role: role) { command in
                        self.ordered.withLock { $0.append(command.name) }
                        return nil
                    })
            }
            return BoardClient(ends.0, role: role)
        }
        var rig = RigConnection(StubRigKind.whole, host: boards[0], accessory: boards[1])
        (rig.air, rig.adapters) = (facets, facets)
        rig.events = events
        return AirHandle(
            rig, recorder: ScenarioRecorder { event in self.recorded.withLock { $0.append(event.stamped.event) } })
    }

    var failures: [Failure] {
        recorded.withLock { $0.compactMap { if case .failure(let failure) = $0 { failure } else { nil } } }
    }
}

private struct Broken: Error {}

@Suite("Faults of the air in a scenario")
struct AirFaultTests {
    @Test("A packet at whose moment something is done passes at once, or waits in the air if it is held")
    func moments() async throws {
        for (hold, fault) in [
            (nil, AirFault.noticed(.data)), (Duration.seconds(1), .delayed(.data, by: .seconds(1))),
        ] {
            let air = try ScriptedAir(fires: 1)
            try await air.handle().when(.data, holding: hold, do: {}, during: {})
            #expect(air.asked.withLock { $0.first } == .arm(fault, firings: 1, Reply()))
        }
    }

    @Test("What is held in the air has passed when the call returns")
    func heldPacket() async throws {
        let (air, hold) = (try ScriptedAir(fires: 1), Duration.milliseconds(100))
        let fault = AirFault.delayed(.data, by: hold)
        let acted = EventLog<Void>()
        let began = ContinuousClock.now
        try await air.handle().when(
            .data, holding: hold, do: { acted.append(()) },
            during: {
                air.events.append(.fired(fault: "\(fault)", packet: nil, count: 1, of: 1))
                _ = try await acted.first(within: .seconds(20), waitingFor: "what is done at the packet's moment")
            })
        #expect(ContinuousClock.now - began >= hold)
    }

    @Test("A fault that fires is disarmed after the body; one that does not fire often enough fails the scenario")
    func firing() async throws {
        let air = try ScriptedAir(fires: 2)
        let value = try await air.handle().withFault(.dropped(.data), firing: 2) {
            air.asked.withLock { #expect($0 == [.arm(.dropped(.data), firings: 2, Reply())]) }
            return 5
        }
        #expect(value == 5 && air.failures.isEmpty)
        air.asked.withLock { #expect($0.last == .disarm(7, Reply())) }
        let expected = air.recorded.withLock {
            $0.contains { if case .expectation(_, true, _) = $0 { true } else { false } }
        }
        #expect(expected, "that it fires is expected")
        try await air.handle().withFault(.dropped(.data), firing: 3) {}
        #expect(air.failures.map(\.kind) == [.product])
        #expect(air.failures.first?.message.contains("fired 2 times, not 3") == true)
        #expect(air.failures.first?.location?.file.hasSuffix("AirFaultTests.swift") == true)
    }

    @Test("A body that throws or is cancelled leaves no fault armed, and its own error is thrown")
    func wayOut() async throws {
        let air = try ScriptedAir(fires: 1)
        await #expect(throws: Broken.self) { try await air.handle().withFault(.dropped(.data)) { throw Broken() } }
        let task = Task {
            try await air.handle().withFault(.dropped(.data)) {
                withUnsafeCurrentTask { $0?.cancel() }
                try Task.checkCancellation()
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        let disarmed = air.asked.withLock { $0.filter { $0 == .disarm(7, Reply()) }.count }
        #expect(disarmed == 2)
    }

    @Test("An adapter that a fault unplugged is plugged in again and powered, if it was unplugged")
    func unplugging() async throws {
        let air = try ScriptedAir(fires: 1)
        try await air.handle().withFault(.unplugged(.bluetooth, of: .accessory)) {}
        air.asked.withLock { #expect($0.last == .attach(.accessory, .bluetooth, Reply())) }
        air.ordered.withLock { #expect($0 == ["system.powerRadios"]) }
        let second = try ScriptedAir(fires: 1)
        try await second.handle().withFault(.unplugged(.bluetooth, of: .accessory, adapter: 1)) {}
        second.asked.withLock { #expect($0.last == .attach(.accessory, .bluetooth, adapter: 1, Reply())) }
        second.ordered.withLock { #expect($0 == ["accessory.powerAdapter"]) }
        let idle = try ScriptedAir(fires: 0)
        try await idle.handle().withFault(.unplugged(.bluetooth, of: .host, at: .smp())) {}
        idle.asked.withLock { #expect($0.last == .disarm(7, Reply())) }
        #expect(idle.failures.count == 1)
    }
}

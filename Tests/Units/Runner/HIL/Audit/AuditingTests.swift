import HILAudit
import HILBluetoothHost
import HILRecord
import RigModel
import Testing

@testable import HIL

/// Checks of an audit on a lab without boards.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct AuditingTests {
    private let test: TestLab
    private let scenario = Scenario("A lamp", .audits(AuditExpectations())) { _ in }

    init() throws { test = try TestLab(RigDescription("stub", has: [])) }

    private func perform(_ body: @escaping @MainActor @Sendable (AuditScene) async throws -> AuditFinding) async throws
    {
        let control = try #require(AuditControl.named("robustness.lengths").first)
        try await scenario.perform(
            AuditCheck("robustness.lengths", .setUp, body), of: control, scenario.cases[0], AttackOrder(), in: test.lab)
    }

    @Test("An attacker who fails is an error, and what fails afterwards counts again")
    func attackerFails() async throws {
        await #expect(throws: StackFailure.self) {
            try await perform { scene in
                scene.watchTroubles()
                throw StackFailure.invalid("a stranger's controller refuses it")
            }
        }
        test.lab.recorder.record(.failure(Failure(.rig, "it did not end")))
        #expect(test.failures.count == 1, "failures are not collected any more")
    }

    @Test("An audit of the phone leaves out what only an accessory has, and checks the rest after the whole body")
    func phone() async throws {
        let left = Set(AuditCheck.all.filter { $0.lackOfPhone != nil }.map(\.control))
        #expect(left.isSuperset(of: ["life.reset", "wifi.open", "robustness.ports", "access.replay"]))
        #expect(left.isDisjoint(with: ["pairing.legacy", "access.matrix", "air.data", "robustness.security"]))
        let bodies = EventLog<Void>()
        let publishing = Scenario("A key", .audits(AuditExpectations(of: .phone))) { _ in bodies.append(()) }
        func perform(_ name: String) async throws {
            try await publishing.perform(
                AuditCheck(name, .new) { scene in
                    #expect(bodies.count == 1, "it is no accessory that is new")
                    return try scene.phoneAsTarget().isKnown ? .holds : .breached("")
                }, of: try #require(AuditControl.named(name).first), publishing.cases[0], AttackOrder(), in: test.lab)
        }
        let lack = await #expect(throws: RigLacks.self) { try await perform("life.reset") }
        #expect(lack?.description.contains("out of reach") == true && bodies.count == 0)
        // Nothing on this lab knows the phone's identity.
        let unknown = await #expect(throws: RigLacks.self) { try await perform("pairing.legacy") }
        #expect(unknown?.description.contains("borrow the phone's own controller") == true, "\(unknown as Any)")
    }

    @Test("An attacker who fails because the accessory has crashed shows a breach")
    func accessoryCrashes() async throws {
        try await perform { scene in
            scene.watchTroubles()
            scene.lab.recorder.record(.failure(Failure(.product, "lamp was ended by signal 6")))
            throw StackFailure.notConnected
        }
        #expect(test.failures.map(\.message).first?.hasPrefix("breached: lamp was ended by signal 6") == true)
    }
}

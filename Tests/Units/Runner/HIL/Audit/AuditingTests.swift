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

import BoardProtocol
import HIL
import HILRecord
import RigModel
import StubRig
import Synchronization
import Testing

@testable import HILExecution

/// What becomes of a scenario when the bench under it does not work.
struct BenchErrorTests {
    /// Rigs with names, one after the other, of which a scenario can have another than the one before.
    private final class NamedRigs: RigProvider {
        private let stubs = StubRigs()
        private let names: [String]
        private let findings: [String: String]
        private let unready: Set<String>
        let log = Mutex<[String]>([])

        /// - Parameters:
        ///   - findings: What makes everything worthless that was seen on the rig of this name.
        ///   - unready: The names of rigs that cannot be made ready.
        init(_ names: [String], findings: [String: String] = [:], unready: Set<String> = []) {
            (self.names, self.findings, self.unready) = (names, findings, unready)
        }

        var description: RigDescription { stubs.description }

        func start(for needs: AccessoryNeeds, evidence: String) async throws -> any RunningRig {
            try await start(for: needs, evidence: evidence, avoiding: nil)
        }

        func start(
            for needs: AccessoryNeeds, evidence: String, avoiding avoided: String?
        ) async throws -> any RunningRig {
            // There is one at least.
            let name = names.first { $0 != avoided } ?? names[0]
            log.withLock { $0.append("start \(name)") }
            if unready.contains(name) {
                throw UnreadyRig(name: name, failure: RigFailure("resetting the board", "it is not fresh"))
            }
            return NamedRig(
                try await stubs.start(for: needs, evidence: evidence), name, findings[name].map { [$0] } ?? []
            ) { [self] line in log.withLock { $0.append(line) } }
        }

        func hasOther(than name: String) async -> Bool { names.contains { $0 != name } }

        func close() async { log.withLock { $0.append("close") } }
    }

    private struct NamedRig: RunningRig {
        let stub: any RunningRig
        let name: String?
        let findings: [String]
        let tell: @Sendable (String) -> Void

        init(_ stub: any RunningRig, _ name: String, _ findings: [String], _ tell: @escaping @Sendable (String) -> Void)
        {
            (self.stub, self.name, self.findings, self.tell) = (stub, name, findings, tell)
        }

        var endpoint: RigEndpoint { stub.endpoint }
        func lost() async throws -> String { try await stub.lost() }
        func agent(of board: BoardRole, within limit: Duration) async throws -> BoardClient {
            try await stub.agent(of: board, within: limit)
        }
        func stop() async { await stub.stop() }
        func release(isError: Bool) async { tell("release \(name ?? "") \(isError)") }
    }

    private static let one = [NamedScenario("first", file: "first.swift", Scenario("The first") { _ in })]

    /// Workers of which the first ones end with this failure each.
    private func failing(_ failures: [Failure]) -> ScriptedWorkers.Script {
        let rest = Mutex(failures)
        return { _, worker in
            let failure = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let failure { worker.tell(.bodyBegan(budget: 60), .failure(failure)) }
            worker.pass()
        }
    }

    @Test("A scenario that meets an error goes to another bench once, which decides, and the record says so")
    func moved() async throws {
        let rigs = NamedRigs(["one", "two"])
        let record = try await TestRun().perform(
            Self.one, rigs: rigs, script: failing([Failure(.rig, "a board was lost")]))
        let result = try #require(record["first"]?.result)
        // Not flaky: the first attempt says nothing about the product.
        #expect(result.judgement.verdict == .passed)
        #expect(result.movedFrom == "one")
        #expect(result.rig == "two")
        #expect(result.attempts?.map(\.rig) == ["one", "two"])
        #expect(record.exitCode == 0)
        #expect(
            rigs.log.withLock { $0 } == ["start one", "release one true", "start two", "release two false", "close"])
    }

    @Test("A bench that cannot be made ready has met an error as well")
    func unready() async throws {
        let record = try await TestRun().perform(
            Self.one, rigs: NamedRigs(["one", "two"], unready: ["one"]), script: failing([]))
        let result = try #require(record["first"]?.result)
        #expect(result.judgement.verdict == .passed)
        #expect(result.movedFrom == "one")
        #expect(
            result.attempts?.first?.judgement.failures.map(\.message) == ["resetting the board: it is not fresh"])
    }

    @Test("It is moved once only: an error on the other bench as well is the verdict")
    func twice() async throws {
        let rigs = NamedRigs(["one", "two"])
        let record = try await TestRun().perform(
            Self.one, rigs: rigs, script: failing([Failure(.rig, "lost"), Failure(.rig, "lost again")]))
        #expect(record["first"]?.result?.judgement.verdict == .error)
        #expect(record["first"]?.result?.judgement.cause?.message == "lost again")
        #expect(record.exitCode == 2)
        #expect(rigs.log.withLock { $0.filter { $0.hasPrefix("start") } } == ["start one", "start two"])
    }

    @Test("A failure of the product does not move, and a single bench has no other")
    func notMoved() async throws {
        let rigs = NamedRigs(["one", "two"])
        let failed = try await TestRun().perform(
            Self.one, rigs: rigs, script: failing([Failure(.product, "wrong")]))
        #expect(failed["first"]?.result?.judgement.verdict == .failed)
        #expect(failed["first"]?.result?.movedFrom == nil)
        let alone = try await TestRun().perform(
            Self.one, rigs: NamedRigs(["one"]), script: failing([Failure(.rig, "lost")]))
        #expect(alone["first"]?.result?.judgement.verdict == .error)
        #expect(alone["first"]?.result?.attempts == nil)
    }

    @Test("What the bench finds at the end makes a failure an error: the product is not judged by it")
    func findings() async throws {
        let rigs = NamedRigs(["one"], findings: ["one": "NetworkManager has taken wlan0 back"])
        let record = try await TestRun().perform(
            Self.one, rigs: rigs, script: failing([Failure(.product, "the network was not joined")]))
        let judgement = try #require(record["first"]?.result?.judgement)
        #expect(judgement.verdict == .error)
        #expect(judgement.failures.map(\.message).contains("NetworkManager has taken wlan0 back"))
        #expect(rigs.log.withLock { $0 }.contains("release one true"))
    }
}

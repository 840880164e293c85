import Foundation
import HILRecord
import StubRig
import TestSupport
import Testing

/// Explorations on virtual boards.
struct ExploreTests {
    private static func explore(
        _ words: [String], with program: String = "hil", environment: [String: String] = [:]
    ) async throws -> (code: Int32?, record: RunRecord, folder: String) {
        let folder = NSTemporaryDirectory() + "hil-explore-\(UUID().uuidString)"
        let room = program == "hil" ? [] : ["explorations"]
        let (status, record) = try await RunnerProcess(
            program, room + ["explore", "--format", "json", "--out", folder] + words, environment: environment
        ).end()
        guard case .exited(let code) = status else { return (nil, record, folder) }
        return (code, record, folder)
    }

    private func exploration(_ record: RunRecord) throws -> ExplorationRecord {
        try #require(record.entries.first?.exploration)
    }

    @Test("A die's pairing has its moments by name, its faults happen there, and each trial says what came of it")
    func pairing() async throws {
        let (code, record, folder) = try await Self.explore([
            "dieIsPairedAndRolls", "--fault", "personCancels,linkLost,packetHeld,appSuspended", "--at",
            "smp(dhKeyCheck)", "--at", "screen(passkey)",
        ])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let exploration = try exploration(record)
        let names = Set(exploration.info.moments.map { "\($0.moment)" })
        let known: Set = [
            "step(pick and pair)", "screen(picker)", "screen(passkey)", "smp(pairingRequest)", "smp(dhKeyCheck)#2",
            "told(accessoryAdded)", "step(roll)#3", "discover(services)",
        ]
        #expect(known.isSubset(of: names), "\(names.sorted())")
        let outcomes = Dictionary(exploration.results.map { ("\($0.cell)", $0) }) { $1 }
        let refused = outcomes["personCancels at screen(passkey)"]
        #expect(refused?.outcome == .toldAndRecovered, "\(String(describing: refused))")
        let lost = outcomes["linkLost at smp(dhKeyCheck)"]
        #expect(lost?.outcome == .toldAndRecovered, "\(String(describing: lost))")
        let held = outcomes["packetHeld at smp(dhKeyCheck)"]
        #expect(held?.outcome.isHarmless == true, "\(String(describing: held))")
        #expect(outcomes["personCancels at smp(dhKeyCheck)"] == nil, "no screen appears there")
        #expect(exploration.results.count == 6 && code == 0, "\(exploration.results)")
        let info = try #require(record.info)
        let kept = try FileManager.default.contentsOfDirectory(atPath: "\(info.folder)/dieIsPairedAndRolls")
        #expect(!kept.contains("trials") && kept.contains("story.txt"), "\(kept)")
    }

    @Test("An app that misses a callback is found, with a case of its own that says so, and the mended one is not")
    func pair() async throws {
        for build in ["faulty", "mended"] {
            let (code, record, folder) = try await Self.explore(
                ["lostCallback[app=\(build)]", "--fault", "linkLost", "--at", "notify(FF02)"], with: "hil-trials")
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let findings = record.entries.dropFirst()
            let results = try exploration(record).results
            #expect(findings.count == (build == "faulty" ? 1 : 0), "\(results)")
            #expect(code == (build == "faulty" ? 1 : 0), "\(results)")
            guard let finding = findings.first else { continue }
            let cause = finding.result?.judgement.cause?.message ?? ""
            #expect(
                cause.hasPrefix("silent: When the link is lost at notify(FF02), the app waits for ever"), "\(cause)")
            #expect(finding.info.replay.hasSuffix("--fault linkLost --at 'notify(FF02)'"), "\(finding.info.replay)")
        }
    }

    @Test(
        "A finding that is kept as a scenario fails, and passes once it is mended",
        .enabled(if: ProcessInfo.processInfo.environment["HIL_EXPLORATIONS"] != nil, "`make test-long` has it"))
    func kept() async throws {
        let folder = NSTemporaryDirectory() + "hil-kept-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (_, record) = try await RunnerProcess(
            "hil-trials",
            [
                "explorations", "run", "--format", "json", "--out", folder, "lostCallbackLinkLostAtNotifyFF02",
                "lostCallbackIsMended",
            ]
        ).end()
        let faulty = record["lostCallbackLinkLostAtNotifyFF02"]?.result?.judgement
        #expect(faulty?.verdict == .failed)
        let cause = faulty?.cause?.message ?? ""
        #expect(cause.contains("silent: When the link is lost at notify(FF02), the app waits for ever"), "\(cause)")
        let mended = record["lostCallbackIsMended"]?.result?.judgement
        #expect(mended?.verdict == .passed, "\(String(describing: mended?.cause))")
    }

    /// Minutes for each pair, so that `make test-long` alone makes all of them.
    @Test(
        "Of ten faulty apps and accessories at least nine are found, and nothing is told of the mended ones",
        .enabled(if: ProcessInfo.processInfo.environment["HIL_EXPLORATIONS"] != nil, "`make test-long` has it"))
    func measure() async throws {
        let budget = ProcessInfo.processInfo.environment["HIL_EXPLORATIONS"] ?? "2min"
        let (_, listed, _) = try await Self.explore(["*", "--moments"], with: "hil-trials")
        var found: Set<String> = []
        let names = listed.entries.map(\.info.identifier).filter { $0.contains("[") }
        #expect(names.count >= 20)
        let seeded = try Self.seededOutcomes()
        for name in names {
            let (_, record, folder) = try await Self.explore([name, "--budget", budget], with: "hil-trials")
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let told = record.entries.dropFirst().map { $0.result?.judgement.cause?.message ?? $0.info.title }
            if name.contains("=mended") {
                #expect(told.isEmpty, "\(name): \(told)")
            } else {
                let outcome = try #require(seeded[String(name.prefix { $0 != "[" }).lowercased()], "\(name)")
                if told.contains(where: { $0.hasPrefix(outcome) }) { found.insert(name) }
            }
        }
        let faulty = names.filter { $0.contains("=faulty") }
        #expect(found.count * 10 >= faulty.count * 9, "not found: \(Set(faulty).subtracting(found).sorted())")
    }

    /// The outcome that shows each seeded fault, by the name of its folder in lower case, as the table of the fixtures has it.
    private static func seededOutcomes() throws -> [String: String] {
        let text = try String(contentsOfFile: "\(checkout)/Fixtures/Explorations/README.md", encoding: .utf8)
        return Dictionary(
            text.matches(of: /\| `(\w+)` \|[^|]*\| ([a-z ]+) \|/).map { ($0.1.lowercased(), String($0.2)) }
        ) { $1 }
    }

    @Test(
        "A die whose board had no power for a second is there again",
        .enabled(if: ProcessInfo.processInfo.environment["HIL_EXPLORATIONS"] != nil, "`make test-long` has it"))
    func powerReturns() async throws {
        let (code, record, folder) = try await Self.explore([
            "dieIsFoundInImmediateRange", "--fault", "powerCut", "--at", "screen(picker)", "--at", "step(walk there)",
        ])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let results = try exploration(record).results
        #expect(code == 0 && results.count == 2 && results.allSatisfy { $0.outcome == .unharmed }, "\(results)")
    }

    @Test("A moment that is not there is a wrong command, which says so; the scenario is skipped")
    func refused() async throws {
        let (code, record, folder) = try await Self.explore(["dieIsPairedAndRolls", "--at", "write(FF99)"])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(code == 64)
        let judgement = record.entries.first?.result?.judgement
        #expect(judgement?.verdict == .skipped)
        #expect(judgement?.reason == "the journey has no moment write(FF99): --moments shows them")
    }
}

import Foundation
import HIL
import HILExploration
import HILPOSIX
import HILRecord
import StubRig
import Synchronization
import Testing

@testable import HILExecution

/// Explorations whose trials are scripted.
struct ExplorationRunTests {
    private static let write = Moment(.attribute, "write(FF03)")
    private static let lamp = NamedScenario("lampIsSetUp", file: "Lamp.swift", Scenario("A lamp is set up") { _ in })

    /// What a worker saw in a trial; nil if it crashed.
    typealias Script = @Sendable (TrialOrder) -> TrialNote?

    private func explore(
        _ options: ExplorationOptions = ExplorationOptions(), of scenario: NamedScenario = lamp,
        rigs: StubRigs = StubRigs(), store: ExplorationStore? = nil,
        looking look: (String) -> Void = { _ in },
        ending end: @escaping @Sendable (TrialOrder, @escaping @Sendable () -> Void) -> Void = { $1() },
        script: @escaping Script
    ) async throws -> RunRecord {
        let test = try TestRun()
        let workers = ScriptedWorkers { _, worker in
            guard let order = worker.given.withLock({ $0?.trial }) else { return worker.end(.exited(1)) }
            worker.tell(.bodyBegan(budget: 60))
            guard let note = script(order) else { return worker.end(.signalled(11)) }
            if let failure = note.attempts.first?.failure { worker.tell(.note(text: failure)) }
            worker.tell(.trial(note), .bodyEnded(seconds: 1), .done)
            end(order) { worker.end(.exited(0)) }
        }
        let run = ExplorationRun(
            try Plan([scenario]).all, rigs: rigs, workers: workers, folder: test.folder,
            interruption: test.interruption, options: options, stores: { _ in store }
        ) { [folder = test.folder] line in
            test.lines.withLock { $0.append(line) }
            guard line.scenario?.contains("~") == true, case .scenarioEnded? = line.runner else { return }
            // The page of the finding, which is written now, compares with it.
            let story = folder.file("\(scenario.name)/timeline.json")
            #expect(FileManager.default.fileExists(atPath: story), "the journey without a fault has no timeline")
        }
        try await run.perform(version: "test")
        look(test.folder.path)
        return test.record
    }

    private static func control() -> TrialNote {
        var note = TrialNote()
        note.moments = [JourneyMoment(write, seconds: 0.1, hasLink: true)]
        note.attempts = [.init(.passed, seconds: 1), .init(.passed, seconds: 1)]
        return note
    }

    private static func trial(_ attempts: TrialNote.Attempt...) -> TrialNote {
        var note = TrialNote()
        (note.isReached, note.proof, note.attempts) = (true, "it happened", attempts)
        return note
    }

    @Test("What does no harm leaves one case that passes, with a result for each trial, and no folder of any trial")
    func harmless() async throws {
        let record = try await explore { $0.cell == nil ? Self.control() : Self.trial(.init(.passed, seconds: 1)) }
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.passed])
        let exploration = try #require(record.entries.first?.exploration)
        #expect(exploration.results.count == exploration.info.planned && exploration.info.planned > 5)
        #expect(exploration.results.allSatisfy { $0.outcome == .unharmed })
        #expect(record.exitCode == 0)
    }

    @Test("A finding is tried three times, and is a case of its own that fails with its sentence and its command")
    func finding() async throws {
        let count = Mutex(0)
        let script: Script = { order in
            guard let cell = order.cell else { return Self.control() }
            guard cell.fault == "linkLost" else { return Self.trial(.init(.passed, seconds: 1)) }
            count.withLock { $0 += 1 }
            return Self.trial(.init(.waited, seconds: 20, step: "set up"))
        }
        let record = try await explore(
            looking: { run in
                let exists = FileManager.default.fileExists(atPath:)
                #expect(exists("\(run)/lampIsSetUp~silent-link-set-up/story.txt"))
                #expect(!exists("\(run)/lampIsSetUp/trials"))
            }, script: script)
        #expect(count.withLock { $0 } == 3)
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.passed, .failed])
        let finding = record.entries[1]
        #expect(finding.info.identifier == "lampIsSetUp~silent-link-set-up")
        #expect(finding.info.folder == finding.info.identifier)
        #expect(finding.info.replay == "hil explore lampIsSetUp --fault linkLost --at 'write(FF03)'")
        #expect(
            finding.result?.judgement.cause?.message
                == "silent: When the link is lost at write(FF03), the app waits for ever in “set up”, and was told nothing."
        )
        #expect(record.exitCode == 1)
    }

    @Test("A finding that does not come each time says how often, and one of an unwanted kind does not fail")
    func uncertain() async throws {
        let count = Mutex(0)
        var options = ExplorationOptions()
        (options.faults, options.failOn) = (["linkLost"], [.crashed])
        let record = try await explore(options) { order in
            guard order.cell != nil else { return Self.control() }
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return Self.trial(isFirst ? .init(.waited, seconds: 20) : .init(.passed, seconds: 1))
        }
        let finding = try #require(record.entries.dropFirst().first)
        #expect(finding.result?.judgement.verdict == .passed)
        #expect(finding.result?.judgement.reason?.contains("It came 1 of 3 times.") == true)
        #expect(finding.info.title.hasPrefix("Found, and left out by --fail-on: When the link is lost at"))
        #expect(record.exitCode == 0)
    }

    @Test("A scenario that declares what the rig lacks is skipped, as in a run")
    func lacking() async throws {
        let far = NamedScenario(
            "lampIsFar", file: "Lamp.swift", Scenario("A lamp is far away", .needs(.distance)) { _ in })
        let record = try await explore(of: far, rigs: StubRigs(StubRigKind.twoAgents)) { _ in
            Issue.record("nothing runs")
            return nil
        }
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.skipped])
        #expect(record.exitCode == 0)
    }

    @Test("A scenario in which the system ends the app is skipped, with the reason")
    func endedApp() async throws {
        let ended = NamedScenario(
            "appIsEnded", file: "Lamp.swift", Scenario("An app is ended", .crashes(because: "NSBluetooth")) { _ in })
        let record = try await explore(of: ended) { _ in Self.control() }
        let judgement = record.entries.first?.result?.judgement
        #expect(judgement?.verdict == .skipped)
        #expect(judgement?.reason?.hasPrefix("the system is to end its app") == true)
    }

    @Test("Pairs of faults that did no harm alone are tried with what the budget leaves, and a finding names both")
    func pairs() async throws {
        var options = ExplorationOptions()
        (options.faults, options.pairs, options.trials) = (["linkLost", "packetHeld"], true, 5)
        let record = try await explore(options) { order in
            guard order.cell != nil else {
                var note = Self.control()
                note.moments.append(
                    JourneyMoment(
                        Moment(.attribute, "write(FF03)", number: 2), seconds: 0.2, hasLink: true))
                return note
            }
            return Self.trial(order.second == nil ? .init(.passed, seconds: 1) : .init(.waited, seconds: 20))
        }
        let exploration = try #require(record.entries.first?.exploration)
        #expect(exploration.results.count(where: { $0.second == nil }) == 4)
        #expect(exploration.results.count(where: { $0.second != nil }) == 1)
        #expect(record.entries[0].result?.judgement.reason?.contains("1 trial was left") == true)
        let finding = try #require(record.entries.dropFirst().first)
        #expect(
            finding.info.title
                == "When the link is lost at write(FF03), and the packet is a second late at write(FF03)#2, the app waits for ever, and was told nothing."
        )
        #expect(
            finding.info.replay.hasSuffix(
                "--fault linkLost,packetHeld --at 'write(FF03)' --at 'write(FF03)#2' --pairs"), "\(finding.info.replay)"
        )
    }

    @Test("A worker that crashes in a trial is a finding, and one that a rig's error ends is tried once more")
    func crashes() async throws {
        let crashed = try await explore { order in
            guard let cell = order.cell else { return Self.control() }
            return cell.fault == "bluetoothOff" ? nil : Self.trial(.init(.passed, seconds: 1))
        }
        #expect(crashed.entries.dropFirst().first?.info.identifier.hasPrefix("lampIsSetUp~crashed-link") == true)
        let tries = Mutex(0)
        let late = try await explore { order in
            guard let cell = order.cell else { return Self.control() }
            guard cell.fault == "packetHeld" else { return Self.trial(.init(.passed, seconds: 1)) }
            tries.withLock { $0 += 1 }
            var note = Self.trial(.init(.passed, seconds: 1))
            note.proof = nil
            return note
        }
        #expect(tries.withLock { $0 } == 2 && late.entries.count == 1)
        #expect(late.entries[0].result?.judgement.reason == "1 trial proves nothing")
        #expect(late.entries[0].exploration?.outcome(of: "packetHeld", at: Self.write) == .error)
    }

    @Test("An exploration in which no trial proves anything is an error, and the second try has more patience")
    func nothingProven() async throws {
        var options = ExplorationOptions()
        options.faults = ["linkLost"]
        let patience = Mutex<[Double]>([])
        let record = try await explore(options) { order in
            guard order.cell != nil else { return Self.control() }
            patience.withLock { $0.append(order.patience) }
            var note = Self.trial(.init(.passed, seconds: 1))
            note.proof = nil
            return note
        }
        #expect(patience.withLock { $0 } == [10, 30])
        let judgement = record.entries.first?.result?.judgement
        #expect(judgement?.verdict == .error)
        #expect(
            judgement?.cause?.message
                == "its only trial proves nothing: linkLost at write(FF03): nothing proves that the fault happened; explore again with fewer rigs (--jobs 1), or less beside them"
        )
        #expect(record.exitCode == 2)
    }

    @Test("A scenario that does not pass without a fault is not explored, and fails with its reason")
    func broken() async throws {
        let record = try await explore { _ in
            var note = Self.control()
            note.attempts = [.init(.failed, seconds: 1, failure: "no lamp")]
            return note
        }
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.failed])
        #expect(record.entries[0].result?.judgement.cause?.message == "it does not pass without a fault: no lamp")
    }

    @Test("What was tried stays tried, and counts again")
    func resumes() async throws {
        let path = NSTemporaryDirectory() + "hil-explored-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let made = Mutex(0)
        let script: Script = { order in
            guard order.cell != nil else { return Self.control() }
            made.withLock { $0 += 1 }
            return Self.trial(.init(.passed, seconds: 1))
        }
        let first = try await explore(store: try ExplorationStore(path, key: "one"), script: script)
        let planned = try #require(first.entries[0].exploration?.info.planned)
        #expect(made.withLock { $0 } == planned)
        var options = ExplorationOptions()
        options.resumes = true
        let again = try await explore(options, store: try ExplorationStore(path, key: "one"), script: script)
        #expect(made.withLock { $0 } == planned)
        #expect(again.entries[0].exploration?.results.count == planned)
        #expect(again.entries[0].result?.judgement.reason?.contains("earlier exploration") == true)
    }

    @Test("A budget that is over leaves the rest, and says how many")
    func budget() async throws {
        var options = ExplorationOptions()
        options.budget = 0
        let record = try await explore(options) { _ in Self.control() }
        #expect(record.entries[0].exploration?.results.isEmpty == true)
        #expect(
            record.entries[0].result?.judgement.reason?.hasSuffix("trials were left when the budget was used up")
                == true)
    }

    @Test("Where each trial ends with an error of the rig, six more are made, and no trial counts as left")
    func errors() async throws {
        let made = Mutex(0)
        let record = try await explore { order in
            guard order.cell != nil else { return Self.control() }
            made.withLock { $0 += 1 }
            var note = Self.trial(.init(.passed, seconds: 1))
            note.proof = nil
            return note
        }
        let exploration = try #require(record.entries[0].exploration)
        #expect(exploration.info.planned > 6)
        #expect(made.withLock { $0 } == exploration.info.planned + 6)
        #expect(exploration.results.allSatisfy { $0.outcome == .error })
        #expect(record.entries[0].result?.judgement.reason == nil, "no budget was used up")
    }

    @Test("A budget in trials allows the first ones, and those that proved nothing once more")
    func budgetOfTrials() async throws {
        var options = ExplorationOptions()
        options.trials = 3
        let tried = Mutex<[TrialOrder.Cell]>([])
        let record = try await explore(options) { order in
            guard let cell = order.cell else { return Self.control() }
            let isFirst = tried.withLock { cells in
                defer { cells.append(cell) }
                return !cells.contains(cell)
            }
            var note = Self.trial(.init(.passed, seconds: 1))
            note.isReached = !isFirst
            return note
        }
        let exploration = try #require(record.entries[0].exploration)
        #expect(tried.withLock { $0.count } == 6 && exploration.results.count == 3)
        #expect(
            record.entries[0].result?.judgement.reason
                == "\(exploration.info.planned - 3) trials were left when the budget was used up")
    }

    @Test("The last quarter of a budget goes to the edges of what was found, the same ones each time")
    func edges() async throws {
        func cells(jobs: Int, flaky: Bool = false) async throws -> (tried: Set<String>, title: String) {
            var options = ExplorationOptions()
            (options.trials, options.faults, options.jobs) = (16, ["linkLost"], jobs)
            let places = (1...24).map { Moment(.attribute, "write(\($0))") }
            let tried = Mutex<Set<String>>([])
            let record = try await explore(options) { order in
                guard let cell = order.cell else {
                    var note = Self.control()
                    note.moments = places.map { JourneyMoment($0, seconds: 0.1, hasLink: true) }
                    return note
                }
                let isFirst = tried.withLock { $0.insert("\(cell.moment)").inserted && $0.count <= 12 }
                if flaky, isFirst {
                    var note = Self.trial(.init(.passed, seconds: 1))
                    note.isReached = false
                    return note
                }
                let place = places.firstIndex(of: cell.moment) ?? 0
                guard (6..<14).contains(place) else { return Self.trial(.init(.passed, seconds: 1)) }
                return Self.trial(.init(.waited, seconds: 20, step: "set up"))
            }
            let exploration = try #require(record.entries.first?.exploration)
            #expect(exploration.results.count == 16)
            return (tried.withLock { $0 }, record.entries[1].info.title)
        }
        let (tried, title) = try await cells(jobs: 1)
        #expect(tried.isSuperset(of: ["write(6)", "write(7)", "write(14)", "write(15)"]), "\(tried)")
        #expect(title.contains("from write(7) to before write(15)"), "\(title)")
        #expect(try await cells(jobs: 4).tried == tried)
        #expect(try await cells(jobs: 2, flaky: true) == (tried, title), "what proved nothing is tried again before")
    }

    @Test("The trials that wait longest come first in a part of a budget, and no rig waits for them alone")
    func longest() async throws {
        var options = ExplorationOptions()
        (options.trials, options.faults) = (4, ["appEnded", "personWaits"])
        for seed in 1...4 {
            options.seed = UInt64(seed)
            let tried = Mutex<[String]>([])
            _ = try await explore(options) { order in
                guard let cell = order.cell else {
                    var note = Self.control()
                    note.moments = (1...4).map {
                        JourneyMoment(Moment(.screen, "screen(passkey)", number: $0), seconds: 0.1, hasApp: true)
                    }
                    return note
                }
                tried.withLock { $0.append(cell.fault) }
                return Self.trial(.init(.passed, seconds: 1))
            }
            let first = tried.withLock { $0.prefix(3) }
            #expect(
                Set(first) == ["appEnded", "personWaits"] && Array(first) == first.sorted().reversed(),
                "seed \(seed): \(first)")
        }
    }

    @Test("While the machine has processors to spare, a trial begins although another one waits")
    func spare() async throws {
        var options = ExplorationOptions()
        (options.faults, options.spareJobs) = (["linkLost", "packetHeld"], 1)
        let waiting = Mutex<[@Sendable () -> Void]>([])
        let record = try await explore(
            options,
            ending: { order, end in
                guard order.cell != nil else { return end() }
                // Both end once both run.
                let all = waiting.withLock { waiting in
                    waiting.append(end)
                    return waiting.count == 2 ? waiting : []
                }
                for end in all { end() }
            }, script: { $0.cell == nil ? Self.control() : Self.trial(.init(.passed, seconds: 1)) })
        #expect(record.entries[0].exploration?.results.map(\.outcome) == [.unharmed, .unharmed])
    }

    @Test("A journey that a late machine spoilt once is run again, and its evidence is that of the run that passed")
    func lateOnce() async throws {
        let runs = Mutex(0)
        let record = try await explore(
            rigs: StubRigs(waiting: .seconds(60), firstOnly: true),
            looking: { run in
                let story = try? String(contentsOfFile: "\(run)/lampIsSetUp/story.txt", encoding: .utf8)
                #expect(
                    story?.contains("passed") == true && story?.contains("no lamp") == false, "\(story ?? "no story")")
                let left = try? FileManager.default.contentsOfDirectory(atPath: "\(run)/lampIsSetUp")
                #expect(left?.contains { $0.hasPrefix("control") } == false)
            }
        ) { order in
            guard order.cell == nil else { return Self.trial(.init(.passed, seconds: 1)) }
            let isFirst = runs.withLock { runs in
                runs += 1
                return runs == 1
            }
            var note = Self.control()
            if isFirst { note.attempts = [.init(.failed, seconds: 1, failure: "no lamp")] }
            return note
        }
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.passed])
        #expect(runs.withLock { $0 } == 4)
    }
}

import HIL
import HILAudit
import HILRecord
import RigModel
import Synchronization
import Testing

@testable import HILExecution

/// The order of scenarios, rounds, and several rigs.
struct AgendaTests {
    private func plan(_ count: Int) throws -> [PlannedScenario] {
        try Plan((1...count).map { NamedScenario("s\($0)", file: "S\($0).swift", Scenario("The \($0)") { _ in }) }).all
    }

    private func options(_ change: (inout RunOptions) -> Void) -> RunOptions {
        var options = RunOptions()
        change(&options)
        return options
    }

    private func order(_ count: Int, _ options: RunOptions, past: PastRuns = PastRuns()) throws -> [String] {
        Agenda(try plan(count), options, past: past).beginning.map(\.identifier)
    }

    @Test("One rig uses the order of the list; several begin with new scenarios, then with the longest")
    func longestFirst() throws {
        let past = PastRuns([
            "s1": [.init(.passed, seconds: 1)], "s2": [.init(.passed, seconds: 9)],
            "s4": [.init(.failed, seconds: 5), .init(.passed, seconds: 60), .init(.passed, seconds: 4)],
        ])
        #expect(try order(4, RunOptions(), past: past) == ["s1", "s2", "s3", "s4"])
        #expect(try order(4, options { $0.jobs = 2 }, past: past) == ["s3", "s2", "s4", "s1"])
    }

    @Test("A first audit on several rigs begins with the checks that take longest")
    func longChecksFirst() throws {
        let lamp = NamedScenario("lamp", file: "S.swift", Scenario("The lamp", .tags(.smoke)) { _ in })
        let checks = Plan(auditing: try Plan([lamp]).all, AuditControl.all).all
        let order = Agenda(checks, options { $0.jobs = 3 }, isFirst: true).beginning.compactMap { $0.control?.name }
        #expect(order.prefix(3) == ["robustness.attributes", "wifi.services", "robustness.occupied"])
        #expect(order.count == checks.count)
        let alone = Agenda(checks, RunOptions()).beginning.map(\.identifier)
        #expect(alone == checks.map(\.identifier), "one rig uses the order of the list")
    }

    @Test("Within a budget the shortest checks begin first, so that most of them are made")
    func shortFirstInBudget() throws {
        let lamp = NamedScenario("lamp", file: "S.swift", Scenario("The lamp", .tags(.smoke)) { _ in })
        let checks = Plan(auditing: try Plan([lamp]).all, AuditControl.all).all
        for jobs in 1...2 {
            let options = options { ($0.jobs, $0.lastStart) = (jobs, 30) }
            let order = Agenda(checks, options).beginning.compactMap { $0.control?.seconds }
            #expect(order == order.sorted() && order.count == checks.count)
        }
    }

    @Test("A first run begins with the smoke scenarios, on any number of rigs")
    func smokeFirst() throws {
        func named(_ name: String, _ tag: HIL.Tag) -> NamedScenario {
            NamedScenario(name, file: "S.swift", Scenario("The \(name)", .tags(tag)) { _ in })
        }
        let all = try Plan([named("s1", .wifi), named("s2", .smoke), named("s3", .wifi), named("s4", .smoke)]).all
        for jobs in 1...2 {
            let options = options { $0.jobs = jobs }
            #expect(Agenda(all, options, isFirst: true).beginning.map(\.identifier) == ["s2", "s4", "s1", "s3"])
        }
        #expect(Agenda(all, RunOptions()).beginning.map(\.identifier) == ["s1", "s2", "s3", "s4"])
    }

    @Test("A seed gives the same order on every machine; each round has another order")
    func shuffled() throws {
        let seven = try order(10, options { $0.seed = 7 })
        #expect(try order(10, options { $0.seed = 7 }) == seven)
        #expect(try order(10, options { $0.seed = 8 }) != seven)
        #expect(Set(seven).count == 10)
        var known = SplitMix64(1_234_567)
        #expect([known.next(), known.next()] == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973])
        let rounds = try order(10, options { ($0.seed, $0.rounds) = (7, 2) })
        #expect(rounds.prefix(10) == seven[...])
        #expect(rounds.suffix(10).map { $0.replacing("#2", with: "") } != seven)
    }

    @Test("The scenarios of a round have their own names, titles and folders, and the same replay command")
    func rounds() throws {
        let planned = Agenda(try plan(1), options { $0.rounds = 2 }).beginning
        #expect(planned.map(\.identifier) == ["s1", "s1#2"])
        #expect(planned.map(\.title) == ["The 1", "The 1 (round 2)"])
        #expect(planned.map(\.slug) == ["s1", "s1.2"])
        #expect(Set(planned.map { Invocation().again($0.caseIdentifier) }) == ["hil run s1"])
    }

    @Test("Rounds are added until a scenario fails; then nothing more begins")
    func untilFail() async throws {
        let runs = Mutex(0)
        let test = try TestRun()
        let record = try await test.perform(options: options { $0.untilFail = true }) { name, worker in
            let number = runs.withLock { runs in
                runs += 1
                return runs
            }
            if number == 5 { worker.tell(.bodyBegan(budget: 60), .failure(Failure(.product, "wrong"))) }
            worker.pass()
        }
        #expect(runs.withLock { $0 } == 5)
        #expect(
            record.entries.map(\.info.identifier) == ["first", "second", "third", "first#2", "second#2", "third#2"])
        #expect(record["second#2"]?.result?.judgement.verdict == .failed)
        #expect(record.end?.stoppedBy == "second#2")
        #expect(record["third#2"]?.result == nil)
        #expect(record.exitCode == 1)
        let bounded = try await TestRun().perform(options: options { ($0.untilFail, $0.rounds) = (true, 3) }) {
            $1.pass()
        }
        #expect(bounded.count(.passed) == 9)
    }

    @Test("Rigs side by side run at the same time, and the record keeps each scenario in order")
    func sideBySide() async throws {
        let waiting = Mutex<[ScriptedWorker]>([])
        let test = try TestRun()
        let record = try await test.perform(options: options { $0.jobs = 2 }) { name, worker in
            worker.tell(.bodyBegan(budget: 60))
            if name == "third" { return worker.pass() }
            // The first two end only when both have begun.
            let both = waiting.withLock { waiting in
                waiting.append(worker)
                return waiting.count == 2 ? waiting : []
            }
            for worker in both { worker.pass() }
        }
        #expect(record.count(.passed) == 3)
        let lines = test.lines.withLock { $0 }
        let rigs = lines.compactMap(\.rig)
        #expect(Set(rigs.prefix(2)) == [1, 2])
        for name in ["first", "second", "third"] {
            let own = lines.filter { $0.scenario == name }
            guard case .scenarioBegan? = own.first?.runner, case .scenarioEnded? = own.last?.runner else {
                Issue.record("\(name) does not begin and end with its own lines")
                continue
            }
        }
        guard case .runEnded? = lines.last?.runner else {
            Issue.record("the run's end is not the last line")
            return
        }
    }

    @Test("As many rigs as cores and memory allow, and at least one")
    func jobs() {
        func fitting(_ footprint: RigFootprint = .emulated, cores: Int, memory: Int?) -> Int {
            Jobs.fitting(footprint, cores: cores, memory: memory)
        }
        #expect(fitting(cores: 2, memory: 20_000) == 2)
        #expect(fitting(cores: 8, memory: 20_000) == 8)
        #expect(fitting(cores: 8, memory: 3500) == 3)
        #expect(fitting(cores: 8, memory: 900) == 1)
        #expect(fitting(cores: 8, memory: nil) == 1)
        #expect([1, 2, 3, 8].map { fitting(.native, cores: $0, memory: 20_000) } == [2, 3, 5, 12])
        #expect(fitting(.native, cores: 8, memory: 1500) == 2)
        func problem(_ jobs: Int, _ footprint: RigFootprint = .emulated, memory: Int?) -> String {
            Jobs.problem(jobs, footprint, memory: memory) ?? "none"
        }
        #expect(problem(2, memory: 2624) == "none")
        #expect(problem(50, memory: 20_000).contains("need 41024 MiB"))
        #expect(problem(50, memory: 20_000).contains("20000 MiB are available: --jobs 23 at most"))
        #expect(problem(1, memory: 100) == "none", "one is always tried")
        #expect(problem(50, memory: nil) == "none")
        #expect(problem(100, .native, memory: 24_100) == "none", "a hundred rigs on 24 GiB")
        #expect(Jobs.warning(3, .emulated, cores: 2)?.contains("3 rigs side by side on 2 cores") == true)
        #expect(Jobs.warning(2, .emulated, cores: 2) == nil)
        #expect(Jobs.warning(3, .native, cores: 2) == nil && Jobs.warning(4, .native, cores: 2) != nil)
        #expect(Jobs.hasRoom(for: .native, memory: 1254) && !Jobs.hasRoom(for: .native, memory: 1253))
        #expect(!Jobs.hasRoom(for: .native, memory: nil))
        #expect(Jobs.available("MemTotal: 1 kB\nMemAvailable:   20971520 kB\n") == 20_480)
    }
}

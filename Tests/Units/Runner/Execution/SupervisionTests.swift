import HIL
import HILPOSIX
import HILRecord
import RigModel
import TestSupport
import Testing

@testable import HILExecution

struct SupervisionTests {
    private static let scenario = Scenario("Anything", .budget(.seconds(20))) { _ in }
    private static let crashing = Scenario("Crashes", .crashes(because: "NSAccessorySetupSupports")) { _ in }
    private static let appCrash = "hil-app-crash: P1 the Info.plist lacks NSAccessorySetupSupports\n"
    private let product = Failure(.product, "the die shows nothing")
    private let rig = Failure(.rig, "the agent of the host board is lost")

    /// The judgement after these inputs; the worker's log is what `log` says.
    private func judge(
        _ inputs: [Supervision.Input], of scenario: Scenario = scenario, log: String = ""
    ) -> Judgement {
        var supervision = Supervision(scenario)
        _ = supervision.begin()
        for input in inputs { _ = supervision.take(input) }
        return supervision.judgement(log: log)
    }

    private func wholeBody(_ failures: [Failure] = []) -> [Supervision.Input] {
        [.worker(.bodyBegan(budget: 20))] + failures.map { .worker(.failure($0)) } + [
            .worker(.bodyEnded(seconds: 1)), .worker(.done), .workerEnded(.exited(0)),
        ]
    }

    @Test("Failures of the product mean failed, one of the rig means error, none means passed")
    func verdicts() {
        #expect(judge(wholeBody()).verdict == .passed)
        #expect(judge(wholeBody([product])).verdict == .failed)
        let both = judge(wholeBody([product, rig]))
        #expect(both.verdict == .error)
        #expect(both.cause == rig)
        #expect(both.failures == [product, rig])
    }

    @Test("A body that a person plays has no limit, and the preparation's ends with its beginning")
    func byHand() {
        var supervision = Supervision(SupervisionTests.scenario, isByHand: true)
        _ = supervision.begin()
        let begun = supervision.take(.worker(.bodyBegan(budget: 20)))
        #expect(begun.isEmpty)
        let late = [Supervision.Timer.preparation, .budget].flatMap { supervision.take(.timeUp($0)) }
        #expect(late.isEmpty)
        let ended = supervision.take(.worker(.bodyEnded(seconds: 90_000)))
        #expect(ended == [.arm(.shutdown, .seconds(10))])
    }

    @Test(
        "What its rig lacks skips a scenario, unless it had failed before or the rig did wrong; what follows is not counted"
    )
    func lacking() throws {
        let lack = Lack(try #require(RigDescription("bare", has: []).lack(of: [.power])))
        func events(_ before: [Failure], _ after: [Failure]) -> [Supervision.Input] {
            [.worker(.bodyBegan(budget: 20))] + before.map { .worker(.failure($0)) } + [.worker(.lacks(lack))]
                + after.map { .worker(.failure($0)) }
        }
        let end: [Supervision.Input] = [.worker(.bodyEnded(seconds: 1)), .worker(.done), .workerEnded(.exited(0))]
        let skipped = judge(events([], [product]) + end)
        #expect(skipped == Judgement([], lack: lack))
        #expect(
            skipped.reason == "\(lack); found out at a call: with .needs(.power) it is skipped before it starts",
            "the report says how it is known before")
        #expect(judge(events([product], []) + end).verdict == .failed)
        #expect(judge(events([], [rig]) + end).verdict == .error)
        #expect(judge(events([], []) + [.workerEnded(.signalled(6))]).verdict == .skipped)
        #expect(judge(events([], []) + [.workerEnded(.signalled(9))]).verdict == .error, "killed from outside")
        let late: [Supervision.Input] = [.timeUp(.budget), .timeUp(.standing), .workerEnded(.signalled(9))]
        #expect(judge(events([], []) + late).verdict == .skipped)
        let quarantine = Quarantine(owner: "a", ticket: "1", until: "2026-12-31")
        #expect(skipped.quarantined(quarantine, today: "2026-06-15") == skipped)
    }

    @Test("A worker that ends by itself has crashed, with the app's reason if there is one")
    func crash() {
        let dies: [Supervision.Input] = [.worker(.bodyBegan(budget: 20)), .workerEnded(.signalled(6))]
        let told = judge(dies, log: "chatter\n" + SupervisionTests.appCrash)
        #expect(told.verdict == .failed)
        #expect(told.cause?.message == "crashed: the Info.plist lacks NSAccessorySetupSupports (P1)")
        let trapped = judge(dies, log: "Dice/Roll.swift:7: Fatal error: Index out of range\nCurrent stack trace:\n")
        #expect(trapped.cause?.message == "crashed: Dice/Roll.swift:7: Fatal error: Index out of range")
        let frames = """
            Fatal error: Index out of range

             0 [ra] 0x1 closure #1 in _assertionFailure(_:) + 6 in libswiftCore.so
             1 [ra] 0x2 Session.tell(_:) + 3 in hil at \(checkout)/Sources/Phone/AccessorySetupKit/Session.swift:3:1
             2 [ra] 0x3 Roll.face.getter + 337 in hil at /src/Dice/Roll.swift:44:27
             3 [ra] 0x4 main + 1 in hil at /src/Dice/Main.swift:1:1
            """
        for log in [frames, "Game/Roll.swift:44: " + frames] {
            #expect(
                judge(dies, log: log).cause?.message
                    == "crashed: Fatal error: Index out of range, at Dice/Roll.swift:44", "the place is told once")
        }
        let silent = judge([.worker(.bodyBegan(budget: 20)), .workerEnded(.exited(3))])
        #expect(silent.cause?.message == "crashed: the process exited with 3")
    }

    @Test("A declared crash passes, but only for the declared reason")
    func expectedCrash() {
        let dies: [Supervision.Input] = [.worker(.bodyBegan(budget: 60)), .workerEnded(.signalled(6))]
        #expect(judge(dies, of: SupervisionTests.crashing, log: SupervisionTests.appCrash).verdict == .passed)
        #expect(judge(dies, of: SupervisionTests.crashing, log: "hil-app-crash: P2 other\n").verdict == .failed)
        let trap = "Fatal error: NSAccessorySetupSupports\n"
        #expect(judge(dies, of: SupervisionTests.crashing, log: trap).verdict == .failed)
    }

    @Test("A worker that is killed from outside, or ends before its scenario begins, is an error of the rig")
    func outside() {
        let killed = judge([.worker(.bodyBegan(budget: 20)), .workerEnded(.signalled(9))])
        #expect(killed.verdict == .error)
        #expect(killed.cause?.basis == .certain, "it counts on a late machine, and the scenario does not run again")
        #expect(judge([.worker(.preparing), .workerEnded(.signalled(11))]).verdict == .error)
        #expect(judge([.worker(.failure(rig)), .workerEnded(.exited(0))]).failures == [rig])
    }

    @Test("When the budget is used up, the worker is asked for its current step, then killed")
    func budget() {
        var supervision = Supervision(SupervisionTests.scenario)
        #expect(supervision.begin() == [.arm(.preparation, .seconds(60))])
        #expect(supervision.take(.worker(.bodyBegan(budget: 20))) == [.arm(.budget, .seconds(20))])
        #expect(supervision.take(.timeUp(.preparation)).isEmpty, "an older timer does nothing")
        #expect(supervision.take(.timeUp(.budget)) == [.ask, .arm(.standing, .seconds(1))])
        #expect(
            supervision.take(.worker(.standing(text: "in “join” for 8 s")))
                == [.backtrace, .arm(.backtrace, .seconds(60))])
        #expect(supervision.take(.workerEnded(.signalled(9))).isEmpty)
        let judgement = supervision.judgement(log: "")
        #expect(judgement.verdict == .failed)
        #expect(judgement.cause?.message == "missed its budget of 20 s; it was in “join” for 8 s")
    }

    @Test("A missed budget counts on any machine if a thread of the worker was always busy")
    func load() {
        func basis(ran: Int, waited: Int) -> Failure.Basis? {
            let time = ProcessorTime.Thread(ran: .seconds(ran), waited: .seconds(waited))
            return judge([
                .worker(.bodyBegan(budget: 20)), .timeUp(.budget),
                .load(WorkerLoad(time: time, elapsed: .seconds(20)), nil), .timeUp(.standing),
                .workerEnded(.signalled(9)),
            ]).failures.first?.basis
        }
        #expect(basis(ran: 20, waited: 0) == .certain)
        #expect(basis(ran: 8, waited: 12) == .certain, "beside other programs")
        #expect(basis(ran: 2, waited: 1) == .seen, "it waited for something else")
        #expect(basis(ran: 1, waited: 19) == .seen, "it hardly got a processor")
    }

    @Test("Failures of the product come before those of the rig")
    func order() {
        let judgement = Judgement([rig, product])
        #expect(judgement.failures == [product, rig])
        #expect(judgement.headlines == [product, rig])
        #expect(judgement.cause == rig)
    }

    @Test("A worker that does not answer is killed as well")
    func deafWorker() {
        var supervision = Supervision(SupervisionTests.scenario)
        _ = supervision.begin()
        _ = supervision.take(.worker(.bodyBegan(budget: 20)))
        _ = supervision.take(.timeUp(.budget))
        #expect(supervision.take(.timeUp(.standing)) == [.backtrace, .arm(.backtrace, .seconds(60))])
        #expect(supervision.take(.timeUp(.backtrace)) == [.kill], "a worker that cannot even do that")
        _ = supervision.take(.workerEnded(.signalled(9)))
        #expect(supervision.judgement(log: "").cause?.message.contains("it did not answer") == true)
    }

    @Test("A lost rig is an error, even if the worker reports only failures of the product")
    func lostRig() {
        var supervision = Supervision(SupervisionTests.scenario)
        _ = supervision.begin()
        _ = supervision.take(.worker(.bodyBegan(budget: 20)))
        let lost = Supervision.Input.rigLost("the host board's process was ended by signal 9")
        #expect(supervision.take(lost) == [.arm(.rigLossGrace, .seconds(3))])
        _ = supervision.take(.worker(.failure(product)))
        #expect(supervision.take(.timeUp(.rigLossGrace)) == [.kill])
        _ = supervision.take(.workerEnded(.signalled(9)))
        #expect(supervision.judgement(log: "").verdict == .error)
    }

    @Test("Boards that do not become ready are an error")
    func preparation() {
        var supervision = Supervision(SupervisionTests.scenario)
        _ = supervision.begin()
        #expect(supervision.take(.timeUp(.preparation)) == [.kill])
        _ = supervision.take(.workerEnded(.signalled(9)))
        #expect(supervision.judgement(log: "").cause == Failure(.rig, "the boards were not ready within 60 s"))
    }

    @Test(
        "What cannot be read of a worker is an error at once, before its scenario begins, and beside what failed then")
    func unreadable() {
        var supervision = Supervision(SupervisionTests.scenario)
        _ = supervision.begin()
        #expect(supervision.take(.unreadable("7 bytes, “nonsens”: no JSON")) == [.kill])
        _ = supervision.take(.workerEnded(.signalled(9)))
        #expect(
            supervision.judgement(log: "").failures.map(\.message) == [
                "the worker wrote a line that cannot be read: 7 bytes, “nonsens”: no JSON"
            ])
        let later = judge([.worker(.bodyBegan(budget: 20)), .worker(.failure(product)), .unreadable("7 bytes")])
        #expect(later.failures.map(\.kind) == [.product, .rig])
    }

    @Test("An interrupted scenario has no verdict, unless it had ended")
    func interrupted() {
        var supervision = Supervision(SupervisionTests.scenario)
        _ = supervision.begin()
        #expect(supervision.take(.interrupted) == [.kill])
        #expect(supervision.isInterrupted)
        var through = Supervision(SupervisionTests.scenario)
        _ = through.begin()
        for input in wholeBody().dropLast() { _ = through.take(input) }
        _ = through.take(.interrupted)
        #expect(!through.isInterrupted)
    }
}

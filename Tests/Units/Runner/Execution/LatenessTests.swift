import HIL
import HILPOSIX
import HILRecord
import RigModel
import Synchronization
import Testing

@testable import HILExecution

struct LatenessTests {
    private typealias Witness = Lateness.Witness
    private static let second: UInt64 = 1_000_000_000

    private func failure(
        _ witnesses: Witness..., waited: Double? = nil, basis: Failure.Basis = .seen
    ) -> Failure {
        var failure = Failure(.product, "refused the passphrase", basis: basis)
        failure.waited = waited
        failure.lateness = Lateness(seconds: 30, witnesses)
        return failure
    }

    @Test("Whatever fails while a witness was late proves nothing, unless lateness cannot cause it")
    func window() {
        let frozen = Witness(.stood, "the air", seconds: 12, of: 14)
        #expect(!failure(frozen).isProven)
        #expect(failure(frozen, basis: .certain).isProven)
        #expect(failure().isProven && Failure(.product, "no lateness is known").isProven)
        #expect(failure(Witness(.stood, "the air", seconds: 0.2, of: 14)).isProven, "too short to lose a link")
    }

    @Test("What was waited for far longer than everything together was late has failed")
    func inVain() {
        let busy = Witness(.waited, "the accessory board", seconds: 1.6, of: 2.2)
        #expect(failure(busy, waited: 10).isProven)
        #expect(!failure(busy, waited: 3).isProven)
        let other = Witness(.waited, "the host board", seconds: 1.4, of: 4)
        #expect(!failure(busy, other, waited: 10).isProven, "what goes through both waits in both")
        let frozen = Witness(.stood, "the air", seconds: 12, of: 14)
        let same = Witness(.stood, "the runner", seconds: 12, of: 14)
        #expect(failure(frozen, same, waited: 61).isProven, "one standstill that both saw")
        #expect(!failure(frozen, same, waited: 19).isProven)
    }

    @Test("The longest a board waits on a machine that carries its rigs is not late")
    func usual() {
        #expect(!Witness(.waited, "a board", seconds: 4, of: 6.4).isBad)
        #expect(Witness(.waited, "a board", seconds: 4, of: 6).isBad)
        #expect(!Witness(.waited, "a board", seconds: 0.4, of: 0.5).isBad, "may be one wait")
        #expect(Witness(.owed, "a board", seconds: 4.1, of: 9).isBad)
        #expect(!Witness(.owed, "a board", seconds: 1, of: 10).isBad)
        #expect(!Witness(.owed, "a board", seconds: 1.8, of: 1.9).isBad, "too little is known")
        #expect(Witness(.owed, "a board", seconds: 3, of: 2).share == 1)
        #expect(Witness(.throttled, "the quota", seconds: 2, of: 10).isBad)
        #expect(!Witness(.throttled, "the quota", seconds: 0.2, of: 1).isBad)
        #expect(Witness(.stolen, "the machine around", seconds: 3, of: 10).isBad)
    }

    @Test("Two samples tell what was late in between, and nothing of before")
    func samples() {
        let start = 100 * Self.second
        var before = LatenessSample(time: start)
        var air = TickRecord(start: start - 50 * Self.second)
        air.tick(at: start)
        before.rig[.air] = PartTimes(ticks: air)
        before.runner = air
        before.machine = MachineTimes(stolen: [.seconds(5), .seconds(1)], throttled: .seconds(9))
        before.rig[.host] = PartTimes(processor: ProcessorTime(["7": .init(ran: .seconds(3), waited: .seconds(50))]))
        before.owed = [.accessory: .seconds(2)]

        var now = before
        now.time = start + 10 * Self.second
        now.runner?.tick(at: now.time)
        now.machine = MachineTimes(stolen: [.seconds(5), .seconds(4)], throttled: .seconds(99))
        now.rig[.host] = PartTimes(processor: ProcessorTime(["7": .init(ran: .seconds(4), waited: .seconds(54))]))
        now.owed = [.accessory: .seconds(6)]
        now.told = [.host: 1.5]
        let lateness = now.lateness(since: before)
        func seconds(_ kind: Witness.Kind, _ what: String) -> Double? {
            lateness.witnesses.first { $0.kind == kind && $0.what == what }?.seconds
        }
        #expect(lateness.seconds == 10)
        #expect(seconds(.stood, "the air") == 9.98, "it still stands")
        #expect(seconds(.stood, "the runner") == 9.98)
        #expect(seconds(.stood, "the system of the host board") == 1.5)
        #expect(seconds(.waited, "the host board") == 4)
        #expect(seconds(.owed, "the accessory board") == 4)
        #expect(seconds(.stolen, "the machine around this one") == 3)
        #expect(seconds(.throttled, "the quota of processor time") == 10, "never more than there was")
        #expect(lateness.isBad)
        #expect(before.lateness(since: before).witnesses == [])
    }

    @Test(
        "The end of a wait proves by itself that nothing comes, if it is long enough and the machine was punctual in it"
    )
    func punctualEnd() {
        /// A sample each second; in the first seconds the air waits for a processor all the time, then a tenth of it.
        func course(late: Int, of seconds: Int) -> LatenessCourse {
            LatenessCourse(
                (0...seconds).map { second in
                    var sample = LatenessSample(time: UInt64(second) * Self.second)
                    let waited = Double(min(second, late)) + 0.1 * Double(max(0, second - late))
                    sample.rig[.air] = PartTimes(
                        processor: ProcessorTime(["7": .init(ran: .zero, waited: .seconds(waited))]))
                    return sample
                })
        }
        func isPunctual(late: Int, of seconds: Int, until end: Int, wait: Double, for needed: Double) -> Bool {
            course(late: late, of: seconds).isPunctual(
                atEndOf: wait, until: UInt64(end) * Self.second, for: needed)
        }
        #expect(isPunctual(late: 8, of: 20, until: 20, wait: 20, for: 10))
        #expect(!isPunctual(late: 8, of: 20, until: 20, wait: 20, for: 18), "too short")
        #expect(!isPunctual(late: 20, of: 20, until: 20, wait: 20, for: 5), "late all the time")
        #expect(!isPunctual(late: 8, of: 20, until: 20, wait: 4, for: 5), "it was not waited that long")
        #expect(!isPunctual(late: 8, of: 20, until: 10, wait: 10, for: 5), "punctual only after the wait")
        #expect(isPunctual(late: 90, of: 300, until: 300, wait: 200, for: 100), "older samples are thinned out")
        #expect(!LatenessCourse().isPunctual(atEndOf: 20, until: 20 * Self.second, for: 5))
    }

    @Test("The first failure decides whether those that follow it prove anything")
    func consequences() {
        let frozen = Witness(.stood, "the air", seconds: 12, of: 14)
        let late = failure(frozen)
        var later = failure(frozen, waited: 90)
        later.message = "no roll arrives"
        #expect(later.isProven)
        let judgement = Judgement([late, later])
        #expect(judgement.verdict == .error && judgement.unproven != nil)
        #expect(judgement.failures.map(\.kind) == [.product, .product, .rig])
        #expect(Judgement([later, late]).verdict == .failed)
        #expect(Judgement([late, failure(frozen, basis: .certain)]).verdict == .failed)
        var rig = Failure(.rig, "the agent does not answer")
        #expect(Judgement([late, rig]).unproven == nil, "the rig broke on its own")
        rig.lateness = late.lateness
        #expect(Judgement([late, rig]).unproven != nil && Judgement([rig]).unproven != nil)
    }

    @Test("Attempts that prove nothing do not count beside one that does")
    func attempts() {
        let late = Judgement([failure(Witness(.stood, "the air", seconds: 12, of: 14))])
        let failed = Judgement([Failure(.product, "wrong")])
        #expect(Judgement(attempts: [late, Judgement([])]).verdict == .passed)
        #expect(Judgement(attempts: [late, failed]).verdict == .failed)
        #expect(Judgement(attempts: [failed, late]).verdict == .failed)
        #expect(Judgement(attempts: [failed, late, Judgement([])]).verdict == .flaky)
        #expect(Judgement(attempts: [late, late]).verdict == .error)
        #expect(
            Judgement(attempts: [late, Judgement([])]).remark?.hasPrefix("ran again: the first time the machine was")
                == true)
        #expect(Judgement(attempts: [failed]).remark == nil)
    }

    @Test("A machine is quiet when a processor was free and nothing stood still")
    func quiet() async throws {
        func isQuiet(idle: Int, standing: Bool = false, throttled: Int = 0) async throws -> Bool {
            let moments = Moments()
            var machine = MachineWitness(
                now: { moments.next() * Self.second },
                ticks: { standing ? TickRecord(start: 0) : nil },
                times: {
                    MachineTimes(
                        stolen: [.zero, .zero], idle: .milliseconds(idle) * Double(moments.last),
                        throttled: .milliseconds(throttled) * Double(moments.last))
                })
            machine.quietTime = .microseconds(1)
            return try await machine.waitForQuiet(within: .microseconds(3), on: ContinuousClock())
        }
        #expect(try await isQuiet(idle: 600))
        #expect(try await !isQuiet(idle: 300), "others use nearly all of it")
        #expect(try await !isQuiet(idle: 2000, standing: true))
        #expect(try await !isQuiet(idle: 2000, throttled: 300))
    }
}

/// Seconds that pass with each look.
private final class Moments: Sendable {
    private let seconds = Mutex<UInt64>(0)

    var last: UInt64 { seconds.withLock { $0 } }

    func next() -> UInt64 {
        seconds.withLock { seconds in
            seconds += 1
            return seconds
        }
    }
}

import HILPOSIX
import HILTiming
import RigModel
import Synchronization
import Testing

@testable import HILBench

@Suite("The benches of a run")
struct BenchPoolTests {
    /// A bench without boards.
    private final class FakeBench: TakenBench {
        let name: String
        private let lent: LentBench
        private let connected = Mutex(true)
        let given = Mutex(false)

        init(_ lent: LentBench) { (name, self.lent) = (lent.address.name, lent) }

        var isConnected: Bool { connected.withLock { $0 } }
        func cut() { connected.withLock { $0 = false } }

        func giveBack() async -> [String] {
            given.withLock { $0 = true }
            await lent.giveBack()
            return []
        }
    }

    private final class Reports: Sendable {
        private let all = Mutex<[String]>([])
        func add(_ line: String) { all.withLock { $0.append(line) } }
        var lines: [String] { all.withLock { $0 } }
    }

    private let reports = Reports()

    private func pool(
        _ names: [String], take: @escaping @Sendable (LentBench) throws -> Void = { _ in }
    ) -> BenchPool<FakeBench> {
        let benches = names.map { BenchAddress(name: $0, host: .ssh("h"), accessory: .ssh("a")) }
        return BenchPool(NamedBenches(benches), report: { [reports] in reports.add($0) }) { lent in
            try take(lent)
            return FakeBench(lent)
        }
    }

    private func lendAndGiveBack(_ pool: BenchPool<FakeBench>) async throws -> FakeBench {
        let bench = try await pool.lend().bench
        await pool.takeBack(bench, isError: false)
        return bench
    }

    @Test("A bench is taken once and used again")
    func again() async throws {
        let pool = pool(["one"])
        let first = try await pool.lend()
        #expect(!first.isSuspect)
        await pool.takeBack(first.bench, isError: false)
        let second = try await pool.lend()
        #expect(second.bench === first.bench)
        await pool.takeBack(second.bench, isError: false)
        await pool.close()
        #expect(first.bench.given.withLock { $0 })
        await #expect(throws: RigFailure.self) { try await pool.lend() }
    }

    @Test("Who finds all benches busy waits for the first that comes back")
    func waiting() async throws {
        let pool = pool(["one"])
        let first = try await pool.lend().bench
        // Either of the two may be the first that waits.
        async let second = lendAndGiveBack(pool)
        async let third = lendAndGiveBack(pool)
        await pool.takeBack(first, isError: false)
        #expect(try await second === first)
        #expect(try await third === first)
    }

    @Test("After an error a bench is checked, and after three in a row it is left out")
    func leftOut() async throws {
        let pool = pool(["one"])
        for round in 0..<3 {
            let (bench, isSuspect) = try await pool.lend()
            #expect(isSuspect == (round > 0))
            await pool.takeBack(bench, isError: true)
        }
        #expect(reports.lines == ["bench one is left out: 3 errors in a row"])
        await #expect(
            throws: RigFailure("taking a bench", "none is left", remedy: "see `hil bench list` and `hil doctor --rig`")
        ) {
            try await pool.lend()
        }
    }

    @Test("A scenario without an error in between makes the count begin anew")
    func anew() async throws {
        let pool = pool(["one"])
        for isError in [true, true, false, true, true] {
            await pool.takeBack(try await pool.lend().bench, isError: isError)
        }
        #expect(reports.lines.isEmpty)
        _ = try await pool.lend()
    }

    @Test("A scenario that met an error goes to another bench, if there is one")
    func avoided() async throws {
        let pool = pool(["one", "two"])
        let first = try await pool.lend().bench
        let second = try await pool.lend().bench
        #expect(await pool.hasOther(than: first.name))
        await pool.takeBack(first, isError: true)
        await pool.takeBack(second, isError: false)
        #expect(try await pool.lend(avoiding: first.name).bench === second)
        // The other one is busy, and will be free.
        async let third = pool.lend(avoiding: first.name).bench
        await pool.takeBack(second, isError: false)
        #expect(try await third === second)
    }

    @Test("A run that has one bench takes another for a scenario that met an error, if one is to be had")
    func another() async throws {
        let pool = pool(["one", "two"])
        let first = try await pool.lend().bench
        await pool.takeBack(first, isError: true)
        #expect(await pool.hasOther(than: first.name))
        #expect(try await pool.lend(avoiding: first.name).bench.name == "two")
        let alone = self.pool(["one"])
        await alone.takeBack(try await alone.lend().bench, isError: true)
        #expect(await alone.hasOther(than: "one") == false)
        // Better the same again than none.
        #expect(try await alone.lend(avoiding: "one").bench.name == "one")
    }

    @Test("A run that is ended while it takes a bench leaves none out")
    func ended() async throws {
        let pool = pool(["one"]) { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            throw RigFailure("connecting", on: "h", "the run was ended")
        }
        await #expect(throws: CancellationError.self) { try await Task { try await pool.lend() }.value }
        #expect(reports.lines.isEmpty)
    }

    @Test("A bench that cannot be taken is left out with its reason, and the next one is tried")
    func broken() async throws {
        let pool = pool(["broken", "whole"]) { lent in
            if lent.address.name == "broken" { throw RigFailure("connecting", on: "h", "it cannot be reached") }
        }
        #expect(try await pool.lend().bench.name == "whole")
        #expect(reports.lines == ["bench broken is left out: connecting on h: it cannot be reached"])
    }

    @Test("Without any bench that works the reason of the last one is the error")
    func none() async throws {
        let pool = pool(["broken"]) { _ in throw RigFailure("connecting", on: "h", "it cannot be reached") }
        let unready = await #expect(throws: UnreadyRig.self) { try await pool.lend() }
        #expect(unready?.name == "broken")
        #expect(unready?.failure == RigFailure("connecting", on: "h", "it cannot be reached"))
    }

    @Test("A bench that has lost a board is given back, and taken anew when it is lent again")
    func lost() async throws {
        let pool = pool(["one"])
        let first = try await pool.lend().bench
        first.cut()
        await pool.takeBack(first, isError: true)
        #expect(first.given.withLock { $0 })
        let second = try await pool.lend()
        #expect(second.bench !== first)
        #expect(second.bench.name == "one")
        await pool.takeBack(second.bench, isError: true)
        await pool.takeBack(try await pool.lend().bench, isError: true)
        // The errors before it was lost count as well.
        #expect(reports.lines.last == "bench one is left out: 3 errors in a row")
    }
}

import Foundation
import HILBench
import HILPOSIX
import HILTiming
import RigModel
import StubRig
import Synchronization
import TestSupport
import Testing

@testable import HILLabgrid

/// Whatever goes away, the run hears of it, and nothing stays taken.
@Suite(.enabled(if: TestLab.isHere, "labgrid is not installed for the tests: run `make check`"))
struct LostBenchTests {
    /// A run in a process of its own, which has taken benches and holds them.
    private func holder(_ lab: TestLab, _ request: String, count: Int) async throws -> LineProcess {
        let engine = lab.engine()
        let process = try LineProcess(
            [
                RunnerProcess.path(of: TestProgram.probe), "places", "hold", engine.packages, engine.program,
                lab.address, request,
                "\(count)",
            ], environment: engine.variables)
        try await process.line(with: "holding \(count)")
        return process
    }

    @Test("A killed runner's places are free within seconds")
    func killedRunner() async throws {
        let lab = try await TestLab()
        let runner = try await holder(lab, "labgrid:kind=hil", count: 3)
        #expect(try await lab.holders().count == 3)
        let began = ContinuousClock.now
        await runner.kill()
        while try await !lab.holders().isEmpty {
            try #require(ContinuousClock.now - began < .seconds(120), "the places of a killed runner stay taken")
        }
    }

    @Test("A runner that is interrupted gives everything back before it ends")
    func interruptedRunner() async throws {
        let lab = try await TestLab()
        let runner = try await holder(lab, "labgrid:kind=hil", count: 2)
        runner.process.signal(SIGTERM)
        _ = await runner.process.wait()
        #expect(try await lab.holders().isEmpty)
    }

    @Test("A killed lease is told to the run, which can take the place again, and leaves nothing behind")
    func killedLease() async throws {
        let lab = try await TestLab()
        let notes = Mutex<[String]>([])
        let benches = try lab.benches("labgrid:bench-1") { note in notes.withLock { $0.append(note) } }
        let bench = try await benches.bench()
        benches.killLease()
        let why = try await bench.lost()
        #expect(why.contains("signal 9"), "\(why)")
        #expect(try await lab.holders()["bench-1"]?.runs == false)
        await bench.giveBack()
        let second = try await benches.bench()
        #expect(second.address.name == "bench-1")
        #expect(notes.withLock { $0 }.contains { $0.contains("released bench-1, which was left by sam on ci-3") })
        benches.killLease()
        _ = try await second.lost()
        await benches.close()
        #expect(try await lab.holders().isEmpty, "closing releases what a killed lease left")
    }

    @Test("What a killed runner and its killed lease left, `hil bench release` releases, and so does the next run")
    func bothKilled() async throws {
        let lab = try await TestLab()
        for isByNextRun in [false, true] {
            let runner = try await holder(lab, "labgrid:bench-2", count: 1)
            for process in RunningProcess.all() where process.parent == runner.process.pid {
                kill(process.identifier, SIGKILL)
            }
            await runner.kill()
            let left = LabgridPlace.Holder(host: "ci-3", user: "sam", job: "probe", runs: false)
            #expect(try await lab.holders() == ["bench-2": left])
            // Another user's command must not touch it.
            #expect(try await LabgridPlaces(lab.engine(user: "kim")).release(nil) == [])
            if isByNextRun {
                let benches = try lab.benches("labgrid:kind=hil")
                #expect(try await benches.bench().address.name == "bench-1")
                #expect(try await lab.holders()["bench-2"] == nil)
                await benches.close()
            } else {
                let released = try await LabgridPlaces(lab.engine()).release(nil)
                #expect(released == [.init(place: "bench-2", holder: left, released: true)])
            }
            #expect(try await lab.holders().isEmpty)
        }
    }

    @Test("A coordinator that goes away is told to the run, which goes on when it is back")
    func coordinator() async throws {
        let lab = try await TestLab()
        let benches = try lab.benches("labgrid:bench-1")
        let bench = try await benches.bench()
        await lab.killCoordinator()
        let why = try await bench.lost()
        #expect(why.contains("bench-1: the coordinator at \(lab.address) does not answer any more"), "\(why)")
        await bench.giveBack()
        await lab.killExporter()
        try await lab.startCoordinator()
        try await lab.startExporter()
        #expect(try await benches.bench().address.name == "bench-1")
        #expect(try await lab.holders().keys.sorted() == ["bench-1"])
        await benches.close()
        #expect(try await lab.holders().isEmpty)
    }

    @Test("Without a coordinator there is an error at once that names it")
    func noCoordinator() async throws {
        let lab = try await TestLab()
        await lab.killCoordinator()
        let benches = try lab.benches("labgrid:bench-1")
        let failed = try #require(await failure(of: benches))
        #expect(failed.reason == "the coordinator at \(lab.address) does not answer")
        #expect(failed.remedy?.contains("LG_COORDINATOR") == true && failed.subject == "labgrid:bench-1")
        await benches.close()
    }

    @Test(
        "An exporter that goes away is told to the run with its name, and its places are not to be had until it is back"
    )
    func exporter() async throws {
        let lab = try await TestLab()
        let benches = try lab.benches("labgrid:bench-1")
        let bench = try await benches.bench()
        await lab.killExporter()
        let why = try await bench.lost()
        #expect(why.contains("bench-1: the exporter lab no longer offers bench-1/NetworkService/"), "\(why)")
        await bench.giveBack()
        let failed = try #require(await failure(of: benches))
        #expect(failed.reason.contains("no exporter offers lab/bench-1/*") && failed.remedy != nil, "\(failed)")
        try await lab.startExporter()
        #expect(try await benches.bench().address.name == "bench-1")
        await benches.close()
        #expect(try await lab.holders().isEmpty)
    }

    @Test("A place that somebody releases under a run is told to it, and its new holder's lock is left alone")
    func takenAway() async throws {
        let lab = try await TestLab()
        let benches = try lab.benches("labgrid:bench-1")
        let bench = try await benches.bench()
        _ = try await LabgridPlaces(lab.engine(user: "kim")).release("bench-1", byForce: true)
        let why = try await bench.lost()
        #expect(why.contains("bench-1: somebody released it"), "\(why)")
        let kims = try lab.benches("labgrid:bench-1", user: "kim")
        _ = try await kims.bench()
        await bench.giveBack()
        await benches.close()
        #expect(try await lab.holders()["bench-1"]?.user == "kim")
        await kims.close()
    }
}

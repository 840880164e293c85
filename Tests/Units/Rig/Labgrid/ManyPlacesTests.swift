import Foundation
import HILPOSIX
import HILTiming
import StubRig
import TestSupport
import Testing

@testable import HILLabgrid

/// Thousands of cases on as many places as a coordinator has, with boards that answer at once: what the runner and the
/// coordinator cost. `HIL_PLACES` sets the number of places; there are ten times as many cases.
@Suite(.enabled(if: TestLab.isHere, "labgrid is not installed for the tests: run `make check`"))
struct ManyPlacesTests {
    private struct Figures: Decodable {
        var places, cases, passed: Int
        var processorPerCase, timePerCase: Double
        var memory: [Int]
        var take, giveBack: Double
    }

    @Test("The runner needs 5 ms a case or less, and no more memory for more cases")
    func many() async throws {
        let count = ProcessInfo.processInfo.environment["HIL_PLACES"].flatMap { Int($0) } ?? 50
        let lab = try await TestLab(more: count)
        let engine = lab.engine()
        let results = "\(lab.folder)/results"
        let used = lab.coordinatorTime
        let process = try LineProcess(
            [
                RunnerProcess.path(of: TestProgram.probe), "places", "run", engine.packages, engine.program,
                lab.address,
                "labgrid:kind=many", "\(count)", "\(count * 10)", results,
            ], environment: engine.variables)
        _ = await process.process.wait()
        let coordinator = lab.coordinatorTime - used
        let line = try await process.line(with: "{")
        let figures = try JSONDecoder().decode(Figures.self, from: Data(line.utf8))
        print(
            """
            \(figures.cases) cases on \(figures.places) places: the runner needed \(figures.processorPerCase) ms of processor \
            time a case, and all \(figures.timePerCase) ms; memory after a tenth, a half and all of them: \
            \(figures.memory.map { $0 / 1024 }) MiB; taking all places \(figures.take) s, giving them back \
            \(figures.giveBack) s; the coordinator needed \(coordinator) s of processor time
            """)
        #expect(figures.places == count && figures.cases == count * 10 && figures.passed == figures.cases)
        #expect(try await lab.holders().isEmpty)
        // A debug build on a machine that is shared is measured for its shape only: `make test-long` holds it to the figures.
        guard count >= 1000 else { return }
        #expect(figures.processorPerCase <= 5)
        let growth = Double(figures.memory[2]) / Double(figures.memory[0])
        #expect(growth <= 1.1, "memory grew by \(growth)")
    }
}

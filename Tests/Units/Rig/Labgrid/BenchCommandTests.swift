import Foundation
import HILPOSIX
import StubRig
import Testing

@testable import HILLabgrid

/// The command as a shell runs it. Its first use fetches labgrid from PyPI into the cache.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["HIL_TESTS"] == "all", "it needs packages of PyPI: run `make check`"))
struct BenchCommandTests {
    private func hil(_ words: [String], _ lab: TestLab) async throws -> (code: HILPOSIX.ExitStatus, text: String) {
        let variables = lab.engine().variables.merging(["LG_COORDINATOR": lab.address, "HIL_NO_BUILD": "1"]) { $1 }
        let output = try await ProgramOutput(
            of: [RunnerProcess.path(of: "hil"), "bench"] + words,
            environment: variables.map { "\($0.key)=\($0.value)" },
            withErrors: true)
        return (output.status, output.text)
    }

    @Test("The command lists places with their holders, and releases what a killed job left")
    func command() async throws {
        let lab = try await TestLab()
        let benches = try lab.benches("labgrid:bench-2", user: "kim", job: "soak")
        _ = try await benches.bench()
        let list = try await hil(["list"], lab)
        #expect(list.code.isSuccess, "\(list.text)")
        #expect(list.text.contains("bench-2  held by kim on ci-3 (hil job soak) since "), "\(list.text)")
        #expect(list.text.contains("4 places at \(lab.address), 2 free"), "\(list.text)")
        let json = try await hil(["list", "--format", "json"], lab).text.split(separator: "\n")
        #expect(json.count { $0.hasPrefix("{") && $0.contains(#""name":"#) } == 4)
        let refused = try await hil(["release", "bench-2"], lab)
        #expect(refused.code == .exited(2) && refused.text.contains("--force takes it from them"), "\(refused.text)")
        #expect(try await hil(["release"], lab).text.contains("no killed job of yours holds a place"))
        let forced = try await hil(["release", "bench-2", "--force"], lab)
        #expect(forced.text.contains("released bench-2, which was held by kim"), "\(forced.text)")
        await lab.killCoordinator()
        let gone = try await hil(["list"], lab)
        #expect(gone.code == .exited(2) && gone.text.contains("does not answer"), "\(gone.text)")
        await benches.close()
    }
}

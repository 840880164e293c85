import Foundation
import HILBench
import RigModel

/// What a run on benches needs to know beside their names.
enum BenchKind {
    /// Who lends the benches of a request.
    static func source(
        of request: RigRequest, progress: @escaping @Sendable (String) -> Void
    ) async throws -> any BenchSource {
        switch request {
        case .boards(let bench): return NamedBenches([bench])
        case .labgrid(let place):
            throw RigFailure("taking the place \(place)", "this version of hil knows no labgrid")
        }
    }

    /// Who runs, on which machine, and what, for others who want the same boards: `kim@bench-1, results/…`.
    static func holder(of results: String) -> String {
        let info = ProcessInfo.processInfo
        // A CI's job is told from others by its address.
        let job = ["CI_JOB_URL", "BUILD_URL", "GITHUB_RUN_ID"].lazy.compactMap { info.environment[$0] }.first
        return "\(info.userName)@\(info.hostName), \(job ?? results), since \(Date().formatted(.iso8601))"
    }
}

import Foundation
import HILBench
import HILLabgrid
import RigModel

/// What a run on benches needs besides their names.
enum BenchKind {
    /// Who lends the benches of a request, and whether these have accessory boards.
    static func source(
        of request: RigRequest, progress: @escaping @Sendable (String) -> Void
    ) async throws -> (any BenchSource, hasAccessory: Bool) {
        switch request {
        case .boards(let bench): return (NamedBenches([bench]), bench.accessory != nil)
        case .hand(let accessory): return (NamedBenches([BenchAddress(host: nil, accessory: accessory)]), true)
        case .labgrid:
            let wanted = try places(of: request)
            let engine = try await LabgridSetUp.engine(at: nil, progress: progress)
            let (black, boards) = LabgridBenches.split(wanted.chosen(of: try await LabgridPlaces(engine).list()))
            let hasAccessory = black.isEmpty || !boards.isEmpty
            if hasAccessory, !black.isEmpty {
                progress(
                    "\(black.joined(separator: ", ")) not used: the accessory there is a device without a login, and "
                        + "other places have a board; use it in a separate run, --rig labgrid:\(black[0])")
            }
            let source = LabgridBenches(
                wanted, except: hasAccessory ? Set(black) : [], engine: engine, job: job, note: progress)
            return (source, hasAccessory)
        }
    }

    /// The places that a labgrid request names.
    static func places(of request: RigRequest) throws(UsageError) -> LabgridRequest {
        do { return try LabgridRequest(parsing: "\(request)") } catch {
            throw UsageError(description: error.description)
        }
    }

    /// The name of this job in the CI, which labgrid shows with the holder of a place.
    private static var job: String {
        let environment = ProcessInfo.processInfo.environment
        return ["BUILD_TAG", "CI_JOB_ID", "GITHUB_RUN_ID"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
            ?? "run"
    }

    /// Who runs, on which machine, and what, for others who want the same boards: `kim@bench-1, results/…`.
    static func holder(of results: String) -> String {
        let info = ProcessInfo.processInfo
        // The address of a CI's job identifies it.
        let job = ["CI_JOB_URL", "BUILD_URL", "GITHUB_RUN_ID"].lazy.compactMap { info.environment[$0] }.first
        return "\(info.userName)@\(info.hostName), \(job ?? results), since \(Date().formatted(.iso8601))"
    }
}

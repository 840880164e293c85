import Foundation
import HILLabgrid
import RigModel
import VirtualRig

/// labgrid on this machine.
enum LabgridSetUp {
    /// Finds it in the cache, and fetches it from PyPI if it is not there.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator's address; nil takes that of the environment.
    ///   - progress: Called with a line before a long operation.
    static func engine(
        at coordinator: String?, progress: @escaping @Sendable (String) -> Void
    ) async throws -> LabgridEngine {
        let address: String
        do {
            address = try LabgridRequest.coordinator(
                named: coordinator, environment: ProcessInfo.processInfo.environment)
        } catch { throw UsageError(description: "LG_COORDINATOR: \(error)") }
        let folder = "\(try Checkout.get())/Fixtures/Labgrid"
        let packages = try await PinnedPackages(
            "labgrid-\(LabgridEngine.version)", list: "\(folder)/requirements.txt", megabytes: 80
        ).prepare(in: .standard(), progress: progress)
        return LabgridEngine(packages: packages, program: "\(folder)/places.py", coordinator: address)
    }
}

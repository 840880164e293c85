import HILPOSIX
import RigModel

/// Requests of people to a coordinator: to list its places, and to release the places of killed jobs.
package struct LabgridPlaces: Sendable {
    private let engine: LabgridEngine

    package init(_ engine: LabgridEngine) { self.engine = engine }

    /// All places, in order of their names.
    ///
    /// - Throws: ``RigFailure``.
    package func list() async throws -> [LabgridPlace] {
        try await ask("listing the benches") { .list($0) }
    }

    /// Releases places of this user's hil jobs.
    ///
    /// - Parameters:
    ///   - place: The name of a place, which is released even if its job still runs; nil for the places of all jobs
    ///     that were killed on this machine.
    ///   - byForce: Whether the place is released for any holder.
    /// - Returns: The released places, and those that this user's hil jobs keep.
    /// - Throws: ``RigFailure``, also if somebody else holds the place.
    package func release(_ place: String?, byForce: Bool = false) async throws -> [LabgridRelease] {
        try await ask("releasing \(place ?? "what killed jobs left")") { .free(place: place, force: byForce, $0) }
    }

    private func ask<Value>(_ action: String, _ call: (Reply<Value>) -> LeaseCall) async throws -> Value {
        // It holds nothing, and its calls decide which places are released.
        let process = try LeaseProcess(engine, job: "bench", mends: false, grace: .zero) { _ in }
        do {
            let answer = try await process.ask(call)
            await process.close()
            return answer
        } catch {
            await process.close()
            guard let failure = error as? RigFailure else { throw RigFailure.wrapping(error, while: action) }
            throw RigFailure(action, failure.reason, remedy: failure.remedy)
        }
    }
}

import Foundation
import RigModel

/// Requests of people to a coordinator: to list its places, and to release the places of killed jobs.
package struct LabgridPlaces: Sendable {
    private let engine: LabgridEngine

    package init(_ engine: LabgridEngine) { self.engine = engine }

    /// All places, in order of their names.
    ///
    /// - Throws: ``RigFailure``.
    package func list() async throws -> [LabgridPlace] {
        try await ask(LeaseRequest("list"), "listing the benches")
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
        var order = LeaseRequest("free")
        (order.place, order.force) = (place, byForce)
        return try await ask(order, "releasing \(place ?? "what killed jobs left")")
    }

    private func ask<Value: Decodable>(_ order: LeaseRequest, _ action: String) async throws -> Value {
        // It holds nothing, and its orders decide which places are released.
        let process = try LeaseProcess(engine, job: "bench", mends: false, grace: .zero) { _ in }
        do {
            let answer = try await process.ask(order)
            await process.close()
            return try JSONDecoder().decode(Value.self, from: answer ?? Data())
        } catch {
            await process.close()
            guard let failure = error as? RigFailure else { throw RigFailure.wrapping(error, while: action) }
            throw RigFailure(action, failure.reason, remedy: failure.remedy)
        }
    }
}

import Foundation
import RigModel

/// What people ask a coordinator: which places it has, and to release what killed jobs left.
package struct LabgridPlaces: Sendable {
    private let engine: LabgridEngine

    package init(_ engine: LabgridEngine) { self.engine = engine }

    /// All places, in order of their names.
    ///
    /// - Throws: ``RigFailure``.
    package func list() async throws -> [LabgridPlace] {
        try await ask(LeaseOrder("list"), "listing the benches")
    }

    /// Releases what hil jobs of this user hold.
    ///
    /// - Parameters:
    ///   - place: The name of a place, which is released even if its job still runs; nil releases the places of all jobs that
    ///     were killed on this machine.
    ///   - byForce: Whether the place is released whoever holds it.
    /// - Returns: The places that were released, and those that hil jobs of this user keep.
    /// - Throws: ``RigFailure``, also if the place is somebody else's.
    package func release(_ place: String?, byForce: Bool = false) async throws -> [LabgridRelease] {
        var order = LeaseOrder("free")
        (order.place, order.force) = (place, byForce)
        return try await ask(order, "releasing \(place ?? "what killed jobs left")")
    }

    private func ask<Value: Decodable>(_ order: LeaseOrder, _ action: String) async throws -> Value {
        // It holds nothing, and leaves it to its orders what is released.
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

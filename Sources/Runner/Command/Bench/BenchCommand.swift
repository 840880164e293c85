import Foundation
import HILLabgrid

/// `hil bench`: lists the benches and their holders, and releases places that killed jobs still hold.
struct BenchCommand: Sendable {
    let request: Request.BenchRequest
    /// Called with the lines to print.
    let say: @Sendable ([String]) -> Void
    /// Called with a message that is not a result.
    let note: @Sendable (String) -> Void

    func run() async throws {
        switch request.task {
        case .list:
            let engine = try await LabgridSetUp.engine(at: request.coordinator, progress: note)
            let all = try await LabgridPlaces(engine).list()
            say(
                request.format == .json
                    ? try all.map(BenchCommand.json) : BenchText().lines(all, of: engine.coordinator))
        case .release(let place, let byForce):
            let engine = try await LabgridSetUp.engine(at: request.coordinator, progress: note)
            let outcome = try await LabgridPlaces(engine).release(place, byForce: byForce)
            say(request.format == .json ? try outcome.map(BenchCommand.json) : BenchText().lines(outcome))
        }
    }

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

import Foundation
import HILLabgrid

/// `hil bench`: what benches there are, who has them, and to release what killed jobs left.
struct BenchCommand: Sendable {
    let order: Request.BenchOrder
    /// Called with the lines to print.
    let say: @Sendable ([String]) -> Void
    /// Called with a message that is not a result.
    let remark: @Sendable (String) -> Void

    func run() async throws {
        switch order.task {
        case .list:
            let engine = try await LabgridSetUp.engine(at: order.coordinator, progress: remark)
            let all = try await LabgridPlaces(engine).list()
            say(order.format == .json ? try all.map(BenchCommand.json) : BenchText().lines(all, of: engine.coordinator))
        case .release(let place, let byForce):
            let engine = try await LabgridSetUp.engine(at: order.coordinator, progress: remark)
            let outcome = try await LabgridPlaces(engine).release(place, byForce: byForce)
            say(order.format == .json ? try outcome.map(BenchCommand.json) : BenchText().lines(outcome))
        }
    }

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

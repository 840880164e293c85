import Foundation

/// The parts for all rigs of a run. A deleted snapshot is taken again, once: otherwise every further rig would boot.
package actor RigPartsProvider {
    /// Finds or makes the parts again.
    package typealias Preparation = @Sendable () async throws -> RigParts

    private var parts: RigParts
    private let prepare: Preparation?
    private var renewal: Task<String, Never>?

    /// - Parameter prepare: Makes a lost snapshot again; nil leaves the parts unchanged.
    package init(_ parts: RigParts, prepare: Preparation? = nil) {
        self.parts = parts
        self.prepare = prepare
    }

    /// The parts for one more rig, and a note about them for the log.
    package func take() async -> (parts: RigParts, note: String?) {
        guard let snapshot = parts.snapshot, let prepare,
            !FileManager.default.fileExists(atPath: snapshot.folder)
        else { return (parts, nil) }
        // If it is lost again, something on this machine removes it. Making it once more would not help.
        if let renewal {
            _ = await renewal.value
            return (parts, nil)
        }
        let work = Task {
            do {
                parts = try await prepare()
                return "the boards' snapshot was lost and has been taken again"
            } catch {
                return "the boards' snapshot was lost and could not be taken again: \(error)"
            }
        }
        renewal = work
        let note = await work.value
        return (parts, note)
    }
}

import Foundation

/// The parts of all rigs of a run. A snapshot that had to be thrown away is taken again, once: without, every further rig
/// would boot.
package actor RigStock {
    /// Finds or makes the parts anew.
    package typealias Preparation = @Sendable () async throws -> RigParts

    private var parts: RigParts
    private let prepare: Preparation?
    private var renewal: Task<String, Never>?

    /// - Parameter prepare: Nil leaves the parts as they are.
    package init(_ parts: RigParts, prepare: Preparation? = nil) {
        self.parts = parts
        self.prepare = prepare
    }

    /// The parts for one more rig, and what is worth telling about them.
    package func take() async -> (parts: RigParts, note: String?) {
        guard let snapshot = parts.snapshot, let prepare,
            !FileManager.default.fileExists(atPath: snapshot.folder)
        else { return (parts, nil) }
        // A snapshot that is lost twice would be lost again: something on this machine removes it.
        if let renewal {
            _ = await renewal.value
            return (parts, nil)
        }
        let work = Task {
            do {
                parts = try await prepare()
                return "the boards' snapshot was lost, and has been taken again"
            } catch {
                return "the boards' snapshot was lost, and could not be taken again: \(error)"
            }
        }
        renewal = work
        let note = await work.value
        return (parts, note)
    }
}

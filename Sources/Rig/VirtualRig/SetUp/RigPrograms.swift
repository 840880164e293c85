import Foundation

/// The paths of our own programs that a virtual rig needs.
package struct RigPrograms: Sendable, Codable, Equatable {
    /// `hil-rig`, which owns a rig's processes.
    package var rig: String
    /// `hil-air`, the medium.
    package var air: String
    /// `hil-board`, linked with the static Swift runtime, for the boards.
    package var board: String

    package init(rig: String, air: String, board: String) {
        self.rig = rig
        self.air = air
        self.board = board
    }

    /// The paths where `Fixtures/Setup/build` puts them: in the release build beside that of the calling program, or in
    /// hil's own checkout. They are always optimised.
    ///
    /// - Parameters:
    ///   - program: The calling program, by default this one: `PACKAGE/.build/debug/hil`.
    ///   - checkout: hil's own checkout; nil if there is none.
    /// - Returns: Paths. A missing program gets the path where a build would put it.
    package static func built(
        beside program: String = "/proc/self/exe", orIn checkout: String? = Checkout.find()
    ) -> RigPrograms {
        let folder = URL(fileURLWithPath: program).resolvingSymlinksInPath().deletingLastPathComponent()
        let release = folder.deletingLastPathComponent().appendingPathComponent("release").path
        func first(_ name: String, in folders: [String?]) -> String {
            let candidates = folders.compactMap { $0 }.map { "\($0)/\(name)" }
            return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? candidates[0]
        }
        let folders: [String?] = [release, checkout.map { "\($0)/.build/release" }, folder.path]
        return RigPrograms(
            rig: first("hil-rig", in: folders), air: first("hil-air", in: folders),
            board: first("hil-board", in: folders))
    }
}

import Foundation

/// The programs of ours that a virtual rig is made of.
public struct RigPrograms: Sendable, Codable, Equatable {
    /// `hil-rig`, which owns a rig's processes.
    public var rig: String
    /// `hil-air`, the medium.
    public var air: String
    /// `hil-board`, linked with the static Swift runtime, for the boards.
    public var board: String

    public init(rig: String, air: String, board: String) {
        self.rig = rig
        self.air = air
        self.board = board
    }

    /// Where SwiftPM puts them: `hil-rig` beside the program that asks, the others in the release build.
    ///
    /// - Parameter program: The asking program, by default this one: `<checkout>/.build/debug/hil`.
    public static func built(beside program: String = "/proc/self/exe") -> RigPrograms {
        let folder = URL(fileURLWithPath: program).resolvingSymlinksInPath().deletingLastPathComponent()
        let release = folder.deletingLastPathComponent().appendingPathComponent("release")
        func path(_ name: String) -> String {
            let candidates = [release, folder].map { $0.appendingPathComponent(name).path }
            return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? candidates[0]
        }
        let rig = folder.appendingPathComponent("hil-rig").path
        return RigPrograms(rig: rig, air: path("hil-air"), board: path("hil-board"))
    }
}

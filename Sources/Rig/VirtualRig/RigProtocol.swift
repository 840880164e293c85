import Air
import BoardProtocol
import PlainText
import RigModel

/// The words between a runner and its `hil-rig`: a ``RigConfiguration`` and ``RigOrder``s one way, ``RigStatus`` the other,
/// each a line of JSON.
enum RigProtocol {
    /// Raised when any of these words changes.
    static let version = 2

    /// What a program speaks. A runner talks to the air and to the agents as well, so it must speak all that its `hil-rig`
    /// does.
    struct Versions: Sendable, Codable, Equatable, CustomStringConvertible {
        var rig: Int
        var air: Int
        var board: Int

        /// Those of this program.
        static let own = Versions(rig: RigProtocol.version, air: AirProtocol.version, board: BoardProtocol.version)

        var description: String { "version \(rig).\(air).\(board)" }
    }

    /// All that is read of a configuration before anything else: of any version it has this much.
    struct Greeting: Decodable {
        var versions: Versions?
    }

    /// Why two programs do not understand each other; nil where they do.
    ///
    /// - Parameters:
    ///   - rig: What `hil-rig` speaks; nil for one that is older than versions.
    ///   - runner: What the program speaks that started it; nil for one that is older than versions.
    static func mismatch(rig: Versions?, runner: Versions?) -> RigFailure? {
        if let rig, rig == runner { return nil }
        func text(_ versions: Versions?) -> String { versions.map { "\($0)" } ?? "a version without a number" }
        return RigFailure(
            "starting the rig",
            "hil-rig speaks \(text(rig)) of rig, air and board protocol, and its runner \(text(runner))",
            remedy: "build both anew, by `make build`")
    }
}

import BoardProtocol
import HILAir
import HILPOSIX
import RigModel

/// The protocol between a runner and its `hil-rig`: ``RigConfiguration`` and ``RigCall``s in one direction,
/// ``RigStatus`` and answers in the other, each a line of JSON.
enum RigProtocol {
    /// Raise it when any of these messages changes.
    static let version = 8

    /// The protocol versions of a program. A runner also talks to the air and the agents, so all versions must equal
    /// those of its `hil-rig`.
    struct Versions: Sendable, Codable, Equatable, CustomStringConvertible {
        var rig: Int
        var air: Int
        var board: Int

        /// The versions of this program.
        static let own = Versions(rig: RigProtocol.version, air: AirProtocol.version, board: BoardProtocol.version)

        var description: String { "version \(rig).\(air).\(board)" }
    }

    /// The part of a configuration that every version has; it is read first.
    struct Greeting: Decodable {
        var versions: Versions?
    }

    /// The failure if two programs have different versions; nil if they are equal.
    ///
    /// - Parameters:
    ///   - rig: The versions of `hil-rig`; nil if it is so old that it sends none.
    ///   - runner: The versions of the program that started it; nil if it is so old that it sends none.
    static func mismatch(rig: Versions?, runner: Versions?) -> RigFailure? {
        if let rig, rig == runner { return nil }
        func text(_ versions: Versions?) -> String { versions.map { "\($0)" } ?? "a version without a number" }
        return RigFailure(
            "starting the rig",
            "hil-rig speaks \(text(rig)) of rig, air and board protocol, but its runner speaks \(text(runner))",
            remedy: "rebuild both with `make build`")
    }
}

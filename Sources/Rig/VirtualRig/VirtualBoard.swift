import BoardProtocol
import HILPOSIX

/// A running board of a virtual rig.
protocol VirtualBoard: Sendable {
    var role: BoardRole { get }

    /// Returns when all its ports exist.
    func open() async throws
}

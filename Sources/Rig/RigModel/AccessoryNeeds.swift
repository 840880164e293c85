import BoardProtocol

/// A scenario's requirements on the boards before its rig starts. A rig that cannot give its accessory board another
/// system starts it unchanged.
package struct AccessoryNeeds: Sendable, Hashable {
    /// The board's system; nil for the one chosen for the run.
    package var system: BoardSystem?
    /// The names of Debian packages that the board has in addition.
    package var packages: [String]

    /// The files of the program that the scenario runs on the board; nil if they are sent to it when the program
    /// starts.
    package var payload: EncodedPayload?
    /// The program that already runs when the scenario begins, if boards can be saved with it; otherwise it starts
    /// then.
    package var program: ProgramStart?
    /// Whether a board is needed. A rig that cannot omit it always has one.
    package var hasBoard: Bool
    /// Whether the host board, which is the phone's Wi-Fi, is on from the start. If not, a rig that can switch it on does
    /// so when it is needed.
    package var startsHost: Bool

    package init(
        system: BoardSystem? = nil, packages: [String] = [], payload: EncodedPayload? = nil, hasBoard: Bool = true,
        startsHost: Bool = true
    ) {
        self.system = system
        self.packages = packages
        self.payload = payload
        self.hasBoard = hasBoard
        self.startsHost = startsHost
    }

    /// The system that the board gets.
    ///
    /// - Parameter chosen: The system chosen for the run.
    package func system(or chosen: BoardSystem) -> BoardSystem {
        let base = system ?? chosen
        return packages.isEmpty ? base : base.adding(packages: packages)
    }
}

import BoardProtocol

/// What a scenario asks of the accessory board before its rig starts. A rig that cannot give its board another system
/// starts it as it is.
package struct AccessoryNeeds: Sendable, Hashable {
    /// The board's system; nil for the one that was chosen for the run.
    package var system: BoardSystem?
    /// The names of Debian packages that the board has in addition.
    package var packages: [String]

    /// The files of the program that the scenario runs on the board; nil if they are sent to it when the program starts.
    package var payload: EncodedPayload?
    /// The program that is on already when the scenario begins, if boards can be saved with it; else it starts then.
    package var program: ProgramStart?
    /// Whether there is to be a board. A rig that cannot do without it has one all the same.
    package var hasBoard: Bool

    package init(
        system: BoardSystem? = nil, packages: [String] = [], payload: EncodedPayload? = nil, hasBoard: Bool = true
    ) {
        self.system = system
        self.packages = packages
        self.payload = payload
        self.hasBoard = hasBoard
    }

    /// The system that the board gets.
    ///
    /// - Parameter chosen: The one that was chosen for the run.
    package func system(or chosen: BoardSystem) -> BoardSystem {
        let base = system ?? chosen
        return packages.isEmpty ? base : base.adding(packages: packages)
    }
}

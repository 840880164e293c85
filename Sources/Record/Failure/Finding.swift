import BoardProtocol

/// A defect found outside a scenario's own steps, for readers that sort failures.
package struct Finding: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable {
        /// A board's kernel reported an error.
        case kernel
        /// A daemon on a board ended, or crashed.
        case daemon
        /// A board's agent restarted, or refused bytes.
        case agent
        /// A bond or a network of an earlier scenario was left on a board.
        case leak
        /// A board's radios had no power, or its clock was wrong.
        case board
        /// The capture of the air is not complete.
        case capture
        /// The machine had too little time for the boards.
        case machine
    }

    package var kind: Kind
    /// The board; nil if it is about none.
    package var board: BoardRole?
    /// The name of the daemon: `bluetoothd`; nil if it is about none.
    package var program: String?

    package init(_ kind: Kind, of board: BoardRole? = nil, program: String? = nil) {
        self.kind = kind
        self.board = board
        self.program = program
    }
}

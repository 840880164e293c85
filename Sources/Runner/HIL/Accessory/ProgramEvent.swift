import BoardProtocol
import RadioModel

/// What happens to a program on the accessory board.
public enum ProgramEvent: Sendable, Hashable {
    /// It is being started, for the first time or again.
    case started
    /// It printed a line, or the board left lines out.
    case printed(ProgramLine)
    /// It ended. `wasAsked` is whether the scenario had ended it.
    case ended(ProgramExit, wasAsked: Bool)
    /// The board has restarted, and with it the program is gone.
    case lost
}

/// A program had ended while a scenario waited for it.
public struct ProgramEnded: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String
    /// Whether the end is recorded as a failure already.
    let isRecorded: Bool
}

/// A program was not ready in time.
public struct ProgramNotReady: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String
}

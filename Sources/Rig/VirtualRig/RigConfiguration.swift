import BoardProtocol
import HILPOSIX
import RigModel

/// The configuration of `hil-rig`: the first line of its standard input.
struct RigConfiguration: Sendable, Codable, Equatable {
    /// The purpose of the rig.
    enum Purpose: Sendable, Codable, Equatable {
        /// Run both boards and the air until standard input ends.
        case run
        /// Run both boards until their states are saved in this folder, with this program running on the accessory
        /// board; nil for none. They boot, or are restored from the snapshot of the parts.
        case takeSnapshot(folder: String, program: ProgramStart?)
        /// Restore both boards from this folder, with nothing answering at their ports, until standard input ends.
        case reopen(folder: String)
    }

    /// The protocol versions of the runner.
    var versions = RigProtocol.Versions.own
    var purpose: Purpose
    var parts: RigParts
    /// The program `hil-air`.
    var airProgram: String
    /// The existing folder for logs.
    var evidence: String
    /// The parent folder of the rig's own folder.
    var base: String
    /// How long the agents of the boards may take to answer, in seconds.
    var timeLimit: Double
}

/// What a runner asks of its `hil-rig`: each further line of its standard input is a call with its number.
enum RigCall: Call {
    typealias Failure = RigFailure

    /// Save both boards in this folder, as ``SavedBoards``.
    case saveBoards(folder: String, Reply<Done>)
}

extension Call where Failure == RigFailure {
    package static func unanswerable(_ why: String) -> RigFailure {
        RigFailure("asking the rig", "hil-rig cannot answer: \(why)", remedy: "rebuild both with `make build`")
    }
}

/// A message of `hil-rig` that is no answer, one line of JSON on its standard output.
enum RigStatus: Sendable, Codable, Equatable {
    /// The first message: its protocol versions.
    case hello(RigProtocol.Versions)
    /// The rig's folder exists.
    case started(folder: String)
    /// The boards run, their agents answer, and the air accepts clients. It comes again when the power of a native board
    /// was switched.
    case ready(RigProcesses)
    /// The snapshot of both boards is complete.
    case snapshotTaken
    /// A part of the rig has ended.
    case lost(RigLoss)
    /// The rig could not be started.
    case failed(RigFailure)
    /// The rig could not be started because a board could not be restored from its snapshot.
    case notRestored(RigFailure)
}

/// The process identifiers of a rig.
package struct RigProcesses: Sendable, Codable, Equatable {
    /// The host board's process, or the outer one that isolates it; 0 without power.
    package var host: Int32
    /// The same for the accessory board; 0 also if there is none.
    package var accessory: Int32
    /// The air; 0 if there is none.
    package var air: Int32

    /// The process of a board.
    package subscript(_ role: BoardRole) -> Int32 { role == .host ? host : accessory }
}

/// A part of a running rig that ended. That is a failure of the rig, never of the product.
package struct RigLoss: Sendable, Codable, Equatable, CustomStringConvertible {
    package typealias Part = RigPart

    package var part: Part
    /// How it ended, and the end of its output: `was ended by signal 9 (Killed): …`.
    package var how: String

    package var description: String {
        switch part {
        case .host: "the host board's process \(how)"
        case .accessory: "the accessory board's process \(how)"
        case .air: "the air \(how)"
        case .rig: "the rig's own process \(how)"
        }
    }
}

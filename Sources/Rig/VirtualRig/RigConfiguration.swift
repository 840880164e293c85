import BoardProtocol
import RigModel

/// What `hil-rig` is told, in the first line of its standard input.
struct RigConfiguration: Sendable, Codable, Equatable {
    /// What the rig is started for.
    enum Purpose: Sendable, Codable, Equatable {
        /// Both boards and the air, until standard input ends.
        case run
        /// Both boards, until their states are in this folder.
        case takeSnapshot(folder: String)
        /// Both boards as they were kept in this folder, nothing but silence at their ports, until standard input ends.
        case reopen(folder: String)
    }

    /// What the runner speaks.
    var versions = RigProtocol.Versions.own
    var purpose: Purpose
    var parts: RigParts
    /// The program `hil-air`.
    var airProgram: String
    /// The existing folder that gets the logs.
    var evidence: String
    /// The folder that the rig's own folder is made in.
    var base: String
    /// How long the boards may take until their agents answer, in seconds.
    var timeLimit: Double
}

/// What `hil-rig` is asked later, in further lines of its standard input.
enum RigOrder: Sendable, Codable, Equatable {
    /// Write both boards into this folder, as ``KeptBoards``.
    case keepBoards(folder: String)
}

/// What `hil-rig` tells, a line of JSON each.
enum RigStatus: Sendable, Codable, Equatable {
    /// First of all: what it speaks.
    case hello(RigProtocol.Versions)
    /// The rig's folder is made.
    case started(folder: String)
    /// Boards run, agents answer, the air listens.
    case ready(RigProcesses)
    /// The states of both boards are in their files.
    case snapshotTaken
    /// Both boards are in the folder that was named.
    case kept
    /// They are not.
    case notKept(RigFailure)
    /// A part of the rig is gone.
    case lost(RigLoss)
    /// An order could not be read; why.
    case refused(String)
    /// It could not be started.
    case failed(RigFailure)
    /// It could not be started, for a board did not come to life from its snapshot.
    case notRestored(RigFailure)
}

/// The processes of a rig.
package struct RigProcesses: Sendable, Codable, Equatable {
    /// QEMU with the host board.
    package var host: Int32
    /// QEMU with the accessory board.
    package var accessory: Int32
    /// The air; 0 where there is none.
    package var air: Int32

    /// QEMU with this board.
    package subscript(_ role: BoardRole) -> Int32 { role == .host ? host : accessory }
}

/// A part of a running rig that ended: the rig's fault, never the product's.
package struct RigLoss: Sendable, Codable, Equatable, CustomStringConvertible {
    /// A part that can be lost.
    package enum Part: String, Sendable, Codable {
        case host, accessory, air
        /// The process that owns the others.
        case rig
    }

    package var part: Part
    /// How it ended, and the last thing it said: `was ended by signal 9 (Killed): …`.
    package var how: String

    package var description: String {
        switch part {
        case .host: "the host board's QEMU \(how)"
        case .accessory: "the accessory board's QEMU \(how)"
        case .air: "the air \(how)"
        case .rig: "the rig's own process \(how)"
        }
    }
}

import HILPOSIX

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The messages between the runner and the keeper of a board on a bench, `hil-board keep`: JSON in
/// ``HILPOSIX/Frame``s, and in addition the bytes of the board's agent and its logs.
///
/// The keeper takes the board's radios from their services, resets the board before each scenario, and runs the agent.
/// It gives everything back on request, when its runner's heartbeat stops, or when the stream ends.
package enum KeeperProtocol {
    /// Sent in ``KeeperCall/look(version:_:)``. Both sides must have the same version.
    package static let version = 3

    /// The kinds of frames.
    package enum FrameKind {
        /// Runner to keeper: a ``KeeperCall`` with its number.
        package static let call: UInt8 = 1
        /// Keeper to runner: an answer.
        package static let answer: UInt8 = 2
        /// Keeper to runner: a ``KeeperEvent``.
        package static let event: UInt8 = 3
        /// Both ways: bytes of the conversation with the agent.
        package static let agent: UInt8 = 4
        /// Keeper to runner: lines of the agent's journal.
        package static let journal: UInt8 = 5
        /// Keeper to runner: lines of the kernel's log.
        package static let kernel: UInt8 = 6
        /// Keeper to runner: a ``CapturedBytes``.
        package static let packet: UInt8 = 7
    }

    /// The frames of the calls.
    package static let frameKinds = CallFrameKinds(
        call: FrameKind.call, answer: FrameKind.answer, event: FrameKind.event)

    /// The most bytes of a stream in one frame.
    package static let longestPiece = 64 << 10
    /// How long after an answer the runner sends the next heartbeat.
    package static let beatInterval = Duration.milliseconds(500)
    /// After this time without a heartbeat, the keeper gives the board back.
    package static let patience = Duration.seconds(10)
}

/// Why the keeper refused a call, or failed.
package struct KeeperFailure: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The problem, in one line.
    package var reason: String
    /// Advice for a person; nil if there is none.
    package var remedy: String?

    package init(_ reason: String, remedy: String? = nil) { (self.reason, self.remedy) = (reason, remedy) }

    package var description: String { reason + (remedy.map { " — \($0)" } ?? "") }
}

extension Call where Failure == KeeperFailure {
    package static func unanswerable(_ why: String) -> KeeperFailure {
        KeeperFailure("its hil-board cannot answer: \(why)", remedy: "run `hil bench prepare` again")
    }
}

/// What the runner asks of a keeper.
package enum KeeperCall: Call {
    package typealias Failure = KeeperFailure

    /// Keepers on boards that were prepared earlier know a call as an order. They say that their version differs.
    package static let wireName = "order"

    /// The first call. The keeper looks at its board and changes nothing.
    case look(version: Int, Reply<BoardFacts>)
    /// Takes the board for a run. Answers the facts from before.
    case take(BoardLease, Reply<BoardFacts>)
    /// The runner's heartbeat. It is answered at once, with the board's time in nanoseconds since 1970.
    case beat(Reply<UInt64>)
    /// Resets the board, checks the result, and starts a fresh agent.
    case begin(BoardRole, ResetDepth, Reply<ResetReport>)
    /// Ends the agent and all its descendants, and checks who else used the radios. Answered when all have ended, with
    /// a sentence on each other user; empty if there was none.
    case end(Reply<[String]>)
    /// Passes on the packets captured so far. Answered after the packets.
    case flush(Reply<Done>)
    /// Restarts the board. The stream ends, and the restart gives everything back. There may be no answer.
    case reboot(Reply<Done>)
    /// Gives the board back. Answers the differences from its earlier state, a sentence each; empty if there are none.
    case giveBack(Reply<[String]>)
}

/// How deep a reset goes.
package enum ResetDepth: String, Sendable, Hashable, Codable, CaseIterable {
    /// The daemons are started afresh, and the radios are switched off and on.
    case daemons
    /// The Bluetooth adapter is detached from its bus and attached again, if the bus supports that.
    case adapter
}

/// The holder of a board, and the purpose.
package struct BoardLease: Sendable, Hashable, Codable {
    package var role: BoardRole
    /// The user, the machine and the run: `kim@bench-1, results/20261123-…`.
    package var holder: String
    /// Whether the packets of the radios are wanted.
    package var captures: Bool
    /// The Wi-Fi interface for the home's router, beside the one of the run; nil for none.
    package var home: String?

    package init(role: BoardRole, holder: String, captures: Bool, home: String? = nil) {
        (self.role, self.holder, self.captures, self.home) = (role, holder, captures, home)
    }
}

/// A message that the keeper sends without a call.
package enum KeeperEvent: Sendable, Codable {
    /// The agent ended unexpectedly, in this way.
    case agentEnded(String)
    /// The traffic that no radio of the board can capture, and the reason.
    case captureLacks(String)
}

/// The result of the check after a reset.
package struct ResetReport: Sendable, Hashable, Codable {
    /// The remains after the reset, a sentence each; empty if the board is fresh.
    package var leftOver: [String]
    /// How long the reset and the check took, in seconds, without the daemons' own start.
    package var seconds: Double

    package init(leftOver: [String], seconds: Double) { (self.leftOver, self.seconds) = (leftOver, seconds) }
}

/// A packet of a board's radio.
package struct CapturedBytes: Sendable, Hashable {
    /// The kind of bytes.
    package enum Kind: UInt8, Sendable {
        /// An H4 packet that the host sent to its controller, or received from it.
        case sentToController = 0, receivedFromController = 1
        /// An 802.11 frame after a radiotap header.
        case radiotap = 2
    }

    package var kind: Kind
    /// The number of the adapter; 0 for 802.11.
    package var adapter: UInt8
    /// The board's time in nanoseconds since 1970.
    package var time: UInt64
    package var bytes: [UInt8]

    package init(kind: Kind, adapter: UInt8, time: UInt64, bytes: [UInt8]) {
        (self.kind, self.adapter, self.time, self.bytes) = (kind, adapter, time, bytes)
    }

    /// The payload of a frame: kind, adapter, eight bytes of time, little-endian, and the packet.
    package var payload: [UInt8] {
        [kind.rawValue, adapter] + (0..<8).map { UInt8(truncatingIfNeeded: time >> (8 * UInt64($0))) } + bytes
    }

    /// Reads the payload of a frame; nil for other bytes.
    package init?(payload: [UInt8]) {
        guard payload.count > 10, let kind = Kind(rawValue: payload[0]) else { return nil }
        self.kind = kind
        adapter = payload[1]
        time = (0..<8).reduce(0) { $0 | UInt64(payload[2 + $1]) << (8 * UInt64($1)) }
        bytes = Array(payload[10...])
    }
}

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
    /// Sent in ``KeeperCommand/look(version:)``. Both sides must have the same version.
    package static let version = 2

    /// The kinds of frames.
    package enum FrameKind {
        /// Runner to keeper: a ``KeeperRequest``.
        package static let request: UInt8 = 1
        /// Keeper to runner: a ``KeeperReply``.
        package static let reply: UInt8 = 2
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

    /// The most bytes of a stream in one frame.
    package static let longestPiece = 64 << 10
    /// How long after an answer the runner sends the next heartbeat.
    package static let beatInterval = Duration.milliseconds(500)
    /// After this time without a heartbeat, the keeper gives the board back.
    package static let patience = Duration.seconds(10)
}

/// A request to the keeper. Its reply carries the same number.
package struct KeeperRequest: Sendable, Codable {
    package var id: UInt32
    package var command: KeeperCommand

    package init(id: UInt32, command: KeeperCommand) { (self.id, self.command) = (id, command) }

    /// Keepers on boards that were prepared earlier know the command as an order.
    private enum CodingKeys: String, CodingKey { case id, command = "order" }
}

/// The answer to a request.
package struct KeeperReply: Sendable, Codable {
    package var id: UInt32
    package var outcome: Outcome

    package enum Outcome: Sendable, Codable {
        case success(KeeperResult)
        case failure(KeeperFailure)
    }

    package init(id: UInt32, outcome: Outcome) { (self.id, self.outcome) = (id, outcome) }
}

/// Why the keeper refused or failed a request.
package struct KeeperFailure: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The problem, in one line.
    package var reason: String
    /// Advice for a person; nil if there is none.
    package var remedy: String?

    package init(_ reason: String, remedy: String? = nil) { (self.reason, self.remedy) = (reason, remedy) }

    package var description: String { reason + (remedy.map { " — \($0)" } ?? "") }
}

/// A request of the runner to the keeper.
package enum KeeperCommand: Sendable, Codable {
    /// The first request. The keeper looks at its board and changes nothing. Result: `.facts`.
    case look(version: Int)
    /// Takes the board for a run. Result: `.facts` from before.
    case take(BoardLease)
    /// The runner's heartbeat. It is answered at once. Result: `.clock`.
    case beat
    /// Resets the board, checks the result, and starts a fresh agent. Result: `.begun`.
    case begin(BoardRole, ResetDepth)
    /// Ends the agent and all its descendants, and checks who else used the radios. Result: `.found` when all have
    /// ended.
    case end
    /// Passes on the packets captured so far. Result: `.done`, after the packets.
    case flush
    /// Restarts the board. The stream ends, and the restart gives everything back. No result.
    case reboot
    /// Gives the board back. Result: `.given`.
    case giveBack
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

/// An answer of the keeper.
package enum KeeperResult: Sendable, Codable {
    case done
    case facts(BoardFacts)
    /// The board's time in nanoseconds since 1970.
    case clock(UInt64)
    case begun(ResetReport)
    /// Sentences on who else used the radios during the run; empty if nobody did.
    case found([String])
    /// The differences from the board's earlier state, a sentence each; empty if there are none.
    case given([String])
}

/// A message that the keeper sends without a request.
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

import BoardProtocol
import POSIX
import RigModel
import Timing

/// The two boards.
public final class RigHandle: Sendable {
    /// Versions of kernel, daemons and agent, by board.
    public let versions: [String: [String: String]]
    let connection: RigConnection
    let air: AirHandle
    let recorder: ScenarioRecorder
    /// What faults on request make the boards tell.
    let tolerance = Tolerance()
    /// Measures how long a board may take to tell what became of it.
    let clock: any Clock<Duration>

    init(
        _ connection: RigConnection, versions: [String: [String: String]] = [:],
        recorder: ScenarioRecorder = ScenarioRecorder { _ in }, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.connection = connection
        self.versions = versions
        self.recorder = recorder
        self.clock = clock
        air = AirHandle(connection, recorder: recorder)
    }

    /// What this rig has, and what it lacks.
    public var description: RigDescription { connection.description }

    var host: BoardClient { connection.host }
    var accessory: BoardClient { connection.accessory }

    func board(_ role: BoardRole) -> BoardClient { connection.board(role) }
}

// MARK: - Health

extension RigHandle {
    /// How a board is now.
    func health(of board: BoardClient, within limit: Duration = .seconds(5)) async throws -> BoardHealth {
        guard case .health(let health) = try await board.ask(.health, within: limit) else {
            throw RigFailure(
                "asking for its health", on: "the \(board.role.rawValue) board", "it answered something else")
        }
        return health
    }

    /// What is wrong with the boards before a scenario: an agent that does not answer, radios without power, a daemon that
    /// is not there, or something that an earlier scenario left.
    func faultsBefore() async -> [String] { await faults { RigHandle.faultsBefore($0, of: $1) } }

    /// What is wrong with the boards after a scenario. Bonds and networks are its own affair then: its boards are thrown
    /// away with it, and a scenario may have switched the radios off.
    func faultsAfter() async -> [String] { await faults { RigHandle.faultsAlways($0, of: $1) } }

    private func faults(_ judge: @escaping @Sendable (BoardHealth, BoardRole) -> [String]) async -> [String] {
        async let ofHost = faults(of: host, judge)
        async let ofAccessory = faults(of: accessory, judge)
        return await ofHost + ofAccessory
    }

    private func faults(
        of board: BoardClient, _ judge: @Sendable (BoardHealth, BoardRole) -> [String]
    ) async -> [String] {
        do { return judge(try await health(of: board), board.role) } catch { return [Failure(error).message] }
    }

    /// What of a board's health keeps a scenario from starting on it. Pure.
    static func faultsBefore(_ health: BoardHealth, of role: BoardRole) -> [String] {
        var faults = faultsAlways(health, of: role)
        if !health.arePowered { faults.append("the \(role.rawValue) board's radios are not powered") }
        if !health.bonds.isEmpty {
            let bonds = health.bonds.map(\.description).joined(separator: ", ")
            faults.append("the \(role.rawValue) board has a bond of an earlier scenario, with \(bonds)")
        }
        if !health.networks.isEmpty {
            let networks = health.networks.map { "“\($0)”" }.joined(separator: ", ")
            faults.append("the \(role.rawValue) board has a network of an earlier scenario, \(networks)")
        }
        return faults
    }

    /// How far a board's clock may be off: the time that an answer takes on a busy machine, and some. Its logs are placed
    /// by that clock.
    private static let clockTolerance = Duration.seconds(10)

    /// What is wrong with a board whatever a scenario did with it: daemons of its role that it lacks, and a clock that is
    /// off. Pure.
    ///
    /// - Parameter now: Nanoseconds since 1970.
    static func faultsAlways(
        _ health: BoardHealth, of role: BoardRole, now: UInt64 = wallClockNanoseconds()
    ) -> [String] {
        let needed: [BoardDaemon] = [.bluetoothd, role == .host ? .supplicant : .hostapd]
        var faults = needed.filter { !health.daemons.contains($0) }
            .map { "\($0.rawValue) does not run on the \(role.rawValue) board" }
        let offset = Duration.nanoseconds(Int64(clamping: health.clock) - Int64(clamping: now))
        if abs(offset.seconds) > clockTolerance.seconds {
            let way = offset < .zero ? "behind" : "ahead"
            faults.append("the \(role.rawValue) board's clock is \(way) by \(Int(abs(offset.seconds))) s")
        }
        return faults
    }
}

import BoardProtocol
import HILPOSIX
import HILTiming
import RigModel

/// The two boards of the rig: their versions, and faults on request.
public final class RigHandle: Sendable {
    /// The versions of kernel, daemons and agent: by board (`host`, `accessory`), then by name.
    public let versions: [String: [String: String]]
    let connection: RigConnection
    let air: AirHandle
    let recorder: ScenarioRecorder
    /// The messages that requested faults cause, which are not failures.
    let tolerance = Tolerance()
    /// Measures the limits for the boards' answers and events.
    let clock: any Clock<Duration>
    /// How long a board may take to answer what its health is.
    private let healthLimit: Duration

    /// - Parameter air: The handle of its air; nil makes one.
    init(
        _ connection: RigConnection, versions: [String: [String: String]] = [:], air: AirHandle? = nil,
        recorder: ScenarioRecorder = ScenarioRecorder { _ in }, clock: any Clock<Duration> = ContinuousClock(),
        healthLimit: Duration = .seconds(5)
    ) {
        self.connection = connection
        self.versions = versions
        self.recorder = recorder
        self.clock = clock
        self.healthLimit = healthLimit
        self.air = air ?? AirHandle(connection, recorder: recorder)
    }

    /// What kind of rig this is, what it can do, and what it cannot do.
    public var description: RigDescription { connection.description }

    var host: BoardClient { connection.host }
    var accessory: BoardClient { connection.accessory }

    func board(_ role: BoardRole) -> BoardClient { connection.board(role) }
}

// MARK: - Health

extension RigHandle {
    /// Asks a board for its health now.
    func health(of board: BoardClient) async throws -> BoardHealth {
        guard case .health(let health) = try await board.ask(.health, within: healthLimit) else {
            throw RigFailure(
                "asking for its health", on: "the \(board.role.rawValue) board", "it answered something else")
        }
        return health
    }

    /// What is wrong with the boards before a scenario, a sentence for each problem.
    ///
    /// Problems are an agent that does not answer, radios without power, a missing daemon, and bonds or networks of an
    /// earlier scenario.
    func faultsBefore() async -> [Failure] { await faults { RigHandle.faultsBefore($0, of: $1) } }

    /// What is wrong with the boards after a scenario.
    ///
    /// Bonds, networks and radios without power are no problem then: the scenario may have left them so, and its boards
    /// are not used again.
    func faultsAfter() async -> [Failure] { await faults { RigHandle.faultsAlways($0, of: $1) } }

    private func faults(_ judge: @escaping @Sendable (BoardHealth, BoardRole) -> [Failure]) async -> [Failure] {
        async let ofHost = faults(of: host, judge)
        async let ofAccessory = faults(of: accessory, judge)
        return await ofHost + ofAccessory
    }

    private func faults(
        of board: BoardClient, _ judge: @Sendable (BoardHealth, BoardRole) -> [Failure]
    ) async -> [Failure] {
        do {
            var health = try await health(of: board)
            // The clock of somebody's board is measured, and not set.
            if !description.has(.ownBoards) { health.clock = wallClockNanoseconds() }
            return judge(health, board.role)
        } catch { return [Failure(.rig, Failure(error).message, finding: Finding(.agent, of: board.role))] }
    }

    /// The problems in a board's health that keep a scenario from starting. Pure.
    static func faultsBefore(_ health: BoardHealth, of role: BoardRole) -> [Failure] {
        var faults = faultsAlways(health, of: role)
        func add(_ kind: Finding.Kind, _ text: String) {
            faults.append(Failure(.rig, text, finding: Finding(kind, of: role)))
        }
        if !health.areRadiosPowered { add(.board, "the \(role.rawValue) board's radios are not powered") }
        if !health.bonds.isEmpty {
            let bonds = health.bonds.map(\.description).joined(separator: ", ")
            add(.leak, "the \(role.rawValue) board has a bond of an earlier scenario, with \(bonds)")
        }
        if !health.networks.isEmpty {
            let networks = health.networks.map { "“\($0)”" }.joined(separator: ", ")
            add(.leak, "the \(role.rawValue) board has a network of an earlier scenario, \(networks)")
        }
        return faults
    }

    /// How far a board's clock may be off. An answer can take long on a busy machine, so this is generous. The clock
    /// decides where a board's log lines stand in the timeline.
    private static let clockTolerance = Duration.seconds(10)

    /// The problems in a board's health that no scenario may cause: a missing daemon, or a wrong clock. Pure.
    ///
    /// - Parameter now: Nanoseconds since 1970.
    static func faultsAlways(
        _ health: BoardHealth, of role: BoardRole, now: UInt64 = wallClockNanoseconds()
    ) -> [Failure] {
        // A program that owns a Wi-Fi daemon has the only radio.
        let hasWiFi = !health.owned.contains(where: \.usesWiFi)
        let needed: [BoardDaemon] =
            (health.owned.contains(.bluetoothd) ? [] : [.bluetoothd])
            + (role == .host ? [.supplicant] : hasWiFi ? [.hostapd] : [])
        var faults = needed.filter { !health.daemons.contains($0) }
            .map { daemon in
                Failure(
                    .rig, "\(daemon.rawValue) does not run on the \(role.rawValue) board",
                    finding: Finding(.daemon, of: role, program: daemon.rawValue))
            }
        let offset = Duration.nanoseconds(Int64(clamping: health.clock) - Int64(clamping: now))
        if abs(offset.seconds) > clockTolerance.seconds {
            let way = offset < .zero ? "behind" : "ahead"
            let text = "the \(role.rawValue) board's clock is \(way) by \(Int(abs(offset.seconds))) s"
            faults.append(Failure(.rig, text, finding: Finding(.board, of: role)))
        }
        return faults
    }
}

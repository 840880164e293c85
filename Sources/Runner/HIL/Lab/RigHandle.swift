import BoardProtocol
import HILPOSIX
import HILRecord
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
    /// How long a board may take to report its health.
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
        try await board.ask(within: healthLimit) { .system(.health($0)) }
    }

    /// What is wrong with the boards before a scenario, a sentence for each problem.
    ///
    /// Problems are an agent that does not answer, radios without power, a missing daemon, and bonds or networks of an
    /// earlier scenario.
    func faultsBefore() async -> [Failure] {
        await faults { RigHandle.faultsBefore($0, of: $1, asked: $2, answered: $3) }
    }

    /// What is wrong with the boards after a scenario.
    ///
    /// Bonds, networks and radios without power are no problem then: the scenario may have left them so, and its boards
    /// are not used again. Nor is a daemon that the accessory brought down.
    func faultsAfter(_ recorder: ScenarioRecorder) async -> [Failure] {
        let faults = await faults { RigHandle.faultsAlways($0, of: $1, asked: $2, answered: $3) }
        return RigHandle.faults(faults, without: recorder.broughtDown)
    }

    /// Those faults of the boards that do not follow from daemons that the accessory brought down.
    static func faults(_ faults: [Failure], without broughtDown: [Failure]) -> [Failure] {
        faults.filter { fault in
            fault.finding?.kind != .daemon || !broughtDown.contains { $0.finding == fault.finding }
        }
    }

    /// The problems of a board, from its health and the times of question and answer, in nanoseconds since
    /// 1970.
    private typealias Judge = @Sendable (BoardHealth, BoardRole, _ asked: UInt64, _ answered: UInt64) -> [Failure]

    private func faults(_ judge: @escaping Judge) async -> [Failure] {
        async let ofHost = faults(of: host, judge)
        async let ofAccessory = faults(of: accessory, judge)
        return await ofHost + ofAccessory
    }

    private func faults(of board: BoardClient, _ judge: Judge) async -> [Failure] {
        do {
            let asked = wallClockNanoseconds()
            var health = try await health(of: board)
            // The clock of a person's own board is measured, but not set.
            if !description.has(.ownBoards) { health.clock = wallClockNanoseconds() }
            return judge(health, board.role, asked, wallClockNanoseconds())
        } catch { return [Failure(.rig, Failure(error).message, finding: Finding(.agent, of: board.role))] }
    }

    /// The problems in a board's health that keep a scenario from starting. Pure.
    static func faultsBefore(
        _ health: BoardHealth, of role: BoardRole, asked: UInt64, answered: UInt64
    ) -> [Failure] {
        var faults = faultsAlways(health, of: role, asked: asked, answered: answered)
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

    /// How far a board's clock may be off. It decides where a board's log lines appear in the timeline.
    private static let clockTolerance = Duration.seconds(10)

    /// The problems in a board's health that no scenario may cause: a missing daemon, or a wrong clock. Pure.
    ///
    /// - Parameters:
    ///   - asked: When the board was asked, in nanoseconds since 1970.
    ///   - answered: When its answer was read, which is later than the board's own clock says on a machine that is late.
    static func faultsAlways(
        _ health: BoardHealth, of role: BoardRole, asked: UInt64, answered: UInt64
    ) -> [Failure] {
        // A program that owns a Wi-Fi daemon has the only radio.
        let hasWiFi = !health.owned.contains(where: \.usesWiFi)
        let needed: [BoardDaemon] =
            switch role {
            case .host: [.supplicant]
            case .accessory:
                (health.owned.contains(.bluetoothd) ? [] : [.bluetoothd]) + (hasWiFi ? [.hostapd] : [])
            }
        var faults = needed.filter { !health.daemons.contains($0) }
            .map { daemon in
                Failure(
                    .rig, "\(daemon.rawValue) does not run on the \(role.rawValue) board",
                    finding: Finding(.daemon, of: role, program: daemon.rawValue))
            }
        let between = min(max(health.clock, min(asked, answered)), max(asked, answered))
        let offset = Duration.nanoseconds(Int64(clamping: health.clock) - Int64(clamping: between))
        if abs(offset.seconds) > clockTolerance.seconds {
            let way = offset < .zero ? "behind" : "ahead"
            let text = "the \(role.rawValue) board's clock is \(way) by \(Int(abs(offset.seconds))) s"
            faults.append(Failure(.rig, text, finding: Finding(.board, of: role)))
        }
        return faults
    }
}

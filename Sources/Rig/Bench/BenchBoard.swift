import BoardProtocol
import Foundation
import HILPOSIX
import HILTiming
import RadioModel
import RigModel
import Synchronization

/// A board that a run has taken.
actor BenchBoard {
    /// The depth of a reset.
    enum Depth: Int, Comparable {
        case daemons, adapter, reboot, power

        static func < (one: Depth, other: Depth) -> Bool { one.rawValue < other.rawValue }

        /// A clause for the record.
        var text: String {
            switch self {
            case .daemons: "new daemons"
            case .adapter: "the adapter was detached from its bus and attached again"
            case .reboot: "the board was restarted"
            case .power: "its power was off for 10 s"
            }
        }
    }

    nonisolated let address: BoardAddress
    nonisolated let role: BoardRole
    /// Its part in the bench: `host`, `accessory` or `home`. Its logs are in a folder of this name.
    nonisolated let part: String
    /// Takes secrets out of its logs.
    private let redaction: Redaction
    private let lease: BoardLease
    private let cyclePower: (@Sendable (BoardAddress) async throws -> Void)?
    /// How long a board may take to come back after a restart.
    private static let restartLimit = Duration.seconds(240)

    private var line: BoardLine? { didSet { tell(line) } }
    private var tell: @Sendable (BoardLine?) -> Void = { _ in }
    private(set) var facts: BoardFacts?
    private let sinks = Sinks()
    /// How long the last reset took, without the start of daemons.
    private(set) var resetSeconds = 0.0

    /// - Parameter part: Its part in the bench; nil for that of its role.
    init(
        _ address: BoardAddress, as role: BoardRole, part: String? = nil, lease: BoardLease,
        hiding redaction: Redaction = Redaction([]), cyclePower: (@Sendable (BoardAddress) async throws -> Void)?
    ) {
        (self.address, self.role, self.lease, self.cyclePower) = (address, role, lease, cyclePower)
        self.part = part ?? role.rawValue
        self.redaction = redaction
    }

    /// Connects, and takes the board from its services.
    func take() async throws(RigFailure) {
        let line = try BoardLine(to: address)
        do throws(RigFailure) {
            _ = try await line.open()
            facts = try await line.ask(for: "taking the board", within: .seconds(120)) { .take(lease, $0) }
        } catch {
            await line.close()
            throw error
        }
        line.pass(to: sinks.streams)
        self.line = line
    }

    /// Resets the board, and goes deeper while anything of an earlier scenario remains.
    ///
    /// - Parameters:
    ///   - relay: Passes on the new agent's bytes.
    ///   - capture: Takes the packets of the board's radios; nil for no capture.
    ///   - depth: The minimum depth of the reset.
    /// - Returns: The steps beyond new daemons, for the record; empty for none.
    /// - Throws: ``RigFailure`` if even the deepest reset does not help.
    func begin(_ relay: AgentRelay, _ capture: BenchCapture?, at depth: Depth = .daemons) async throws(RigFailure)
        -> [String]
    {
        var notes: [String] = []
        var depth = depth
        while true {
            var problem: String
            do throws(RigFailure) {
                let report = try await begin(once: depth, relay, capture)
                if report.leftOver.isEmpty {
                    resetSeconds = report.seconds
                    return notes + (depth == .daemons ? [] : ["\(address) is fresh: \(depth.text)"])
                }
                problem = report.leftOver.joined(separator: ", ")
            } catch {
                // A lost board needs no reset, and neither does one of a run that is ending.
                if Task.isCancelled { throw error }
                if line?.losses.count ?? 1 > 0, depth < .reboot { throw error }
                problem = error.reason
            }
            notes.append("\(address) was not fresh after a reset (\(depth.text)): \(problem)")
            guard let next = deeper(than: depth) else {
                throw RigFailure(
                    "resetting the board", on: "\(address)", "it is not fresh: \(problem)",
                    remedy: "see `hil doctor --rig`, and switch it off and on")
            }
            depth = next
        }
    }

    private func deeper(than depth: Depth) -> Depth? {
        switch depth {
        case .daemons: .adapter
        case .adapter: address == .local ? nil : .reboot
        case .reboot: cyclePower == nil ? nil : .power
        case .power: nil
        }
    }

    private func begin(
        once depth: Depth, _ relay: AgentRelay, _ capture: BenchCapture?
    ) async throws(RigFailure) -> ResetReport {
        switch depth {
        case .daemons, .adapter: break
        case .reboot:
            _ = try? await line?.ask(for: "restarting the board", within: .seconds(10)) { .reboot($0) }
            try await takeAgain()
        case .power:
            do { try await cyclePower?(address) } catch {
                throw .wrapping(error, while: "switching the power off and on", on: "\(address)")
            }
            try await takeAgain()
        }
        guard let line else {
            throw RigFailure("resetting the board", on: "\(address)", "the connection is lost")
        }
        // The line and its clock may have changed since the logs were opened.
        sinks.begin(relay: relay, capture: capture?.sink(of: role) { line.clock }) { line.clock }
        return try await line.ask(for: "resetting the board") {
            .begin(role, depth == .adapter ? .adapter : .daemons, $0)
        }
    }

    /// Waits until a restarting board can be taken.
    private func takeAgain() async throws(RigFailure) {
        await line?.close()
        line = nil
        let began = ContinuousClock.now
        let before = facts?.boot
        while true {
            do throws(RigFailure) {
                try await take()
                if facts?.boot != before { return }
                await line?.close()
                line = nil
                if Task.isCancelled {
                    throw RigFailure("restarting the board", on: "\(address)", "the run has ended meanwhile")
                }
            } catch {
                guard began.duration(to: .now) < BenchBoard.restartLimit, !Task.isCancelled else { throw error }
            }
            // A board does not announce that it has started.
            try? await ContinuousClock().sleep(for: .seconds(2))
        }
    }

    /// Writes the board's logs into this folder from now on; nil for nowhere.
    func log(into folder: String?) throws(SystemError) { try sinks.log(into: folder, hiding: redaction) }

    /// Ends the agent. Returns when all logs and packets so far have arrived.
    ///
    /// - Returns: Sentences on who else used the radios during the run.
    func end() async throws(RigFailure) -> [String] {
        guard let line else { return [] }
        let intrusions = try await line.ask(for: "ending the agent", within: .seconds(30)) { .end($0) }
        try await line.ask(for: "ending the capture", within: .seconds(10)) { .flush($0) }
        return intrusions.map { "\(address): \($0)" }
    }

    /// Gives the board back, and ends the connection.
    ///
    /// - Returns: The differences from its earlier state, a sentence each.
    func giveBack() async -> [String] {
        guard let line else { return [] }
        defer { self.line = nil }
        var problems: [String] = []
        do throws(RigFailure) {
            let differences = try await line.ask(for: "giving the board back", within: .seconds(120)) { .giveBack($0) }
            problems = differences.map { "\(address): \($0)" }
        } catch { problems = ["\(error)"] }
        await line.close()
        return problems
    }

    /// The address of one of its Wi-Fi interfaces, as it was when the board was taken; nil for the interface of the run.
    func radio(named name: String?) -> DeviceAddress? {
        let radios = facts?.radios ?? []
        let found = name.map { name in radios.first { $0.name == name } } ?? radios.first { $0.isChosen }
        return found.flatMap { DeviceAddress($0.address) }
    }

    /// Calls `tell` with the line to the board now and after each change.
    func tellLine(_ tell: @escaping @Sendable (BoardLine?) -> Void) {
        self.tell = tell
        tell(line)
    }

    /// The traffic that its radios cannot capture, and the reason.
    var captureLacks: [String] { sinks.lacks }

    /// The offset of the board's clock.
    var clock: ClockEstimate { line?.clock ?? ClockEstimate() }

    /// Whether the board is connected.
    var isConnected: Bool { line?.losses.count == 0 }

    /// Waits until the board is lost: its connection, or its agent.
    func lost() async throws -> String {
        guard let line else { return "the connection is lost" }
        return try await withThrowingTaskGroup(of: String.self) { group in
            group.addTask {
                try await line.losses.first(within: .seconds(1_000_000), waitingFor: "a loss").event
            }
            group.addTask { [sinks] in try await sinks.agentEnd() }
            defer { group.cancelAll() }
            return try await group.next() ?? ""
        }
    }
}

/// The current destinations of a board's bytes.
private final class Sinks: Sendable {
    private struct State {
        var relay: AgentRelay?
        var capture: (@Sendable (CapturedBytes) -> Void)?
        var files: EvidenceFiles?
        var clock: @Sendable () -> ClockEstimate = { ClockEstimate() }
        var ends = EventLog<String>()
        var lacks: [String] = []
    }

    private let state = Mutex(State())

    var streams: BoardLine.Streams {
        BoardLine.Streams(
            agent: { [self] in state.withLock { $0.relay }?.take($0) },
            journal: { [self] in state.withLock { $0.files }?.addJournal($0) },
            kernel: { [self] in state.withLock { $0.files }?.addKernel($0) },
            packet: { [self] in state.withLock { $0.capture }?($0) },
            event: { [self] event in
                switch event {
                case .agentEnded(let how):
                    let (ends, relay) = state.withLock { ($0.ends, $0.relay) }
                    ends.append("its agent \(how)")
                    relay?.hangUp()
                case .captureLacks(let what): state.withLock { $0.lacks.append(what) }
                }
            })
    }

    /// The traffic that the board's radios cannot capture, and the reason.
    var lacks: [String] { state.withLock { $0.lacks } }

    func begin(
        relay: AgentRelay, capture: (@Sendable (CapturedBytes) -> Void)?,
        clock: @escaping @Sendable () -> ClockEstimate
    ) {
        state.withLock { ($0.relay, $0.capture, $0.clock, $0.ends) = (relay, capture, clock, EventLog()) }
    }

    func log(into folder: String?, hiding redaction: Redaction) throws(SystemError) {
        let files: EvidenceFiles?
        if let folder {
            files = try EvidenceFiles(in: folder, hiding: redaction) { [self] in clock() }
        } else {
            files = nil
        }
        let before = state.withLock { state in
            defer { state.files = files }
            return state.files
        }
        before?.close()
    }

    private func clock() -> ClockEstimate { state.withLock { $0.clock }() }

    func agentEnd() async throws -> String {
        try await state.withLock { $0.ends }.first(within: .seconds(1_000_000), waitingFor: "the agent's end").event
    }
}

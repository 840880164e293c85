import BoardProtocol
import Foundation
import HILPOSIX
import HILTiming
import RadioModel
import RigModel
import Synchronization

/// A bench that a run has taken: its boards, and the sockets through which workers reach their agents.
actor HeldBench: TakenBench {
    nonisolated let address: BenchAddress
    nonisolated var name: String { address.name }
    private let lent: LentBench
    private let folder: RigFolder
    private let boards: [BenchBoard]
    /// By the part of the board.
    private let relays: [String: AgentRelay]
    /// The radio of the home's router; nil without one of its own.
    private let homeRadio: DeviceAddress?
    private let lines: [BoardRole: CurrentLine]
    private var capture: BenchCapture?
    private let captures: Bool
    /// Whether there is no capture because it would have a real network's passphrase.
    private let lacksCapture: Bool

    /// Takes the boards of a bench.
    ///
    /// - Parameter holder: The user, the machine and the run.
    /// - Throws: ``RigFailure``. Then the boards are given back, but the bench is not.
    init(_ lent: LentBench, holder: String, captures: Bool) async throws {
        address = lent.address
        self.lent = lent
        let secret = try HeldBench.secret(of: lent.address)
        // The packets have the passphrase of a real network.
        let captures = captures && secret == nil
        self.captures = captures
        lacksCapture = secret != nil
        folder = try RigFolder(base: HeldBench.base)
        var boards: [BenchBoard] = []
        var relays: [String: AgentRelay] = [:]
        var lines: [BoardRole: CurrentLine] = [:]
        for place in HeldBench.places(of: lent.address) {
            let isHome = place.part == HeldBench.homePart
            let lease = BoardLease(
                role: place.role, holder: holder, captures: captures && !isHome, home: place.homeInterface)
            let taken = BenchBoard(
                place.board, as: place.role, part: place.part, lease: lease,
                hiding: Redaction(secret.map { [$0] } ?? []), cyclePower: lent.cyclePower)
            boards.append(taken)
            let current = CurrentLine()
            if !isHome { lines[place.role] = current }
            await taken.tellLine { current.line = $0 }
            relays[place.part] = try AgentRelay(at: HeldBench.socket(of: place.part, in: folder.path)) {
                current.line?.sendToAgent($0)
            }
        }
        (self.boards, self.relays, self.lines) = (boards, relays, lines)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for board in boards { group.addTask { try await board.take() } }
                try await group.waitForAll()
            }
        } catch {
            _ = await HeldBench.giveBack(boards, relays, folder)
            throw error
        }
        switch lent.address.home {
        case .interface(let name): homeRadio = await boards.first?.radio(named: name)
        case .board: homeRadio = await boards.last?.radio(named: nil)
        case .network, nil: homeRadio = nil
        }
    }

    /// The path of the socket of a part. A rig's folder has folders for two boards.
    private static func socket(of part: String, in folder: String) -> String {
        part == homePart ? "\(folder)/home.sock" : "\(folder)/\(part)/agent.sock"
    }

    /// The part of the further board of a bench, which is the home's router.
    static let homePart = "home"

    /// A board of a bench, and what it is there.
    struct Place: Sendable {
        let board: BoardAddress
        let role: BoardRole
        let part: String
        /// The interface of the home's router on it; nil for none.
        var homeInterface: String?
    }

    /// The boards of a bench, the host board first, a further one last. Pure.
    static func places(of address: BenchAddress) -> [Place] {
        var interface: String?
        if case .interface(let name)? = address.home { interface = name }
        var places: [Place] = []
        if let host = address.host {
            places.append(
                Place(board: host, role: .host, part: BoardRole.host.rawValue, homeInterface: interface))
        }
        if let accessory = address.accessory {
            places.append(Place(board: accessory, role: .accessory, part: BoardRole.accessory.rawValue))
        }
        if case .board(let board)? = address.home {
            places.append(Place(board: board, role: .host, part: homePart))
        }
        return places
    }

    /// The passphrase of the real network of a bench; nil without one.
    private static func secret(of address: BenchAddress) throws(RigFailure) -> String? {
        guard case .network(let name)? = address.home else { return nil }
        return try RealHomeFile().home(named: name).passphrase
    }

    /// The folders of benches' sockets. It is short, because the path of a socket has at most 107 bytes.
    private static var base: String { "/tmp/hil-bench-\(geteuid())" }

    /// Resets both boards, and starts their agents.
    ///
    /// - Parameters:
    ///   - depth: The minimum depth of the reset.
    ///   - evidence: The folder for logs and capture.
    /// - Returns: Lines for the record.
    func begin(at depth: BenchBoard.Depth, evidence: String) async throws -> [String] {
        if captures { capture = try BenchCapture(path: "\(evidence)/\(HeldBench.captureName)") }
        for board in boards { try await board.log(into: "\(evidence)/\(board.part)") }
        let (boards, relays, capture) = (boards, relays, capture)
        let notes = try await withThrowingTaskGroup(of: [String].self) { group in
            for board in boards {
                // Each part has its relay.
                let capture = board.part == HeldBench.homePart ? nil : capture
                group.addTask { try await board.begin(relays[board.part]!, capture, at: depth) }
            }
            return try await group.reduce([]) { $0 + $1 }
        }
        var lines = ["bench \(address.name)"] + notes
        for board in boards {
            let seconds = Duration.seconds(await board.resetSeconds).short
            lines.append("\(board.address) was reset in \(seconds); its clock is off by \(await board.clock.text)")
            if lacksCapture, board.role == .host {
                lines.append("not captured: its packets would have the passphrase of a real network")
            }
            for lack in await board.captureLacks { lines.append("not captured on \(board.address): \(lack)") }
        }
        return lines
    }

    /// The name of the capture in a scenario's folder.
    static let captureName = "capture.pcapng"

    /// Ends the agents. After that logs and capture are complete.
    ///
    /// - Returns: Sentences on who else used the boards' radios during the run.
    func end() async throws -> [String] {
        defer {
            capture?.close()
            capture = nil
        }
        let boards = boards
        let intrusions = try await withThrowingTaskGroup(of: [String].self) { group in
            for board in boards { group.addTask { try await board.end() } }
            return try await group.reduce([]) { $0 + $1 }
        }
        for board in boards { try await board.log(into: nil) }
        return intrusions
    }

    /// Waits until a board is lost, or the bench is no longer lent. Returns the reason.
    func lost() async throws -> String {
        let (boards, lent, name) = (boards, lent, address.name)
        return try await withThrowingTaskGroup(of: String.self) { group in
            for board in boards {
                group.addTask { "the \(board.part) board \(board.address) of bench \(name): \(try await board.lost())" }
            }
            group.addTask { "bench \(name): \(try await lent.lost())" }
            defer { group.cancelAll() }
            return try await group.next() ?? ""
        }
    }

    var isConnected: Bool {
        get async {
            for board in boards where await !board.isConnected { return false }
            return true
        }
    }

    /// The addresses of its parts for workers.
    nonisolated var sockets: [String: String] {
        var sockets = ["bench": address.name]
        for (part, relay) in relays { sockets[part] = relay.path }
        sockets["homeRadio"] = homeRadio?.description
        if case .network(let name)? = address.home {
            sockets["homeNetwork"] = name
            // A worker's home is that of the app.
            sockets["homeNetworkFile"] = RealHomeFile().path
        }
        return sockets
    }

    /// How late the boards have answered heartbeats.
    nonisolated var answerTimes: [BoardRole: AnswerTimes] { lines.compactMapValues { $0.line?.answerTimes } }

    func giveBack() async -> [String] {
        let problems = await giveBoardsBack()
        await lent.giveBack()
        return problems
    }

    private func giveBoardsBack() async -> [String] { await HeldBench.giveBack(boards, relays, folder) }

    private static func giveBack(
        _ boards: [BenchBoard], _ relays: [String: AgentRelay], _ folder: RigFolder
    ) async -> [String] {
        let problems = await withTaskGroup(of: [String].self) { group in
            for board in boards { group.addTask { await board.giveBack() } }
            return await group.reduce([]) { $0 + $1 }
        }
        for relay in relays.values { relay.close() }
        folder.remove()
        return problems
    }
}

/// The line to a board that may be connected anew, for threads that must not wait.
private final class CurrentLine: Sendable {
    private let value = Mutex<BoardLine?>(nil)

    var line: BoardLine? {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}

import BoardProtocol
import HILAir
import HILTiming
import RigModel

extension RigProcess {
    /// How long no frame may pass between boards and radios before they count as idle.
    private static let idleTime = Duration.milliseconds(700)

    /// The path of the air's socket.
    var airSocket: String { "\(folder.path)/air.sock" }

    /// Prepares both boards for a scenario, saves them, and ends them.
    func takeSnapshot(of boards: [QEMUBoard], into snapshot: Snapshot) async throws {
        let air = try await AirClient.connect(to: airSocket)
        for board in boards { try await prepare(board, air: air) }
        try await pauseWhenIdle(boards, air: air)
        for board in boards {
            try await board.save(
                to: snapshot.state(of: board.role), by: "\(folder.path)/\(board.role.rawValue)/state.sock")
        }
        await air.close()
    }

    /// Powers a board's radios, and loads the programs that scenarios start into its memory.
    private func prepare(_ board: QEMUBoard, air: AirClient) async throws {
        for radio in AirRadio.allCases { try await air.attach(radio, of: board.role) }
        let agent = try await BoardClient.connect(
            to: "\(folder.path)/\(board.role.rawValue)/agent.sock", role: board.role)
        _ = try await agent.ask(.powerRadios)
        _ = try await agent.ask(.warmUp, within: .seconds(configuration.timeLimit))
        await agent.close()
    }

    /// Pauses both boards at a moment when no frame is in flight between them and their radios.
    ///
    /// A kernel that waited for an answer of its radio then would wait forever in every scenario, because the
    /// scenario's air does not know the question.
    private func pauseWhenIdle(_ boards: [QEMUBoard], air: AirClient) async throws {
        var before = try await frameCounts(air)
        for _ in 0..<40 {
            try await Task.sleep(for: RigProcess.idleTime)
            let now = try await frameCounts(air)
            defer { before = now }
            guard now == before else { continue }
            for board in boards { try await board.pause() }
            if try await frameCounts(air) == now { return }
            for board in boards { try await board.run() }
        }
        throw RigFailure(
            "taking the boards' snapshot", "their radios did not become idle",
            remedy: "the boards' logs are in \(configuration.evidence)")
    }

    /// The number of frames in each direction on each port.
    private func frameCounts(_ air: AirClient) async throws -> [[Int]] {
        try await air.status().links.map { [$0.framesFromBoard, $0.framesToBoard] }
    }
}

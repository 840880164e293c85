import Air
import BoardProtocol
import RigModel
import Timing

extension RigProcess {
    /// How long nothing may pass between boards and radios until they count as at rest.
    private static let rest = Duration.milliseconds(700)

    /// Where the air listens.
    var airSocket: String { "\(folder.path)/air.sock" }

    /// Brings both boards to where a scenario begins, and writes them down; that is their end.
    func takeSnapshot(of boards: [QEMUBoard], into snapshot: Snapshot) async throws {
        let air = try await AirClient.connect(to: airSocket)
        for board in boards { try await prepare(board, air: air) }
        try await stand(boards, air: air)
        for board in boards {
            try await board.save(
                to: snapshot.state(of: board.role), by: "\(folder.path)/\(board.role.rawValue)/state.sock")
        }
        await air.close()
    }

    /// Powers a board's radios, and has in memory what scenarios will start.
    private func prepare(_ board: QEMUBoard, air: AirClient) async throws {
        for radio in AirRadio.allCases { try await air.attach(radio, of: board.role) }
        let agent = try await BoardClient.connect(
            to: "\(folder.path)/\(board.role.rawValue)/agent.sock", role: board.role)
        _ = try await agent.ask(.powerRadios)
        _ = try await agent.ask(.warmUp, within: .seconds(configuration.timeLimit))
        await agent.close()
    }

    /// Has both boards stand still at a moment when nothing is on its way between them and their radios: what a kernel had
    /// asked of a radio then, it would wait for in every scenario, for the air of that knows nothing of it.
    private func stand(_ boards: [QEMUBoard], air: AirClient) async throws {
        var before = try await frameCounts(air)
        for _ in 0..<40 {
            try await Task.sleep(for: RigProcess.rest)
            let now = try await frameCounts(air)
            defer { before = now }
            guard now == before else { continue }
            for board in boards { try await board.pause() }
            if try await frameCounts(air) == now { return }
            for board in boards { try await board.run() }
        }
        throw RigFailure(
            "taking the boards' snapshot", "their radios did not come to rest",
            remedy: "the boards' logs are in \(configuration.evidence)")
    }

    /// How many frames went each way, on each port.
    private func frameCounts(_ air: AirClient) async throws -> [[Int]] {
        try await air.status().links.map { [$0.framesFromBoard, $0.framesToBoard] }
    }
}

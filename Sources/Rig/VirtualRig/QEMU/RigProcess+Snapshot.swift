import BoardProtocol
import HILAir
import HILTiming
import RigModel

extension RigProcess {
    /// How long boards and radios must exchange no frames to count as idle.
    private static let idleTime = Duration.milliseconds(700)

    /// The path of the air's socket.
    var airSocket: String { "\(folder.path)/air.sock" }

    /// Prepares both boards for a scenario, saves them, and ends them.
    ///
    /// - Parameter program: The program to start on the accessory board before; nil for none.
    func takeSnapshot(of boards: [QEMUBoard], with program: ProgramStart?, into snapshot: Snapshot) async throws {
        let air = try await AirClient.connect(to: airSocket)
        // Restored boards were prepared before they were saved.
        if configuration.parts.snapshot == nil {
            for board in boards { try await prepare(board, air: air) }
        }
        if let program {
            let agent = try await agent(of: .accessory)
            try await start(program, by: agent)
            try await pauseWhenIdle(boards, air: air) {
                try await agent.ask(within: .seconds(10)) { .program(.checkAhead($0)) }
            }
            await agent.close()
        } else {
            try await pauseWhenIdle(boards, air: air)
        }
        for board in boards {
            try await board.save(
                to: snapshot.state(of: board.role), by: "\(folder.path)/\(board.role.rawValue)/state.sock")
        }
        await air.close()
    }

    /// Powers a board's radios, and loads the programs that scenarios start into its memory.
    private func prepare(_ board: QEMUBoard, air: AirClient) async throws {
        try await air.ask { .attach(board.role, .wifi, $0) }
        // The phone has a Bluetooth controller of its own.
        if board.role == .accessory { try await air.ask { .attach(.accessory, .bluetooth, $0) } }
        let agent = try await agent(of: board.role)
        try await agent.ask { .system(.powerRadios($0)) }
        try await agent.ask(within: .seconds(configuration.timeLimit)) { .system(.warmUp($0)) }
        await agent.close()
    }

    private func agent(of role: BoardRole) async throws -> BoardClient {
        try await BoardClient.connect(to: "\(folder.path)/\(role.rawValue)/agent.sock", role: role)
    }

    /// Starts a program on the accessory board, and waits until it is ready.
    private func start(_ program: ProgramStart, by agent: BoardClient) async throws {
        try await RigFailure.doing("starting the program to save", on: "the accessory board") {
            if let payload = program.request.payload {
                guard try await agent.ask({ .program(.offerPayload(payload, $0)) }) == 0 else {
                    throw RigFailure("looking for the program's files", "they are not on its fourth disk")
                }
            }
            try await agent.ask(within: .milliseconds(program.milliseconds) + .seconds(60)) {
                .program(.startAhead(program, $0))
            }
        }
    }

    /// Pauses both boards at a moment when no frame is in flight between them and their radios.
    ///
    /// If a kernel were waiting for an answer of its radio, it would wait forever in every scenario, because the
    /// scenario's air does not know the question.
    ///
    /// - Parameter check: Called when the boards are idle; throws if they must not be saved.
    private func pauseWhenIdle(
        _ boards: [QEMUBoard], air: AirClient, check: () async throws -> Void = {}
    ) async throws {
        var before = try await frameCounts(air)
        for _ in 0..<40 {
            try await Task.sleep(for: RigProcess.idleTime)
            let now = try await frameCounts(air)
            defer { before = now }
            guard now == before else { continue }
            try await check()
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

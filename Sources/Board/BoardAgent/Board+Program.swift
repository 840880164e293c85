import BoardProtocol
import HILTiming
import RadioModel

/// The program of an accessory's maker, and the daemons that it runs in place of the board.
extension Board {
    package nonisolated func take(payload bytes: [UInt8]) { programs.payloads.take(bytes) }

    func performProgram(_ command: BoardCommand) async throws -> BoardResult {
        guard case .accessPoint = wifi else { throw RadioError.invalid("this is a host board: it runs no program") }
        switch command {
        case .endProgram(let sparesAhead):
            let isSpared = await programs.hasAhead && sparesAhead
            if !isSpared { try await endProgram() }
        case .offerPayload(let payload): return .number(try programs.payloads.offer(payload))
        case .startProgram(let request):
            if let run = await programs.takeOver(request) { return .number(run) }
            // It was started for another scenario.
            if await programs.hasAhead { try await endProgram() }
            return .number(try await start(request, isAhead: false))
        case .startProgramAhead(let program):
            _ = try await start(program.request, isAhead: true)
            try await withDeadline(.milliseconds(program.milliseconds), waitingFor: "the program \(program.readiness)")
            {
                try await self.wait(for: program.readiness)
            }
            try await programs.requireAhead()
        case .checkProgramAhead: try await programs.requireAhead()
        case .awaitProgram(let readiness, let milliseconds):
            do {
                try await withDeadline(.milliseconds(milliseconds), waitingFor: "the program \(readiness)") {
                    try await self.wait(for: readiness)
                }
                return .number(1)
            } catch is TimedOut { return .number(0) }
        case .sendToProgram(let bytes): try await programs.send(bytes)
        case .stopProgram(let grace): return .exit(try await programs.stop(grace: .milliseconds(grace)))
        case .fetchFile(let path): return .value(try await programs.fetch(path))
        case .runCommand(let command, let limit):
            return .command(try await programs.run(command, within: .milliseconds(limit)))
        default: throw RadioError.invalid("this agent does not know \(command.name)")
        }
        return .done
    }

    /// - Returns: The number of the run.
    private func start(_ request: ProgramRequest, isAhead: Bool) async throws -> Int {
        try await programs.requireIdle()
        try await hand(over: request.owns)
        return try await programs.start(request, isAhead: isAhead)
    }

    private func wait(for readiness: ProgramReadiness) async throws {
        switch readiness {
        case .started: break
        case .line(let text): try await programs.waitForLine(containing: text)
        case .advertisement: try await bluetooth.waitUntilAnyoneAdvertises()
        case .network(let ssid):
            if case .accessPoint(let accessPoint) = wifi { try await accessPoint.waitUntilAnyoneOpens(ssid) }
        case .socket(let port): try await ProgramHost.waitForListener(on: port)
        }
    }

    /// Ends the program and gives the board its daemons back.
    private func endProgram() async throws {
        await programs.end()
        try await hand(over: nil)
    }

    /// Stops the board's daemons that a program owns, and starts those that it does not own.
    ///
    /// - Parameter daemons: nil if there is no program: then the board uses its radios itself.
    private func hand(over daemons: Set<OwnedDaemon>?) async throws {
        let (before, after) = (owned, daemons ?? [])
        // Kept at once: what is half done is undone by the next call.
        owned = after
        if after.contains(.bluetoothd), !before.contains(.bluetoothd) {
            try await self.daemons.stopBluetooth()
            try await bluetooth.waitUntilDaemonIsGone()
        } else if before.contains(.bluetoothd), !after.contains(.bluetoothd) {
            try await self.daemons.startBluetooth()
        }
        await bluetooth.setAside(daemons != nil)
        guard case .accessPoint(let accessPoint) = wifi else { return }
        let (hadWiFi, hasWiFi) = (before.contains(where: \.usesWiFi), after.contains(where: \.usesWiFi))
        if hasWiFi, !hadWiFi { await accessPoint.giveUpRadio() }
        if hadWiFi, !hasWiFi { try await accessPoint.start() }
    }
}

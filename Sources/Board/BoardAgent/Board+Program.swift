import BoardProtocol
import HILPOSIX
import HILTiming
import RadioModel

/// The program of an accessory's maker, and the daemons that it runs instead of the board.
extension Board {
    package nonisolated func take(payload bytes: [UInt8]) { programs.payloads.take(bytes) }

    func perform(_ call: ProgramCall) async throws -> Answer {
        guard case .accessPoint = wifi else { throw RadioError.invalid("this is a host board: it runs no program") }
        switch call {
        case .end(let sparesAhead, let reply):
            let isSpared = await programs.hasAhead && sparesAhead
            if !isSpared { try await endProgram() }
            return reply()
        case .offerPayload(let payload, let reply): return reply(try programs.payloads.offer(payload))
        case .start(let request, .first, let reply): return reply(try await startOnFirst(request))
        case .start(let request, let adapter, let reply): return reply(try await start(request, on: adapter))
        case .startAhead(let program, let reply):
            try await startAhead(program)
            return reply()
        case .checkAhead(let reply):
            try await programs.requireAhead()
            return reply()
        case .awaitReadiness(let readiness, let milliseconds, let adapter, let reply):
            return reply(try await isReady(readiness, within: .milliseconds(milliseconds), on: adapter))
        case .send(let bytes, let adapter, let reply):
            try await host(of: adapter).send(bytes)
            return reply()
        case .stop(let grace, let adapter, let reply):
            return reply(try await host(of: adapter).stop(grace: .milliseconds(grace)))
        case .fetchFile(let path, let adapter, let reply): return reply(try await host(of: adapter).fetch(path))
        case .runCommand(let command, let limit, let adapter, let reply):
            return reply(try await host(of: adapter).run(command, within: .milliseconds(limit)))
        }
    }

    private func startOnFirst(_ request: ProgramRequest) async throws -> Int {
        if let run = await programs.takeOver(request) { return run }
        // It was started for another scenario.
        if await programs.hasAhead { try await endProgram() }
        return try await start(request, isAhead: false)
    }

    private func startAhead(_ program: ProgramStart) async throws {
        _ = try await start(program.request, isAhead: true)
        try await withDeadline(.milliseconds(program.milliseconds), waitingFor: "the program \(program.readiness)") {
            try await self.wait(for: program.readiness, on: .first)
        }
        try await programs.requireAhead()
    }

    private func isReady(
        _ readiness: ProgramReadiness, within limit: Duration, on adapter: AdapterID
    ) async throws -> Bool {
        do {
            try await withDeadline(limit, waitingFor: "the program \(readiness)") {
                try await self.wait(for: readiness, on: adapter)
            }
            return true
        } catch is TimedOut { return false }
    }

    /// - Returns: The number of the run.
    private func start(_ request: ProgramRequest, isAhead: Bool) async throws -> Int {
        try await programs.requireIdle()
        try await hand(over: request.owns)
        return try await programs.start(request, isAhead: isAhead)
    }

    /// Starts a program in the compartment of a further adapter.
    private func start(_ request: ProgramRequest, on adapter: AdapterID) async throws -> Int {
        let host = try host(of: adapter)
        try await host.requireIdle()
        if let daemon = request.owns.first(where: { $0 != .bluetoothd }) {
            throw RadioError.unsupported(
                "a program on adapter \(adapter) cannot run \(daemon.rawValue): the board's Wi-Fi radio belongs to "
                    + "adapter 0")
        }
        if let compartment = compartments[adapter] {
            if request.owns.contains(.bluetoothd) {
                await compartment.stopBluetooth()
            } else {
                try await compartment.startBluetooth()
            }
        }
        await (try board(of: adapter)).setAside(true)
        return try await host.start(request)
    }

    private func wait(for readiness: ProgramReadiness, on adapter: AdapterID) async throws {
        switch readiness {
        case .started: break
        case .line(let text): try await host(of: adapter).waitForLine(containing: text)
        case .advertisement:
            let own = compartments[adapter]?.controller
            let others = Set(compartments.values.map(\.controller))
            try await accessoryBluetooth().waitUntilAnyoneAdvertises { own == nil ? !others.contains($0) : $0 == own }
        case .network(let ssid):
            if case .accessPoint(let accessPoint) = wifi { try await accessPoint.waitUntilAnyoneOpens(ssid) }
        case .socket(let port): try await ProgramHost.waitForListener(on: port)
        }
    }

    /// Ends the programs and gives the board its daemons back.
    private func endProgram() async throws {
        for compartment in compartments.values { await compartment.programs.end() }
        await programs.end()
        try await hand(over: nil)
    }

    /// Stops the board's daemons that a program owns, and starts those that it does not own.
    ///
    /// - Parameter daemons: Nil without a program: then the board uses its radios itself.
    private func hand(over daemons: Set<OwnedDaemon>?) async throws {
        let (before, after) = (owned, daemons ?? [])
        let bluetooth = try accessoryBluetooth()
        // Stored at once: the next call undoes an incomplete change.
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
        if hadWiFi, !hasWiFi { await accessPoint.takeRadio() }
    }
}

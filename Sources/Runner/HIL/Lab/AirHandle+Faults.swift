import BoardProtocol
import HILRecord
import RadioModel
import RigModel

extension AirHandle {
    /// Runs `body` while a fault is armed in the air, and records whether the fault fired.
    ///
    /// The fault is armed before `body` begins and fires at most `count` times. It is disarmed after `body`, even if
    /// `body` throws. If it fired fewer than `count` times, the scenario has failed. A radio that the fault unplugged
    /// is then plugged in again and powered.
    ///
    /// - Parameters:
    ///   - fault: What goes wrong, and at which packets.
    ///   - count: How often it must fire.
    /// - Throws: The error of `body`; `RigFailure` or `RadioError.rig` if the air refuses the fault,
    ///   or if an unplugged radio does not come back; `RigLacks` if this rig cannot make the fault happen.
    @discardableResult
    public func withFault<Value>(
        _ fault: AirFault, firing count: Int = 1, isolation: isolated (any Actor)? = #isolation,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let location = SourceLocation(file: fileID, path: filePath, line: line)
        let (air, number) = try await recorder.call(at: location) {
            let air = try rig.facet(rig.air, .air, recorder)
            if case .unplugged = fault.effect { _ = try rig.facet(rig.adapters, .adapters, recorder) }
            return (air, try await air.arm(fault, firings: count))
        }
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        // A separate task, because the scenario may have been cancelled.
        let end = Task { try await self.end(fault, air.disarm(number), firing: count, at: location) }
        do { try await end.value } catch {
            // An error of the body says more than this one.
            if case .success = result { throw error }
        }
        return try result.get()
    }

    /// Runs `act` as soon as a packet passes: `lab.air.when(.smp(.dhKeyCheck)) { … } during: { … }`.
    ///
    /// - Parameters:
    ///   - traffic: The packet. The first one that passes while `body` runs counts. If none does, the scenario has
    ///     failed.
    ///   - hold: How long the packet waits in the air, so that `act` takes effect before the packet does; nil for no
    ///     wait.
    ///   - act: Runs at that moment, beside `body`.
    /// - Returns: The value of `body`, after both have ended, and after the packet's wait: it would disturb what comes next.
    /// - Throws: The error of `body`, or else that of `act`; for the rig the same errors as
    ///   ``withFault(_:firing:isolation:fileID:filePath:line:_:)``.
    @discardableResult
    public func when<Value>(
        _ traffic: Traffic, holding hold: Duration? = nil, do act: @escaping @Sendable () async throws -> Void,
        isolation: isolated (any Actor)? = #isolation, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, during body: () async throws -> Value
    ) async throws -> Value {
        let fault = hold.map { AirFault.delayed(traffic, by: $0) } ?? .noticed(traffic)
        let events = rig.events
        let place = events.count
        return try await withFault(fault, fileID: fileID, filePath: filePath, line: line) {
            let (started, start) = AsyncStream<Void>.makeStream()
            let watch = Task {
                _ = try await events.first(from: place) {
                    if case .fired("\(fault)", _, _, _) = $0 { true } else { false }
                }
                start.yield()
                start.finish()
                return ContinuousClock.now
            }
            let acting = Task {
                for await _ in started { try await act() }
            }
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            watch.cancel()
            let fired = try? await watch.value
            start.finish()
            let acted = await acting.result
            if let hold, let fired { try? await ContinuousClock().sleep(until: fired + hold) }
            let value = try result.get()
            try acted.get()
            return value
        }
    }

    private func end(
        _ fault: AirFault, _ fired: Int, firing count: Int, at location: SourceLocation
    ) async throws {
        // The fault fires when phone and accessory do what it waits for, so the scenario expects that of them.
        let expected = "the fault “\(fault)” fires \(count == 1 ? "once" : "\(count) times")"
        recorder.record(.expectation(text: expected, held: fired >= count, at: location))
        if fired < count {
            let text = "the fault “\(fault)” fired \(fired) times, not \(count): what it waits for did not happen"
            recorder.record(.failure(Failure(.product, text, at: location)))
        }
        guard case .unplugged(let radio, let board, let adapter) = fault.effect, fired > 0 else { return }
        try await RigFailure.doing("plugging the \(radio) radio in again", on: "the \(board.rawValue) board") {
            try await rig.plugIn(radio, of: board, adapter: adapter, recorder)
        }
    }

    /// Moves the boards apart or together along a path, and returns at its end. Between two waypoints they move evenly.
    ///
    /// - Throws: `RadioError.rig` if the path is not valid, or if something else sets the distance
    ///   meanwhile; `RigLacks` if this rig cannot set the distance.
    public func move(
        along path: [AirWaypoint], fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            try await rig.facet(rig.distance, .distance, recorder).walk(along: path)
        }
    }

    /// Adds a station without a board to the air. It replaces a station with the same address.
    ///
    /// - Throws: `RigLacks` if this rig has no such air; `RadioError.rig` if the air refuses the
    ///   station.
    public func add(
        _ station: AirStation, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            let air = try rig.facet(rig.air, .air, recorder)
            recorder.record(.onAir(station.address, "a neighbour on the air that the scenario added"))
            neighbours.withLock { _ = $0.insert(station.address) }
            try await air.add(station)
        }
    }

    /// Removes the station with this address from the air.
    ///
    /// - Throws: The same errors as ``add(_:fileID:filePath:line:)``.
    public func remove(
        _ address: DeviceAddress, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            try await rig.facet(rig.air, .air, recorder).remove(address)
            neighbours.withLock { _ = $0.remove(address) }
        }
    }
}

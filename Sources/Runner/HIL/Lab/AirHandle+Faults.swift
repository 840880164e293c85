import BoardProtocol
import RadioModel
import RigModel

extension AirHandle {
    /// Does something while the air misbehaves.
    ///
    /// The fault is armed in the air before `body` begins, fires at most `count` times, and is disarmed on every way out: by
    /// then it must have fired `count` times, or the scenario has failed. A radio that it unplugged is plugged in again and
    /// powered.
    ///
    /// - Parameters:
    ///   - fault: What goes wrong, and at which packets.
    ///   - count: How often it is to go wrong.
    /// - Throws: What `body` throws; ``RigFailure`` or ``RadioModel/RadioError/rig(_:)`` when the air refuses the fault, or what
    ///   it unplugged does not come back; ``RigLacks`` where the rig has no such air.
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
        // On its own, for the scenario may have been cancelled.
        // What had no time to happen could set off no fault.
        let basis: Failure.Basis = if case .failure(let error) = result { Failure.Basis(of: error) } else { .fact }
        let end = Task { try await self.end(fault, air.disarm(number), firing: count, basis, at: location) }
        do { try await end.value } catch {
            // What the body threw says more.
            if case .success = result { throw error }
        }
        return try result.get()
    }

    /// Does something at the very moment when a packet passes: `lab.air.when(.smp(.dhKeyCheck)) { … } during: { … }`.
    ///
    /// - Parameters:
    ///   - traffic: The first packet of this kind that passes while `body` runs. If none does, the scenario has failed.
    ///   - act: What is done then, beside `body`.
    /// - Returns: What `body` gives, once both are through.
    /// - Throws: What `body` throws, or else what `act` throws; a fault of the rig as ``withFault(_:firing:isolation:fileID:filePath:line:_:)``.
    @discardableResult
    public func when<Value>(
        _ traffic: Traffic, do act: @escaping @Sendable () async throws -> Void,
        isolation: isolated (any Actor)? = #isolation, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, during body: () async throws -> Value
    ) async throws -> Value {
        let fault = AirFault.noticed(traffic)
        let events = rig.events
        let place = events.count
        return try await withFault(fault, fileID: fileID, filePath: filePath, line: line) {
            let (started, start) = AsyncStream<Void>.makeStream()
            let watch = Task {
                _ = try await events.first(from: place, within: .seconds(86_400), waitingFor: "\(traffic)") {
                    if case .fired("\(fault)", _, _, _) = $0 { true } else { false }
                }
                start.yield()
                start.finish()
            }
            let acting = Task {
                for await _ in started { try await act() }
            }
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            watch.cancel()
            _ = await watch.result
            start.finish()
            let acted = await acting.result
            let value = try result.get()
            try acted.get()
            return value
        }
    }

    private func end(
        _ fault: AirFault, _ fired: Int, firing count: Int, _ basis: Failure.Basis, at location: SourceLocation
    ) async throws {
        // It is something that the scenario expects of phone and accessory: that they do what it waits for.
        let expected = "the fault “\(fault)” fires \(count == 1 ? "once" : "\(count) times")"
        recorder.record(.expectation(text: expected, held: fired >= count, at: location))
        if fired < count {
            let text = "the fault “\(fault)” fired \(fired) times, not \(count): what it waits for did not happen"
            recorder.record(.failure(Failure(.product, text, at: location, basis: basis)))
        }
        guard case .unplugged(let radio, let board, let adapter) = fault.effect, fired > 0 else { return }
        try await RigFailure.doing("plugging the \(radio) radio in again", on: "the \(board.rawValue) board") {
            try await rig.plugIn(radio, of: board, adapter: adapter, recorder)
        }
    }

    /// Walks: the boards are at each place at its time, and in between on the way. Returns at the end of the path.
    ///
    /// - Throws: ``RadioModel/RadioError/rig(_:)`` when this is no path, or the boards are put elsewhere meanwhile.
    public func move(
        along path: [AirWaypoint], fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            try await rig.facet(rig.distance, .distance, recorder).walk(along: path)
        }
    }

    /// Puts a station on the air that has no board, in place of one with its address.
    public func add(
        _ station: AirStation, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            let air = try rig.facet(rig.air, .air, recorder)
            recorder.record(.onAir(station.address, "a neighbour on the air that the scenario added"))
            try await air.add(station)
        }
    }

    /// Takes a station off the air.
    public func remove(
        _ address: DeviceAddress, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            try await rig.facet(rig.air, .air, recorder).remove(address)
        }
    }
}

import HILRecord
import HILTiming
import Synchronization

/// Where in its source the scenario is, and where its errors come from.
extension ScenarioRecorder {
    /// Runs a call of the lab. If its error ends the scenario, the failure is at the line of the call.
    func call<Value>(
        at location: SourceLocation, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        recordCallSite(at: location)
        do { return try await body() } catch {
            noteThrown(error, at: location)
            throw error
        }
    }

    /// The recorder of the scenario whose body runs; nil elsewhere.
    @TaskLocal static var current: ScenarioRecorder?

    /// The same for methods that have no lab, such as those of the phone.
    static func call<Value>(
        at location: SourceLocation, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        guard let current else { return try await body() }
        return try await current.call(at: location, body)
    }

    /// Runs the body of a scenario: its calls know this recorder, and its waits are recorded.
    func recording<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        try await ScenarioRecorder.$current.withValue(self) {
            try await SharedDeadline.$onWait.withValue({ self.beginWait($0) }) { try await body() }
        }
    }

    /// Remembers the line that the scenario has reached, for an error without a line.
    func recordCallSite(at location: SourceLocation) {
        state.withLock { state in
            state.lastThrown = nil
            state.lastCall = location
        }
    }

    /// The line of the last call of the lab; nil before the first.
    var lastCall: SourceLocation? { state.withLock { $0.lastCall } }

    /// Remembers where an error came from, in case it ends the scenario.
    func noteThrown(_ error: any Error, at location: SourceLocation) {
        let text = String(reflecting: error)
        state.withLock { state in
            // An outer step rethrows the error of an inner one; the inner line says more.
            if state.lastThrown?.error != text { state.lastThrown = (text, location) }
        }
    }

    /// The line of the step or the call that threw this error last; nil if none did.
    func origin(of error: any Error) -> SourceLocation? {
        let text = String(reflecting: error)
        return state.withLock { $0.lastThrown?.error == text ? $0.lastThrown?.location : nil }
    }
}

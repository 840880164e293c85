import HILRecord
import HILTiming

/// A step took longer than its budget. The failure is recorded already, so catching this error changes nothing.
public struct StepOverran: Error, Sendable, Equatable, CustomStringConvertible {
    /// The step's name.
    package let step: String
    package let budget: Duration
    /// What the step was waiting for: `the lamp to be bonded`. Empty if it was not waiting.
    package let awaited: [String]

    package init(step: String, budget: Duration, awaited: [String] = []) {
        self.step = step
        self.budget = budget
        self.awaited = awaited
    }

    public var description: String {
        let wait = awaited.isEmpty ? "" : ", waiting for " + awaited.joined(separator: ", and for ")
        return "“\(step)” missed its budget of \(budget.short)\(wait)"
    }
}

extension Lab {
    /// Runs a part of the scenario as a step, with a name and its own budget of time.
    ///
    /// A wait inside the step needs no limit: it shares the step's time limit. A step that is still running when its
    /// budget is over has failed. It is cancelled but not waited for. The error says what it was waiting for, and ends
    /// the scenario unless it is caught.
    ///
    /// - Parameters:
    ///   - name: A word or two: `join`.
    ///   - budget: How long the step may take; 30 s by default.
    /// - Returns: The value of `body`.
    /// - Throws: The error of `body`, or ``StepOverran``.
    @discardableResult
    public func step<Value>(
        _ name: String, within budget: Duration = .seconds(30), fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, _ body: @escaping @MainActor () async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let location = SourceLocation(file: fileID, path: filePath, line: line)
        let budget = budget + patience
        let token = recorder.beginStep(name, budget: budget, at: location)
        let race = Race<Value>()
        let deadline = SharedDeadline(after: budget)
        let work = SharedDeadline.$current.withValue(deadline) {
            Task { @MainActor in
                do { race.finish(.success(try await body())) } catch { race.finish(.failure(error)) }
            }
        }
        let timer = Task { @MainActor [clock = SharedDeadline.pausingClock ?? clock] in
            try await clock.sleep(for: budget)
            race.overrun(StepOverran(step: name, budget: budget, awaited: deadline.awaited))
        }
        defer {
            work.cancel()
            timer.cancel()
            deadline.pass()
        }
        switch await withTaskCancellationHandler(operation: { await race.outcome() }, onCancel: { work.cancel() }) {
        case .success(let value):
            recorder.endStep(token, outcome: .done)
            return value
        case .failure(let error):
            recorder.endStep(token, outcome: race.isOverrun ? .overran : .threw)
            if race.isOverrun { recorder.record(.failure(Failure(error, at: location))) }
            recorder.noteThrown(error, at: location)
            throw error
        }
    }
}

/// The outcome of a step: its body and its timer race, and the first one counts.
@MainActor
private final class Race<Value> {
    private var first: Result<Value, any Error>?
    private var waiter: CheckedContinuation<Void, Never>?
    /// Whether the budget was over before the body ended.
    private(set) var isOverrun = false

    func overrun(_ error: StepOverran) {
        isOverrun = first == nil
        finish(.failure(error))
    }

    func finish(_ result: Result<Value, any Error>) {
        guard first == nil else { return }
        first = result
        waiter?.resume()
        waiter = nil
    }

    func outcome() async -> Result<Value, any Error> {
        if first == nil { await withCheckedContinuation { waiter = $0 } }
        return first!  // `finish` sets it before it resumes.
    }
}

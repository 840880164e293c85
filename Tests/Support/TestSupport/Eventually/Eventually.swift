import HILTiming

/// Checks a condition again and again, and returns when it holds. Use it only if no event tells of the change.
///
/// - Parameters:
///   - what: What is awaited, as a noun phrase for the error: `the adapter to be powered`.
///   - limit: How long to wait, by the wall clock, because the condition does not depend on a clock of the test. It is
///     long by default, because all tests run at once, on machines that may be busy.
///   - holds: Whether the condition holds now. It may also advance a manual clock.
/// - Throws: `TimedOut`, or `CancellationError` if the time limit of the test is over.
public func eventually(
    _ what: String, within limit: Duration = .seconds(300), isolation: isolated (any Actor)? = #isolation,
    _ holds: () throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try !holds() {
        guard ContinuousClock.now < deadline else { throw TimedOut(waitingFor: what, limit: limit) }
        try Task.checkCancellation()
        await Task.yield()
    }
}

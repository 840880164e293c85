import Timing

/// Returns as soon as something holds of which no event tells; looks at it again and again until then.
///
/// - Parameters:
///   - what: What is to hold, as a noun phrase for the error: `the adapter to be powered`.
///   - limit: By the wall clock, because what is looked at goes by no clock of the test's. Long by default: all tests
///     run at once, on machines that may be busy.
///   - holds: Looks. It may also move a manual clock on.
/// - Throws: `TimedOut`, or `CancellationError` where the test's own time is over.
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

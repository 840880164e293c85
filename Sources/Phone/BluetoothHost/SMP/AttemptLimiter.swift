/// Makes a peer wait after a failed pairing, longer each time, so that it cannot try passkeys one after the other.
///
/// The owner keeps one for each peer, across links.
/// Source: Core Specification 6.0, Vol 3, Part H, 2.3.6.
package struct AttemptLimiter: Sendable, Hashable {
    /// How long a peer waits. The values are assumed; the specification names none.
    package struct Limits: Sendable, Hashable, Codable {
        /// The wait after the first failure.
        package var first = Duration.seconds(1)
        /// The longest wait.
        package var longest = Duration.seconds(64)
        /// After so long without a failure the wait is halved.
        package var recovery = Duration.seconds(120)
        /// The failures that count: those in which a peer may have tried a secret.
        package var counted: Set<PairingFailure> = [.confirmValueFailed, .dhKeyCheckFailed]

        package init() {}
    }

    package let limits: Limits
    /// The wait after the last failure; zero if nothing has failed for long.
    package private(set) var wait = Duration.zero
    /// When the last failure was, or the last halving since.
    private var changed = Duration.zero
    /// When the peer may try again.
    private var release = Duration.zero

    package init(_ limits: Limits = Limits()) { self.limits = limits }

    /// Notes the end of a pairing.
    package mutating func note(_ end: PairingEnd, at now: Duration) {
        guard case .refused(let reason) = end.cause, limits.counted.contains(reason) else { return }
        recover(to: now)
        wait = min(max(wait * 2, limits.first), limits.longest)
        changed = now
        release = now + wait
    }

    /// Whether the peer must still wait.
    package func isWaiting(at now: Duration) -> Bool { now < release }

    private mutating func recover(to now: Duration) {
        while wait > .zero && now - changed >= limits.recovery {
            wait = wait / 2 < limits.first ? .zero : wait / 2
            changed += limits.recovery
        }
    }
}

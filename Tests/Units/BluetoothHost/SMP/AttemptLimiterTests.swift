import Testing

@testable import HILBluetoothHost

@Suite("Waits after failed pairings")
struct AttemptLimiterTests {
    private let failure = PairingEnd(.refused(.confirmValueFailed), by: .local, while: .random)

    @Test("The wait doubles with each failure, up to the longest")
    func doubles() {
        var limiter = AttemptLimiter()
        var now = Duration.seconds(10)
        var waits: [Duration] = []
        for _ in 0..<9 {
            limiter.note(failure, at: now)
            waits.append(limiter.wait)
            #expect(limiter.isWaiting(at: now))
            #expect(limiter.isWaiting(at: now + limiter.wait - .nanoseconds(1)))
            #expect(!limiter.isWaiting(at: now + limiter.wait))
            now += limiter.wait
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 64, 64, 64].map { .seconds($0) })
    }

    @Test("The wait shrinks while nothing fails")
    func shrinks() {
        var limiter = AttemptLimiter()
        for second in 0..<4 { limiter.note(failure, at: .seconds(second)) }
        #expect(limiter.wait == .seconds(8))
        limiter.note(failure, at: .seconds(3 + 120))
        #expect(limiter.wait == .seconds(8))
        limiter.note(failure, at: .seconds(123 + 239))
        #expect(limiter.wait == .seconds(8))
        limiter.note(failure, at: .seconds(1_000_000_000))
        #expect(limiter.wait == .seconds(1))
    }

    @Test("Only failures in which a secret may have been tried count")
    func counted() {
        var limiter = AttemptLimiter()
        for cause in [
            PairingEnd.Cause.timeout, .linkLost, .cancelled, .refused(.pairingNotSupported),
            .encryptionFailed(status: 6),
        ] {
            limiter.note(PairingEnd(cause, by: .peer, while: .random), at: .seconds(1))
        }
        #expect(!limiter.isWaiting(at: .seconds(1)))
        limiter.note(PairingEnd(.refused(.dhKeyCheckFailed), by: .peer, while: .check), at: .seconds(1))
        #expect(limiter.isWaiting(at: .seconds(1)))
    }

    @Test("Without a recovery time the wait starts anew each time")
    func noRecovery() {
        var limits = AttemptLimiter.Limits()
        limits.recovery = .zero
        var limiter = AttemptLimiter(limits)
        for second in 0..<5 { limiter.note(failure, at: .seconds(second)) }
        #expect(limiter.wait == .seconds(1))
    }
}

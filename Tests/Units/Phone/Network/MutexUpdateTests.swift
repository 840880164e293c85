import Synchronization
import Testing

@testable import Network

@Suite("Changing what a lock protects")
struct MutexUpdateTests {
    struct Held: Sendable {
        var handler: (@Sendable () -> Void)?
        var releases = 0
    }

    final class Shared: Sendable { let state = Mutex(Held()) }

    /// Comes back to the lock when it is released, as a connection does that its own handler holds.
    final class Returning: Sendable {
        let shared: Shared
        init(_ shared: Shared) { self.shared = shared }
        deinit { shared.state.withLock { $0.releases += 1 } }
    }

    @Test("What was held before is released after the lock")
    func released() {
        let shared = Shared()
        shared.state.update { [object = Returning(shared)] in $0.handler = { _ = object } }
        shared.state.update { $0.handler = nil }
        #expect(shared.state.withLock { $0.releases } == 1)
    }
}

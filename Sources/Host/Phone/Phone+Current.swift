import Dispatch
import Foundation
import Synchronization

extension Phone {
    @TaskLocal private static var bound: Phone?
    /// Whether the running code was called by a framework, and by nobody's hand.
    @TaskLocal static var isCallingApp = false
    /// The authorisation of the accessory that the running extension was launched for, ``AccessoryRecord/id``; nil in the app.
    @TaskLocal static var hostedAccessory: UUID?
    private static let processWide = Mutex<Phone?>(nil)

    /// The phone that the running code is on: the task's own, else the process's.
    ///
    /// One process runs one scenario, so there the process has one phone; unit tests bind theirs to the task.
    public static var current: Phone {
        guard let phone = bound ?? processWide.withLock({ $0 }) else {
            AppCrash.crash("hil", "an Apple framework was used with no phone switched on: launch the app on a phone")
        }
        return phone
    }

    /// Makes this the phone of the whole process.
    public func becomeCurrent() { Phone.processWide.withLock { $0 = self } }

    /// Runs `body` on this phone.
    public func asCurrent<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await Phone.$bound.withValue(self, operation: body, isolation: isolation)
    }

    /// Runs `body` on this phone.
    public func asCurrent<Value>(_ body: () throws -> Value) rethrows -> Value {
        try Phone.$bound.withValue(self, operation: body)
    }

    /// Calls into the app on the queue that it asked for, unless it has ended; ``current`` is this phone meanwhile.
    ///
    /// Calls for one queue arrive in the order of these calls if the queue is serial.
    ///
    /// - Parameter accessory: The one whose extension is called, ``AccessoryRecord/id``; nil calls the app itself.
    public func deliver(
        to app: RunningApp, on queue: DispatchQueue, hostedFor accessory: UUID? = nil,
        _ body: @escaping @Sendable () -> Void
    ) {
        queue.async {
            guard app.isRunning else { return }
            Phone.$isCallingApp.withValue(true) {
                Phone.$hostedAccessory.withValue(accessory) { self.asCurrent(body) }
            }
        }
    }
}

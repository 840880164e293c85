import Dispatch
import Foundation
import Synchronization

extension Phone {
    @TaskLocal private static var bound: Phone?
    /// Whether a framework called the running code, and not a scenario or a test.
    @TaskLocal static var isCallingApp = false
    /// The extension whose code runs; nil in the app itself.
    @TaskLocal static var host: ExtensionRun?
    /// The extension whose code runs, for frameworks that call it later; nil in the app itself.
    package static var hostOfCaller: ExtensionRun? { host }
    private static let processWide = Mutex<Phone?>(nil)

    /// The phone that the running code runs on: the task's phone if it has one, otherwise the phone of the process.
    ///
    /// A process that runs a scenario has one phone. Unit tests bind a phone to the task.
    package static var current: Phone {
        guard let phone = currentIfAny else {
            AppCrash.crash("hil", "an Apple framework was used with no phone switched on: launch the app on a phone")
        }
        return phone
    }

    /// The ``current`` phone; nil without one.
    package static var currentIfAny: Phone? { bound ?? processWide.withLock { $0 } }

    /// Makes this phone the ``current`` one of the whole process.
    package func becomeCurrent() { Phone.processWide.withLock { $0 = self } }

    /// Runs `body` with this phone as ``current``.
    package func asCurrent<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await Phone.$bound.withValue(self, operation: body, isolation: isolation)
    }

    /// Runs `body` with this phone as ``current``.
    package func asCurrent<Value>(_ body: () throws -> Value) rethrows -> Value {
        try Phone.$bound.withValue(self, operation: body)
    }

    /// Calls into the app on the queue that the app asked for, with this phone as ``current``. Does nothing if the app
    /// ended.
    ///
    /// On a serial queue, the bodies run in the order of these calls.
    ///
    /// For an app that is suspended, this waits until it is awake.
    ///
    /// - Parameters:
    ///   - host: The extension that is called, unless its process has ended; nil for the app itself.
    ///   - wakes: Whether this wakes an app that is suspended.
    package func deliver(
        to app: RunningApp, on queue: DispatchQueue, hostedBy host: ExtensionRun? = nil, wakes: Bool = false,
        _ body: @escaping @Sendable () -> Void
    ) {
        let call: @Sendable () -> Void = {
            queue.async {
                guard app.isRunning, host?.isRunning ?? true else { return }
                Phone.$isCallingApp.withValue(true) {
                    Phone.$host.withValue(host) { self.asCurrent(body) }
                }
            }
        }
        // An extension has its own life.
        guard host == nil else { return call() }
        app.whenAwake(call)
        // Later: the caller may hold a lock that the waiting calls need.
        if wakes, app.isSuspended { Task { self.wakeInBackground(app) } }
    }
}

import Foundation
import HILFoundation

/// The main thread of a program whose scenarios run apps.
package enum MainThread {
    /// Runs the body on the main actor, and the main run loop for it and for the app.
    ///
    /// On an iPhone the main queue, the main actor and the main run loop are one thread. On Linux an asynchronous main
    /// function gives that thread up (<https://github.com/swiftlang/swift/issues/90851>): `Thread.isMainThread` is
    /// false from then on, and no timer of the main run loop fires.
    ///
    /// Ends the program if this is not the main thread.
    package static func run(_ body: @escaping @MainActor @Sendable () async -> Never) -> Never {
        guard Thread.isMainThread else {
            let message =
                "the main thread is gone: an asynchronous main function has waited for something before it called "
                + "Command.main; write `static func main() { Command.main(of: allScenarios) }`\n"
            FileHandle.standardError.write(Data(message.utf8))
            exit(64)
        }
        // An app that runs the loop itself, up to a date, waits until then: on an iPhone, UIKit listens on this loop.
        // Without anything to listen to, Foundation returns at once, and the app turns the processor hot.
        let listener = LoopListener(on: .main, .common)
        Task { @MainActor in await body() }
        while true { withExtendedLifetime(listener) { RunLoop.main.run() } }
    }
}

import Foundation
import Synchronization

/// One run of an extension, from the launch of its process to the process's end.
///
/// On iOS the end of a process ends all of its code. Here the code is part of the app's process, so that it cannot be
/// stopped: instead, whatever the run had of the phone no longer works, and the run hears nothing more.
package final class ExtensionRun: Sendable {
    private struct State {
        var isRunning = true
        var watches: [Int: @Sendable () -> Void] = [:]
        var lastWatch = 0
        var wasUsedAfterEnd = false
    }

    /// The ``AccessoryRecord/id`` of the accessory that it was launched for.
    package let accessory: UUID
    /// Which extension it is.
    package let which: ForwardingExtension
    private weak let supervisor: ExtensionSupervisor?
    private let state = Mutex(State())

    init(_ which: ForwardingExtension, for accessory: UUID, supervisor: ExtensionSupervisor?) {
        self.which = which
        self.accessory = accessory
        self.supervisor = supervisor
    }

    /// False once its process has ended.
    package var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Calls `body` when the process ends, on any thread; at once if it has ended.
    ///
    /// - Returns: An object to keep: `body` is not called once it is released.
    package func whenEnded(_ body: @escaping @Sendable () -> Void) -> LinkWatch {
        let number: Int? = state.withLock { state in
            guard state.isRunning else { return nil }
            state.lastWatch += 1
            state.watches[state.lastWatch] = body
            return state.lastWatch
        }
        guard let number else {
            body()
            return LinkWatch {}
        }
        return LinkWatch { [weak self] in self?.state.withLock { _ = $0.watches.removeValue(forKey: number) } }
    }

    /// Notes that it has reached a moment, at which a scenario may have asked for its end.
    package func reached(_ moment: ExtensionMoment) { supervisor?.reached(moment, by: self) }

    /// Ends the process at its memory limit if it has to hold more bytes than that.
    func holds(_ byteCount: Int, limit: Int) {
        if byteCount > limit { supervisor?.end(self, because: .memoryLimit, "\(byteCount) bytes at once") }
    }

    /// Notes that its code still used the phone after the process's end.
    ///
    /// - Returns: Whether this is the first time.
    func noteUseAfterEnd() -> Bool {
        state.withLock { state in
            defer { state.wasUsedAfterEnd = true }
            return !state.wasUsedAfterEnd
        }
    }

    /// Ends the process. Returns false if it has ended before.
    func end() -> Bool {
        let watches: [@Sendable () -> Void]? = state.withLock { state in
            guard state.isRunning else { return nil }
            state.isRunning = false
            defer { state.watches = [:] }
            return state.watches.sorted { $0.key < $1.key }.map(\.value)
        }
        for watch in watches ?? [] { watch() }
        return watches != nil
    }
}

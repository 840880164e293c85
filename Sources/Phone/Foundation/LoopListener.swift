import Foundation

/// Something that a run loop listens to until this is released, so that the loop waits instead of ending at once.
/// Source: Foundation, RunLoop, `run(mode:before:)`: a loop without sources and timers returns immediately.
package final class LoopListener {
    private let nothing = Timer(fire: .distantFuture, interval: .greatestFiniteMagnitude, repeats: true) { _ in }

    /// Listens on a loop in a mode. Any thread may call this.
    package init(on loop: RunLoop, _ mode: RunLoop.Mode) { loop.add(nothing, forMode: mode) }

    deinit { nothing.invalidate() }
}

extension RunLoop {
    /// Runs the body on the loop's thread as soon as the loop runs in the mode. Any thread may call this.
    ///
    /// `perform(inModes:block:)` alone does not wake a waiting loop on Linux.
    package func call(in mode: RunLoop.Mode, _ body: @escaping @Sendable () -> Void) {
        perform(inModes: [mode], block: body)
        add(Timer(fire: Date(), interval: 0, repeats: false) { _ in }, forMode: mode)
    }
}

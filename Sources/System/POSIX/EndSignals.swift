import Glibc

/// Calls a function when one of these signals comes, once, on a thread of its own, in place of what they do by default.
///
/// Call it before any other thread is made: threads that exist already would still be ended by the signals.
package func onSignal(_ numbers: [Int32], _ handle: @escaping @Sendable () -> Void) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    startThread(named: "signals") { [signals] in
        var signals = signals
        var number: Int32 = 0
        sigwait(&signals, &number)
        handle()
    }
}

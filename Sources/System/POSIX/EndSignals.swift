import Glibc

/// Calls a function once, on a separate thread, when one of these signals comes. It replaces the default action.
///
/// Call it before any other thread is made: in existing threads, the signals would keep their default action.
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

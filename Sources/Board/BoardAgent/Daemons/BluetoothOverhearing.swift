import BoardProtocol
import HILDBus
import HILTiming
import Synchronization

/// Overhears what an accessory's programs answer to bluetoothd, so that its crash can be traced to an answer.
final class BluetoothOverhearing: Sendable {
    private let connection: BusConnection
    private let answers = Mutex(LateAnswers())
    private static let start = ContinuousClock.now
    private static var now: Duration { ContinuousClock.now - start }

    /// Begins to listen on the system bus.
    ///
    /// - Throws: The error of the bus, which may not let this process listen.
    init() async throws(BusError) {
        connection = try .system()
        try await connection.monitor(LateAnswers.rules) { [weak self] message in
            self?.answers.withLock { $0.take(message, at: Self.now) }
        }
    }

    /// The answer that may have ended bluetoothd just now; nil if there was none.
    var latest: LateAnswer? { answers.withLock { $0.latest(at: Self.now) } }

    deinit { connection.close() }
}

import BoardProtocol
import HostRadio
import RadioModel
import Synchronization

/// Shares the radio's LE discovery between several users: it runs while at least one user wants it and Bluetooth is on.
///
/// Bluetooth being off is not an error: discovery starts or continues as soon as Bluetooth is on (K18).
package final class DiscoveryLease: Sendable {
    fileprivate struct State {
        var users = 0
        /// Receives the error when discovery did not start or continue and no caller waits for the result.
        var failed: @Sendable (any Error) -> Void = { _ in }
        /// The last change of the radio; the next one waits for it, so that changes happen in order.
        var last: Task<Void, any Error>?
    }

    private let radio: any HostRadio
    private let state = Mutex(State())

    init(_ radio: any HostRadio) { self.radio = radio }

    func onFailure(_ body: @escaping @Sendable (any Error) -> Void) { state.withLock { $0.failed = body } }

    /// Starts discovery, or joins the running one. Each call needs one ``stop()``, even if it throws.
    ///
    /// - Throws: `RadioError`. Not if Bluetooth is off: then discovery starts once it is on.
    package func start() async throws {
        let change = state.withLock { state in
            state.users += 1
            return state.users == 1 ? state.begin(radio) : state.last
        }
        try await change?.value
    }

    /// Ends this user's share; the last user stops discovery.
    ///
    /// - Throws: `RadioError`.
    package func stop() async throws {
        let change = state.withLock { state -> Task<Void, any Error>? in
            guard state.users > 0 else { return nil }
            state.users -= 1
            return state.users == 0 ? state.change(radio) { try await $0.stopDiscovery() } : nil
        }
        try await change?.value
    }

    /// Handles an event of the radio. When Bluetooth comes back on, it has forgotten the discovery, so this starts it
    /// again.
    func receive(_ event: RadioEvent) {
        guard case .bluetoothPower(true) = event else { return }
        let (change, failed) = state.withLock { ($0.users > 0 ? $0.begin(radio) : nil, $0.failed) }
        guard let change else { return }
        Task { do { try await change.value } catch { failed(error) } }
    }
}

extension DiscoveryLease.State {
    fileprivate mutating func begin(_ radio: any HostRadio) -> Task<Void, any Error> {
        change(radio) { [failed] radio in
            do { try await radio.startDiscovery() } catch RadioError.bluetoothOff { failed(RadioError.bluetoothOff) }
        }
    }

    fileprivate mutating func change(
        _ radio: any HostRadio, _ body: @escaping @Sendable (any HostRadio) async throws -> Void
    ) -> Task<Void, any Error> {
        let task = Task { [last] in
            _ = await last?.result
            try await body(radio)
        }
        last = task
        return task
    }
}

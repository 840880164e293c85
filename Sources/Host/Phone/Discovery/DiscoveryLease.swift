import BoardProtocol
import HostRadio
import RadioModel
import Synchronization

/// LE discovery for several users: it runs while at least one of them wants it and Bluetooth is on.
///
/// Bluetooth that is off is a state of the phone: discovery then begins, or goes on, as soon as it is on (K18).
public final class DiscoveryLease: Sendable {
    fileprivate struct State {
        var users = 0
        /// Told why discovery did not begin or go on, where nobody waits for that.
        var failed: @Sendable (any Error) -> Void = { _ in }
        /// The last change asked of the radio, so that changes reach it in order.
        var last: Task<Void, any Error>?
    }

    private let radio: any HostRadio
    private let state = Mutex(State())

    init(_ radio: any HostRadio) { self.radio = radio }

    func onFailure(_ body: @escaping @Sendable (any Error) -> Void) { state.withLock { $0.failed = body } }

    /// Starts discovery, or joins the one that runs. Balance it with ``stop()``, also when this throws.
    public func start() async throws {
        let change = state.withLock { state in
            state.users += 1
            return state.users == 1 ? state.begin(radio) : state.last
        }
        try await change?.value
    }

    /// Lets go of it; the last one stops it.
    public func stop() async throws {
        let change = state.withLock { state -> Task<Void, any Error>? in
            guard state.users > 0 else { return nil }
            state.users -= 1
            return state.users == 0 ? state.change(radio) { try await $0.stopDiscovery() } : nil
        }
        try await change?.value
    }

    /// The radio noticed something: Bluetooth that is on again has forgotten what it was asked before.
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

import HostRadio

/// LE discovery for several users: it runs while at least one of them wants it.
public actor DiscoveryLease {
    private let radio: any HostRadio
    private var users = 0
    /// The last change asked of the radio, so that changes reach it in order.
    private var last: Task<Void, any Error>?

    init(_ radio: any HostRadio) { self.radio = radio }

    /// Starts discovery, or joins the one that runs. Balance it with ``stop()``, also when this throws.
    public func start() async throws {
        users += 1
        if users == 1 { try await change { try await $0.startDiscovery() } } else { try await last?.value }
    }

    /// Lets go of it; the last one stops it.
    public func stop() async throws {
        guard users > 0 else { return }
        users -= 1
        if users == 0 { try await change { try await $0.stopDiscovery() } }
    }

    private func change(_ body: @escaping @Sendable (any HostRadio) async throws -> Void) async throws {
        let task = Task { [radio, last] in
            _ = await last?.result
            try await body(radio)
        }
        last = task
        try await task.value
    }
}

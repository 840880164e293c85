import BlueZ
import BoardProtocol
import POSIX
import RadioModel
import Timing

/// What an accessory board's adapter is: LE alone with its own address, or more.
extension BluetoothBoard {
    /// Makes the adapter so. The kernel takes it from one that is off, so that links end where something changes.
    func setTransports(_ wanted: AdapterTransports) async throws {
        classicService = nil
        if wanted != transports {
            transports = nil
            let adapter = try await adapter()
            try await adapter.setPowered(false, within: Self.promptLimit)
            // With Secure Connections on, classic Bluetooth is not added.
            try await order(.setSecureConnections(false))
            try await order(.setClassic(wanted.isDualMode))
            if wanted.isDualMode { try await order(.setSimplePairing(true)) }
            try await order(.setSecureConnections(true))
            try await order(
                .setPrivacy(wanted.hasPrivateAddress ? (0..<16).map { _ in UInt8.random(in: 0...255) } : nil))
            try await adapter.setPowered(true, within: Self.promptLimit)
            // A phone that knows the address may page it; strangers find nothing.
            if wanted.isDualMode { try await order(.setConnectable(true)) }
            transports = wanted
        }
        guard let port = wanted.classicPort else { return }
        classicService = try await ClassicService(at: port, on: address()) { [weak self] in
            self?.bridged($0, keySize: $1)
        }
    }

    /// Asks the kernel for a setting of the adapter's.
    func order(_ command: ManagementCommand) async throws {
        let reply = try await management().ask(command, controller: adapter().number, within: Self.promptLimit)
        guard reply.status == 0 else {
            throw RadioError.rig("the kernel answered \(command) with status 0x\(Hex.text([reply.status]))")
        }
    }

    private nonisolated func bridged(_ address: DeviceAddress, keySize: Int) {
        guard let key = shared.state.withLock({ $0.classicKeys[address] }) else { return }
        accessory?.take(.bridged(BridgeLink(address: address, key: key, keySize: keySize)))
    }
}

/// Serves an accessory's classic channel while it lives.
final class ClassicService: Sendable {
    /// How long a phone may take with its greeting.
    private static let patience = Duration.seconds(10)

    private let listener: Descriptor
    private let task: Task<Void, Never>

    /// - Parameters:
    ///   - port: The protocol and service multiplexer (PSM).
    ///   - address: Of the accessory's adapter.
    ///   - connected: Told of each phone that gets the channel: its address, and the bytes of the link's key.
    init(
        at port: UInt16, on address: DeviceAddress,
        _ connected: @escaping @Sendable (DeviceAddress, Int) -> Void
    ) throws(SystemError) {
        let listener = try ClassicChannel.listen(at: port, on: address)
        self.listener = listener
        task = Task {
            await acceptConnections(on: listener) { phone in
                // A phone that is gone again needs nothing.
                Task { try? await ClassicService.serve(phone, connected) }
            }
        }
    }

    private static func serve(
        _ phone: Descriptor, _ connected: @escaping @Sendable (DeviceAddress, Int) -> Void
    ) async throws {
        defer { phone.close() }
        // Hung up on before its greeting, the phone would take the connection for one that was never made.
        try await withDeadline(patience, waitingFor: "a phone's greeting") { try await waitUntilReady(phone) }
        guard let address = try ClassicChannel.peer(of: phone) else { return }
        connected(address, try ClassicChannel.keySize(of: phone))
    }

    deinit { task.cancel() }
}

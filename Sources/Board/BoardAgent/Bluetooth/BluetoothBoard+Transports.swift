import BoardProtocol
import HILBlueZ
import HILPOSIX
import HILTiming
import RadioModel

/// The transports of an accessory board's adapter: by default LE only, with its own address.
extension BluetoothBoard {
    /// Sets the transports. The kernel only accepts this while the adapter is off, so links end if something changes.
    func setTransports(_ wanted: AdapterTransports) async throws {
        await endClassicService()
        if wanted != transports {
            transports = nil
            let adapter = try await adapter()
            try await adapter.setPowered(false, within: Self.promptLimit)
            // Classic Bluetooth cannot be enabled while Secure Connections are enabled.
            try await order(.setSecureConnections(false))
            try await order(.setClassic(wanted.isDualMode))
            if wanted.isDualMode { try await order(.setSimplePairing(true)) }
            if wanted.hasSecureConnections { try await order(.setSecureConnections(true)) }
            try await order(
                .setPrivacy(wanted.hasPrivateAddress ? (0..<16).map { _ in UInt8.random(in: 0...255) } : nil))
            try await adapter.setPowered(true, within: Self.promptLimit)
            // A phone that knows the address may connect by classic Bluetooth; others cannot find the adapter.
            if wanted.isDualMode { try await order(.setConnectable(true)) }
            // For an adapter that is discoverable by classic Bluetooth, bluetoothd leaves out the flag “BR/EDR Not
            // Supported”.
            try await adapter.setDiscoverable(wanted.advertisesClassic, within: Self.promptLimit)
            transports = wanted
        }
        guard let port = wanted.classicPort else { return }
        classicService = try await ClassicService(at: port, on: address()) { [weak self] in
            self?.bridged($0, keySize: $1)
        }
    }

    /// Stops to serve the classic channel. Then its port is free.
    func endClassicService() async {
        let service = classicService
        classicService = nil
        await service?.end()
    }

    /// Changes a setting of the adapter in the kernel.
    func order(_ command: ManagementCommand) async throws {
        let reply = try await management().ask(command, controller: controller(), within: Self.promptLimit)
        guard reply.status == 0 else {
            throw RadioError.rig("the kernel answered \(command) with status 0x\(Hex.text([reply.status]))")
        }
    }

    private nonisolated func bridged(_ address: DeviceAddress, keySize: Int) {
        guard let key = shared.state.withLock({ $0.classicKeys[address] }) else { return }
        accessory?.take(.bridged(ClassicLink(address: address, key: key, keySize: keySize)))
    }
}

/// Serves an accessory's classic channel until ``end()``, or for as long as this object lives.
final class ClassicService: Sendable {
    /// How long a phone may take to send its first byte.
    private static let greetingTimeout = Duration.seconds(10)

    private let listener: Descriptor
    private let task: Task<Void, Never>

    /// - Parameters:
    ///   - port: The protocol and service multiplexer (PSM).
    ///   - address: The address of the accessory's adapter.
    ///   - connected: Called for each phone that opens the channel, with its address and the size of the link's key in
    ///     bytes.
    init(
        at port: UInt16, on address: DeviceAddress,
        _ connected: @escaping @Sendable (DeviceAddress, Int) -> Void
    ) throws(SystemError) {
        let listener = try ClassicChannel.listen(at: port, on: address)
        self.listener = listener
        task = Task {
            await acceptConnections(on: listener) { phone in
                // A phone that has already disconnected is not an error.
                Task { try? await ClassicService.serve(phone, connected) }
            }
        }
    }

    private static func serve(
        _ phone: Descriptor, _ connected: @escaping @Sendable (DeviceAddress, Int) -> Void
    ) async throws {
        defer { phone.close() }
        // If the channel were closed earlier, the phone would assume that it never opened.
        try await withDeadline(greetingTimeout, waitingFor: "a phone's greeting") { try await waitUntilReady(phone) }
        guard let address = try ClassicChannel.peer(of: phone) else { return }
        connected(address, try ClassicChannel.keySize(of: phone))
    }

    /// Ends the service, and returns when its port is free.
    func end() async {
        task.cancel()
        await task.value
        listener.close()
    }

    deinit { task.cancel() }
}

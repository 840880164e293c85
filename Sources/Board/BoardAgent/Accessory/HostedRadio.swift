import BoardProtocol
import FoundationEssentials
import HILBlueZ
import HILPOSIX
import RadioModel
import Synchronization

/// The radios of a hosted accessory: its adapter's part of the board's Bluetooth, and the access point if it has Wi-Fi.
final class HostedRadio: AccessoryRadio {
    private struct State {
        weak var bluetooth: BluetoothBoard?
        weak var accessPoint: AccessPointBoard?
        /// Made when the accessory advertises for the first time.
        var server: GATTServer?
    }

    let adapter: AdapterID
    private let kind: String
    private let emit: @Sendable (BoardEvent) -> Void
    private let state = Mutex(State())

    init(of kind: String, adapter: AdapterID, emit: @escaping @Sendable (BoardEvent) -> Void) {
        self.kind = kind
        self.adapter = adapter
        self.emit = emit
    }

    /// Connects it to the board's radios. They outlive its use.
    func connect(to bluetooth: BluetoothBoard, _ accessPoint: AccessPointBoard? = nil) {
        state.withLock { state in
            state.bluetooth = bluetooth
            state.accessPoint = accessPoint
        }
    }

    func tell(_ event: Data) { emit(.accessory(event, of: kind, on: adapter)) }

    // MARK: Bluetooth

    /// The accessory's services on the bus. They are made once, and again after ``takeServer()``.
    func server(of daemon: BluetoothDaemon, offering attributes: @autoclosure () -> AccessoryAttributes) -> GATTServer {
        if let server = state.withLock({ $0.server }) { return server }
        let attributes = attributes()
        let server = GATTServer(
            attributes.services, of: daemon, named: "\(kind)_\(adapter)", handler: attributes.handler)
        state.withLock { $0.server = server }
        return server
    }

    /// The accessory's services on the bus, to withdraw them; nil if they do not exist.
    func takeServer() -> GATTServer? {
        state.withLock { state in
            defer { state.server = nil }
            return state.server
        }
    }

    func address() async throws(RadioError) -> DeviceAddress {
        do { return try await bluetooth().address() } catch { throw RadioError(rig: error) }
    }

    func setTransports(_ transports: AdapterTransports) async throws(RadioError) {
        do { try await bluetooth().applyTransports(transports) } catch { throw RadioError(rig: error) }
    }

    func setPairable(_ isPairable: Bool) async throws(RadioError) {
        do { try await bluetooth().setPairable(isPairable) } catch { throw RadioError(rig: error) }
    }

    func advertise(_ content: AdvertisedContent) async throws(RadioError) {
        do { try await bluetooth().advertise(content) } catch { throw RadioError(rig: error) }
    }

    func stopAdvertising() async throws(RadioError) {
        do { try await bluetooth().stopAdvertising() } catch { throw RadioError(rig: error) }
    }

    func pauseAdvertising() async throws(RadioError) {
        do { try await bluetooth().pauseAdvertising() } catch { throw RadioError(rig: error) }
    }

    func setCapability(_ capability: PairingCapability) async throws(RadioError) {
        do { try await bluetooth().setCapability(capability) } catch { throw RadioError(rig: error) }
    }

    func withdrawAttributes() async throws(RadioError) {
        do { try await bluetooth().withdrawAttributes(of: self) } catch { throw RadioError(rig: error) }
    }

    func offerAttributes() async throws(RadioError) {
        do { try await bluetooth().offerAttributes() } catch { throw RadioError(rig: error) }
    }

    func disconnect(_ phone: DeviceAddress?) async throws(RadioError) {
        do { try await bluetooth().dropLinks(of: phone) } catch { throw RadioError(rig: error) }
    }

    func setName(_ name: String) async throws(RadioError) {
        do { try await bluetooth().setName(name) } catch { throw RadioError(rig: error) }
    }

    func askToPair(_ phone: DeviceAddress) async throws(RadioError) {
        do { try await bluetooth().askToPair(phone) } catch { throw RadioError(rig: error) }
    }

    func forgetBonds() async throws(RadioError) {
        do { try await bluetooth().forgetBonds() } catch { throw RadioError(rig: error) }
    }

    func renewIdentity() async throws(RadioError) {
        do { try await bluetooth().renewIdentity() } catch { throw RadioError(rig: error) }
    }

    func setConnectionParameters(_ parameters: ConnectionParameters?) async throws(RadioError) {
        do { try await bluetooth().setConnectionParameters(parameters) } catch { throw RadioError(rig: error) }
    }

    func setClient(_ isClient: Bool, hasDeviceInformation: Bool) async throws(RadioError) {
        do { try await bluetooth().setClient(isClient, hasDeviceInformation: hasDeviceInformation) } catch {
            throw RadioError(rig: error)
        }
    }

    func listen(
        at port: UInt16?, needing protection: LinkProtection, accept: @escaping @Sendable (LEChannel) -> Void
    ) async throws(RadioError) -> LEChannelListener {
        do {
            return try LEChannelListener(at: port, needing: protection, on: await address(), accept: accept)
        } catch let error as SystemError {
            throw .invalid("no L2CAP channel can be opened here: \(error)")
        } catch { throw RadioError(rig: error) }
    }

    func openChannel(to phone: DeviceAddress, port: UInt16) async throws(RadioError) -> LEChannel {
        try await bluetooth().openLEChannel(to: phone, port: port)
    }

    func notify(_ value: Data, at place: AttributePlace) {
        state.withLock { $0.server }?.notify(value, at: place)
    }

    func notify(_ value: Data, of characteristic: BluetoothUUID) {
        state.withLock { $0.server }?.notify(value, of: characteristic)
    }

    func find(_ service: BluetoothUUID, within limit: Duration) async throws(RadioError) -> DeviceAddress {
        do { return try await bluetooth().find(service, within: limit) } catch { throw RadioError(rig: error) }
    }

    func connect(to device: DeviceAddress) async throws(RadioError) { try await bluetooth().connect(device) }

    func read(_ characteristic: BluetoothUUID, of device: DeviceAddress) async throws(RadioError) -> Data {
        try await bluetooth().read(characteristic, of: device)
    }

    func write(
        _ value: Data, to characteristic: BluetoothUUID, of device: DeviceAddress, withResponse: Bool
    ) async throws(RadioError) {
        try await bluetooth().write(value, to: characteristic, of: device, withResponse: withResponse)
    }

    func setNotifying(
        _ isOn: Bool, for characteristic: BluetoothUUID, of device: DeviceAddress
    ) async throws(RadioError) {
        try await bluetooth().setNotifying(isOn, for: characteristic, of: device)
    }

    private func bluetooth() throws(RadioError) -> BluetoothBoard {
        guard let bluetooth = state.withLock({ $0.bluetooth }) else { throw .rig("the board's Bluetooth is gone") }
        return bluetooth
    }

    // MARK: Wi-Fi

    func requireWiFi() throws(RadioError) { _ = try accessPoint() }

    func setBands(_ bands: Set<WiFiBand>) async { await (try? accessPoint())?.setBands(bands) }

    func scanNetworks() async throws -> [WiFiNetwork] { try await accessPoint().scan() }

    func openNetwork(_ network: NetworkConfiguration) async throws { try await accessPoint().open(network) }

    func closeNetwork(ssid: String) async throws { try await accessPoint().close(ssid: ssid) }

    func closeNetworks() async throws {
        guard let accessPoint = try? accessPoint() else { return }
        await accessPoint.leave()
        try await accessPoint.closeAll(leadingTo: .accessory)
    }

    func changePassphrase(of ssid: String, to passphrase: String) async throws {
        try await accessPoint().changePassphrase(of: ssid, to: passphrase)
    }

    func joinNetwork(_ credentials: WiFiCredentials) async throws -> WiFiLink {
        try await accessPoint().join(credentials)
    }

    func leaveNetwork() async { await (try? accessPoint())?.leave() }

    func offerServices(_ services: [BonjourService]) async throws {
        guard let accessPoint = try? accessPoint() else {
            // Without Wi-Fi there is nothing to withdraw.
            if services.isEmpty { return }
            return try requireWiFi()
        }
        try await accessPoint.offer(services)
    }

    func exchange(_ request: Data, with service: BonjourName) async throws -> Data {
        try await accessPoint().exchange(request, with: service)
    }

    private func accessPoint() throws(RadioError) -> AccessPointBoard {
        if let accessPoint = state.withLock({ $0.accessPoint }) { return accessPoint }
        throw .unsupported(
            "the board has one Wi-Fi radio, and only the accessory of adapter 0 can use it: "
                + "do not open a network for that of adapter \(adapter)")
    }
}

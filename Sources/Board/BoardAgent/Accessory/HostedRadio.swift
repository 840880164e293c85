import BoardProtocol
import FoundationEssentials
import HILBlueZ
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
    private let emit: @Sendable (BoardEvent) -> Void
    private let state = Mutex(State())

    init(adapter: AdapterID, emit: @escaping @Sendable (BoardEvent) -> Void) {
        self.adapter = adapter
        self.emit = emit
    }

    /// Connects it to the board's radios. They live longer than it is used.
    func connect(to bluetooth: BluetoothBoard, _ accessPoint: AccessPointBoard? = nil) {
        state.withLock { state in
            state.bluetooth = bluetooth
            state.accessPoint = accessPoint
        }
    }

    func tell(_ event: Data) { emit(.accessory(event, on: adapter)) }

    // MARK: Bluetooth

    /// The accessory's services on the bus. They are made once.
    func server(of daemon: BluetoothDaemon, offering attributes: @autoclosure () -> AccessoryAttributes) -> GATTServer {
        if let server = state.withLock({ $0.server }) { return server }
        let attributes = attributes()
        let server = GATTServer(attributes.services, of: daemon, named: "\(adapter)", handler: attributes.handler)
        state.withLock { $0.server = server }
        return server
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

    func notify(_ value: Data, of characteristic: BluetoothUUID) {
        state.withLock { $0.server }?.notify(value, of: characteristic)
    }

    private func bluetooth() throws(RadioError) -> BluetoothBoard {
        guard let bluetooth = state.withLock({ $0.bluetooth }) else { throw .rig("the board's Bluetooth is gone") }
        return bluetooth
    }

    // MARK: Wi-Fi

    func requireWiFi() throws(RadioError) { _ = try accessPoint() }

    func openNetwork(_ network: NetworkConfiguration) async throws { try await accessPoint().open(network) }

    func closeNetwork(ssid: String) async throws { try await accessPoint().close(ssid: ssid) }

    func closeNetworks() async throws { try await (try? accessPoint())?.closeAll(leadingTo: .accessory) }

    func changePassphrase(of ssid: String, to passphrase: String) async throws {
        try await accessPoint().changePassphrase(of: ssid, to: passphrase)
    }

    private func accessPoint() throws(RadioError) -> AccessPointBoard {
        if let accessPoint = state.withLock({ $0.accessPoint }) { return accessPoint }
        throw .unsupported(
            "the board has one Wi-Fi radio, and only the accessory of adapter 0 may use it: "
                + "do not open a network for that of adapter \(adapter)")
    }
}

import BoardProtocol
import HILBluetoothHost
import HILPhone
import HILPhoneRadio
import HILRecord
import HostRadio
import RadioModel
import RigModel

/// Gives the phone its radios: its own Bluetooth host on a controller of the rig, and the host board's Wi-Fi.
enum PhoneOpening {
    /// The radio of the phone on a rig whose boards are ready, with Bluetooth on, and who it is there.
    ///
    /// A controller that is lost later is a failure of the rig.
    ///
    /// - Throws: ``RigFailure`` or ``RadioError`` with the reason why the phone's Bluetooth host gets no controller.
    static func radio(
        of rig: RigConnection, recorder: ScenarioRecorder
    ) async throws -> (radio: any HostRadio, identity: DeviceIdentity?) {
        // Nobody uses the simulated phone beside one in a person's hand.
        if rig.isPhoneInHand { return (InMemoryRadio(), nil) }
        let (transport, address) = try await controller(of: rig)
        recorder.record(.onAir(address, "the phone"))
        let random: RandomBytes = { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }
        let key = Value128(high: UInt64.random(in: 0 ... .max), low: UInt64.random(in: 0 ... .max))
        let identity = DeviceIdentity(resolvingKey: key, address: PeerAddress(address, isRandom: false))
        let stack = BluetoothStack(.iPhone, identity: identity, random: random)
        let driver = StackDriver(stack, on: transport)
        await driver.start()
        let radio = PhoneRadio(driver, wifi: BoardWiFi(rig.host)) { why in
            recorder.record(.failure(Failure(.rig, why)))
        }
        try await radio.setBluetoothPower(true)
        return (radio, identity)
    }

    /// The controller of the phone's Bluetooth host, and its address: one of the air, else the host board's adapter.
    private static func controller(
        of rig: RigConnection
    ) async throws -> (transport: any ControllerTransport, address: DeviceAddress) {
        guard let control = rig.phoneController else {
            return try await RigFailure.doing("giving the phone a Bluetooth controller", on: "the host board") {
                let transport = try await BoardTransport.take(from: rig.host)
                return (transport, transport.address)
            }
        }
        let port = try await control.attachPhone()
        return (try SocketTransport(path: port.socket), port.address)
    }
}

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
    /// What a phone has.
    struct Opened {
        let radio: any HostRadio
        /// Who it is over Bluetooth; nil if its host is not the lab's own.
        var identity: DeviceIdentity?
        /// Its controller, if strangers can borrow it; nil if they have others.
        var controller: BorrowedController?
    }

    /// The radio of the phone on a rig whose boards are ready, with Bluetooth on.
    ///
    /// A controller that is lost later is a failure of the rig.
    ///
    /// - Throws: ``RigFailure`` or ``RadioError`` with the reason why the phone's Bluetooth host gets no controller.
    static func radio(of rig: RigConnection, recorder: ScenarioRecorder) async throws -> Opened {
        // Nobody uses the simulated phone beside one in a person's hand.
        if rig.isPhoneInHand { return Opened(radio: InMemoryRadio()) }
        let (transport, address, shared) = try await controller(of: rig)
        recorder.record(.onAir(address, "the phone"))
        let random: RandomBytes = { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }
        let key = Value128(high: UInt64.random(in: 0 ... .max), low: UInt64.random(in: 0 ... .max))
        let identity = DeviceIdentity(resolvingKey: key, address: PeerAddress(address, isRandom: false))
        let stack = BluetoothStack(.iPhone, identity: identity, random: random)
        let driver = StackDriver(stack, on: transport)
        await driver.start()
        let radio = PhoneRadio(
            driver, wifi: BoardWiFi(rig.host), lost: { recorder.record(.failure(Failure(.rig, $0))) },
            hidden: { recorder.record(.onAir($0, "a private address of the phone")) })
        try await radio.setBluetoothPower(true)
        var opened = Opened(radio: radio, identity: identity)
        if let shared {
            opened.controller = await BorrowedController(
                shared.controller, of: radio, phonesEnd: shared.end, at: address)
        }
        return opened
    }

    private typealias Shared = (controller: SharedController, end: SharedController.End)

    /// The controller of the phone's Bluetooth host, and its address: one of the air, else the host board's adapter, which
    /// others can have by turns.
    private static func controller(
        of rig: RigConnection
    ) async throws -> (transport: any ControllerTransport, address: DeviceAddress, shared: Shared?) {
        guard let control = rig.phoneController else {
            return try await RigFailure.doing("giving the phone a Bluetooth controller", on: "the host board") {
                let transport = try await BoardTransport.take(from: rig.host)
                let controller = SharedController(transport)
                let end = controller.makeEnd()
                return (end, transport.address, (controller, end))
            }
        }
        let port = try await control.attachPhone()
        return (try SocketTransport(path: port.socket), port.address, nil)
    }
}

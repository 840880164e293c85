import Foundation
import HILBluetoothHost
import HILPhoneRadio
import HostRadio
import RadioModel
import RigModel

/// Which Bluetooth the phone has: BlueZ on the host board, or its own host stack.
///
/// The own host stack is not complete: see the article “The phone on the air”. `HIL_PHONE=stack` chooses it.
enum PhoneRadioChoice {
    /// The environment variable that chooses.
    static let variable = "HIL_PHONE"

    static var isStackWanted: Bool { ProcessInfo.processInfo.environment[variable] == "stack" }

    /// The radio of the phone on a rig whose boards are ready.
    ///
    /// - Throws: ``RigFailure`` or ``RadioError`` with the reason why the phone's own host stack gets no controller.
    static func radio(of rig: RigConnection) async throws -> any HostRadio {
        let board = BoardRadio(rig.host)
        guard isStackWanted else { return board }
        let (transport, address) = try await controller(of: rig)
        let random: RandomBytes = { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }
        let key = Value128(high: UInt64.random(in: 0 ... .max), low: UInt64.random(in: 0 ... .max))
        let identity = DeviceIdentity(resolvingKey: key, address: PeerAddress(address, isRandom: false))
        let stack = BluetoothStack(.iPhone, identity: identity, random: random)
        let driver = StackDriver(stack, on: transport)
        await driver.start()
        let radio = PhoneRadio(driver, wifi: board)
        try await radio.setBluetoothPower(true)
        return radio
    }

    /// The controller of the phone's own host stack, and its address. It takes the place of the host board's adapter.
    private static func controller(
        of rig: RigConnection
    ) async throws -> (transport: any ControllerTransport, address: DeviceAddress) {
        guard let control = rig.phoneController else {
            // The adapter itself, as on a bench.
            return try await RigFailure.doing("giving the phone its own host stack", on: "the host board") {
                let transport = try await BoardTransport.take(from: rig.host)
                return (transport, transport.address)
            }
        }
        try await rig.adapters?.detach(.bluetooth, from: .host, adapter: .first)
        let port = try await control.attachPhone()
        return (try SocketTransport(path: port.socket), port.address)
    }
}

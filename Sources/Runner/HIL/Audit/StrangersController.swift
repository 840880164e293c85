import HILBluetoothHost
import HILPhoneRadio
import RadioModel
import RigModel

/// The controller of a stranger: one of its own on a simulated air, or the phone's on a bench, which it borrows.
@MainActor
struct StrangersController {
    private enum Place {
        case own(AdapterID, any HostStackControl)
        case borrowed(BorrowedController, SharedController.End)
    }

    /// The address of the stranger on the air.
    let address: PeerAddress
    let transport: any ControllerTransport
    /// The capture's interface with its packets.
    let interface: String
    private let place: Place

    /// - Parameter address: The public address of one of its own; nil for the next free one.
    /// - Throws: `RigLacks` if the rig has none; `RadioError.rig`.
    static func find(for lab: Lab, at address: DeviceAddress? = nil) async throws -> StrangersController {
        let connection = lab.rig.connection
        if let borrowed = lab.hostController {
            let end = borrowed.makeEnd()
            return StrangersController(
                address: .randomStatic(), transport: end, interface: BorrowedController.interface,
                place: .borrowed(borrowed, end))
        }
        let control = try connection.facet(connection.hostStacks, .hostStacks, lab.recorder)
        let port = try await control.attachStack(at: address)
        do {
            return StrangersController(
                address: PeerAddress(port.address, isRandom: false), transport: try SocketTransport(path: port.socket),
                interface: "accessory-hci\(port.adapter)", place: .own(port.adapter, control))
        } catch {
            try? await control.detachStack(port.adapter)
            throw error
        }
    }

    private init(address: PeerAddress, transport: any ControllerTransport, interface: String, place: Place) {
        (self.address, self.transport, self.interface, self.place) = (address, transport, interface, place)
    }

    /// Takes the controller for a stranger who wants to be on.
    ///
    /// - Returns: False if it has it already, and is on.
    func take(for stranger: Stranger) async throws -> Bool {
        switch place {
        case .own: await stranger.driver.ask { $0.information == nil }
        case .borrowed(let controller, let end): try await controller.lend(to: stranger, at: end)
        }
    }

    /// The stranger is off, and does not come back.
    func leave() async {
        switch place {
        case .own(let adapter, let control): try? await control.detachStack(adapter)
        case .borrowed(_, let end): end.close()
        }
    }
}

extension PeerAddress {
    /// A random address that stays: its two highest bits are set (Core Specification 6.0, Vol 6, Part B, 1.3.2.1).
    static func randomStatic() -> PeerAddress {
        let last = (0..<5).map { _ in UInt8.random(in: 1...254) }
        guard let address = DeviceAddress(bytes: [UInt8.random(in: 0xC0...0xFE)] + last) else {
            preconditionFailure("Six bytes are an address")
        }
        return PeerAddress(address, isRandom: true)
    }
}

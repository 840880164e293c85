import HILBlueZ
import HILTiming
import RadioModel

/// The Bluetooth adapter of a host board, by the kernel's management interface. No bluetoothd runs beside it.
final class HostAdapter: Sendable {
    /// A controller of the kernel.
    struct Controller: Sendable {
        /// 0 is `hci0`.
        let number: UInt16
        let address: DeviceAddress
        let isPowered: Bool
    }

    private let address: DeviceAddress?
    private let kernel: ManagementChannel
    private let arrivals: EventLog<UInt16>

    /// - Parameter address: Its address; nil for the first adapter of the board.
    /// - Throws: ``HILPOSIX/SystemError``: `EAFNOSUPPORT` if the kernel has no Bluetooth, `EPERM` without the permission.
    init(at address: DeviceAddress?) throws {
        let arrivals = EventLog<UInt16>(keepingAtMost: 100)
        (self.address, self.arrivals) = (address, arrivals)
        kernel = try ManagementChannel { event, controller in
            if event == .controllerAdded { arrivals.append(controller) }
        }
    }

    deinit { kernel.close() }

    /// Waits until the kernel has the adapter.
    ///
    /// - Throws: ``HILTiming/TimedOut``.
    func controller(within limit: Duration) async throws -> Controller {
        try await withDeadline(
            limit, waitingFor: "the kernel to have \(address.map { "the adapter \($0)" } ?? "an adapter")"
        ) { [self] in
            while true {
                let mark = arrivals.count
                for number in ManagementChannel.controllers {
                    guard let found = await kernel.information(of: number),
                        let its = DeviceAddress(found.address), address == nil || address == its
                    else { continue }
                    return Controller(number: number, address: its, isPowered: found.isPowered)
                }
                _ = try await arrivals.first(from: mark)
            }
        }
    }

    /// Switches a controller on or off, and returns when that is done. Off ends its links.
    ///
    /// - Throws: ``RadioModel/RadioError/rig(_:)`` with the kernel's status if it refuses.
    func setPowered(_ isOn: Bool, _ controller: UInt16) async throws {
        let reply = try await kernel.ask(.setPowered(isOn), controller: controller, within: .seconds(10))
        guard reply.status == 0 else {
            throw RadioError.rig(
                "the kernel does not switch the adapter \(isOn ? "on" : "off"): status 0x\(Hex.text([reply.status]))")
        }
    }
}

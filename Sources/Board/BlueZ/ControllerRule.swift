import Glibc
import HILCBluetooth
import HILPOSIX

/// The controllers that a process hears of whose management sockets were open before they were supervised. bluetoothd
/// makes no adapter of a controller that it never hears of. For a new socket there is ``ManagementView``: bluetoothd would
/// wait for ever for what it asks of a controller that the kernel's list names.
package enum ControllerRule: Sendable, Hashable {
    case only(Set<UInt16>)
    case allBut(Set<UInt16>)

    /// Filters what a socket of the management interface receives, from now on.
    package func apply(to socket: Descriptor) throws(SystemError) {
        // The controller's number is at offset 2; what concerns no controller has FFFF.
        switch self {
        case .only(let numbers):
            try socket.filterPackets(by: numbers.sorted() + [UInt16(HCI_DEV_NONE)], at: 2, areTaken: true)
        case .allBut(let numbers): try socket.filterPackets(by: numbers.sorted(), at: 2, areTaken: false)
        }
    }
}

extension ControllerRule {
    /// Filters the management sockets that another process has open now.
    ///
    /// - Returns: How many it has.
    @discardableResult
    package func apply(to process: pid_t) throws(SystemError) -> Int {
        var count = 0
        // Of what is no socket, no option can be read.
        for number in KernelFile.numbers(in: "/proc/\(process)/fd") {
            guard let socket = try? Descriptor.copy(of: number, in: process), HCISocket.isOfAllControllers(socket)
            else {
                continue
            }
            try apply(to: socket)
            count += 1
        }
        return count
    }
}

import Glibc
import HILCBluetooth
import HILPOSIX

/// The controllers whose events reach a process that opened its management sockets before it was supervised. bluetoothd
/// makes no adapter for a controller without events. A new socket gets a ``ManagementView`` instead: bluetoothd would
/// wait for ever for an answer from a controller in the kernel's list.
package enum ControllerRule: Sendable, Hashable {
    case only(Set<UInt16>)
    case allBut(Set<UInt16>)

    /// Filters the packets that a socket of the management interface receives, from now on.
    package func apply(to socket: Descriptor) throws(SystemError) {
        // The controller's number is at offset 2; FFFF stands for no controller.
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
    /// - Returns: The number of these sockets.
    @discardableResult
    package func apply(to process: pid_t) throws(SystemError) -> Int {
        var count = 0
        // Reading an option fails for a descriptor that is not a socket.
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

import Glibc
import HILPOSIX

/// A Bluetooth controller for the board's kernel, made through `/dev/vhci`.
///
/// Each read and each write of the device file carries one H4 packet. Writing `FF 00` makes the controller. The kernel
/// answers with `FF`, the opcode, and the number of the HCI device in two bytes, little-endian.
final class VirtualBluetooth: VirtualDevice {
    private static let vendorPacket: UInt8 = 0xFF
    private static let primaryController: UInt8 = 0x00

    private let file: Descriptor

    init(path: String = "/dev/vhci") throws(SystemError) {
        file = try Descriptor.open(path, O_RDWR | O_NONBLOCK)
        try file.write([VirtualBluetooth.vendorPacket, VirtualBluetooth.primaryController])
    }

    var descriptor: Int32 { file.raw }

    var hasWaiting: Bool { false }

    func drain() throws(SystemError) -> [RadioMessage] {
        var messages: [RadioMessage] = []
        while true {
            let packet: [UInt8]
            do throws(SystemError) { packet = try file.read(upTo: 4096) } catch {
                guard error.code == EAGAIN else { throw error }
                return messages
            }
            if let message = VirtualBluetooth.message(for: packet) { messages.append(message) }
        }
    }

    func take(_ message: RadioMessage) -> String? {
        guard case .packet(let packet) = message else { return "refused: not a Bluetooth message" }
        do {
            try file.write(packet)
            return nil
        } catch { return "the kernel refused an HCI packet: \(error)" }
    }

    func unplug() { file.close() }

    /// The message to the air for a packet from the kernel; nil if the packet is not valid.
    static func message(for packet: [UInt8]) -> RadioMessage? {
        guard packet.first == vendorPacket else { return H4.problem(with: packet) == nil ? .packet(packet) : nil }
        guard packet.count >= 4 else { return nil }
        return .attached(name: "hci\(Int(packet[2]) | Int(packet[3]) << 8)")
    }
}

import HILCBluetooth

/// The part of the kernel's management interface that one holder sees: fewer controllers, or other numbers, than exist.
///
/// Source: BlueZ 5.82, `doc/mgmt-protocol.rst`. A packet is code 2, controller 2, length 2, parameters.
package enum ManagementView: Sendable, Hashable {
    /// Only one controller, as `hci0`.
    case alone(UInt16)
    /// All controllers except these.
    case without(Set<UInt16>)

    /// The result of a command.
    package enum Passage: Equatable, Sendable {
        case toKernel([UInt8])
        /// The kernel does not get it; this is the answer.
        case answered([UInt8])
    }

    private enum Code {
        static let commandComplete: UInt16 = 0x0001
        static let commandStatus: UInt16 = 0x0002
        /// Read Controller Index List, Read Unconfigured Controller Index List.
        static let lists: Set<UInt16> = [0x0003, 0x0036]
        /// Read Extended Controller Index List.
        static let extendedList: UInt16 = 0x0042
    }

    /// The number that stands for no controller.
    private static let none = UInt16(HCI_DEV_NONE)
    private static let invalidIndex: UInt8 = 0x11
    private static let headerLength = 6

    /// The kernel's number for a controller that the holder names; nil if it has no such controller.
    private func inKernel(_ seen: UInt16) -> UInt16? {
        switch self {
        case _ where seen == Self.none: seen
        case .alone(let own): seen == 0 ? own : nil
        case .without(let hidden): hidden.contains(seen) ? nil : seen
        }
    }

    /// The holder's number for a controller of the kernel; nil if it does not see it.
    private func seen(_ controller: UInt16) -> UInt16? {
        switch self {
        case _ where controller == Self.none: controller
        case .alone(let own): controller == own ? 0 : nil
        case .without(let hidden): hidden.contains(controller) ? nil : controller
        }
    }

    /// A command of the holder.
    package func command(_ packet: [UInt8]) -> Passage {
        guard packet.count >= Self.headerLength else { return .toKernel(packet) }
        if let controller = inKernel(packet[number: 2]) { return .toKernel(packet.with(controller, at: 2)) }
        let answer = [Code.commandStatus, packet[number: 2], 3, packet[number: 0]]
        return .answered(answer.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } + [Self.invalidIndex])
    }

    /// The packet that the holder reads in place of a packet of the kernel; nil for none.
    package func event(_ packet: [UInt8]) -> [UInt8]? {
        guard packet.count >= Self.headerLength else { return packet }
        guard let controller = seen(packet[number: 2]) else { return nil }
        return edited(packet.with(controller, at: 2))
    }

    /// The packet with shortened lists of controllers.
    private func edited(_ packet: [UInt8]) -> [UInt8] {
        // Command 2, status 1, number of entries 2.
        let begin = Self.headerLength + 5
        guard packet[number: 0] == Code.commandComplete, packet.count >= begin else { return packet }
        let command = packet[number: Self.headerLength]
        // Type and bus follow in the extended list.
        let size = command == Code.extendedList ? 4 : 2
        guard command == Code.extendedList || Code.lists.contains(command) else { return packet }
        let entries = stride(from: begin, through: packet.count - size, by: size)
            .prefix(Int(packet[number: begin - 2]))
            .compactMap { place in
                seen(packet[number: place]).map { Array(packet[place..<place + size]).with($0, at: 0) }
            }
        return Array(packet[..<begin]).with(UInt16(5 + entries.count * size), at: 4)
            .with(UInt16(entries.count), at: begin - 2) + entries.joined()
    }
}

extension [UInt8] {
    /// The 16-bit number at an offset, little-endian.
    fileprivate subscript(number offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset + 1]) << 8 }

    fileprivate func with(_ number: UInt16, at offset: Int) -> [UInt8] {
        var copy = self
        (copy[offset], copy[offset + 1]) = (UInt8(number & 0xFF), UInt8(number >> 8))
        return copy
    }
}

import RadioModel

@testable import HILBluetoothHost

/// Bytes from hexadecimal digits, with or without spaces. Wrong digits give no bytes.
func hci(_ text: String) -> [UInt8] { Hex.bytes(text.utf8.filter { $0 != UInt8(ascii: " ") }) ?? [] }

extension DeviceAddress {
    /// `C0:00:00:00:00:` and a number.
    static func numbered(_ number: UInt8) -> DeviceAddress {
        DeviceAddress(bytes: [0xC0, 0, 0, 0, 0, number]) ?? zero
    }

    private static let zero = DeviceAddress(bytes: [UInt8](repeating: 0, count: 6))!
}

extension ConnectionHandle {
    init(_ number: Int) { self.init(rawValue: UInt16(truncatingIfNeeded: number)) }
}

/// Packets as a controller sends them.
enum ControllerPacket {
    static func event(_ code: UInt8, _ parameters: [UInt8]) -> [UInt8] {
        [4, code, UInt8(clamping: parameters.count)] + parameters
    }

    static func complete(
        _ opcode: HCIOpcode, _ status: HCIError = .success, _ values: [UInt8] = [], allowance: UInt8 = 1
    ) -> [UInt8] {
        event(0x0E, [allowance] + number(opcode.rawValue) + [status.rawValue] + values)
    }

    static func status(_ opcode: HCIOpcode, _ status: HCIError = .success, allowance: UInt8 = 1) -> [UInt8] {
        event(0x0F, [status.rawValue, allowance] + number(opcode.rawValue))
    }

    /// The controller takes this many commands; it answers none.
    static func allow(_ count: UInt8) -> [UInt8] { event(0x0E, [count, 0, 0]) }

    static func completed(_ links: [(handle: ConnectionHandle, count: UInt16)]) -> [UInt8] {
        event(0x13, [UInt8(links.count)] + links.flatMap { number($0.handle.rawValue) + number($0.count) })
    }

    static func data(_ handle: ConnectionHandle, _ boundary: UInt16, _ data: some Collection<UInt8>) -> [UInt8] {
        [2] + number(handle.rawValue | boundary << 12) + number(UInt16(clamping: data.count)) + data
    }

    private static func number(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
}

extension [ControllerChannel.Output] {
    /// The packets for the controller.
    var packets: [[UInt8]] {
        compactMap { output in
            guard case .packet(let packet) = output else { return nil }
            return packet
        }
    }

    /// The whole frames with their links.
    var frames: [(frame: [UInt8], handle: ConnectionHandle)] {
        compactMap { output in
            guard case .frame(let frame, let handle) = output else { return nil }
            return (frame, handle)
        }
    }

    /// What peers did wrong.
    var violations: [String] {
        compactMap { output in
            guard case .violation(_, let text) = output else { return nil }
            return text
        }
    }

    /// Why the controller cannot be used any more.
    var failures: [String] {
        compactMap { output in
            guard case .failed(let text) = output else { return nil }
            return text
        }
    }

    var drained: [ConnectionHandle] {
        compactMap { output in
            guard case .drained(let handle) = output else { return nil }
            return handle
        }
    }
}

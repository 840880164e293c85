import BoardProtocol
import RadioModel

extension [HCIPacket] {
    /// The handle of the first classic link that came up, as its two bytes in the packet; nil if there was no such
    /// link.
    ///
    /// It is read from the event Connection Complete with status 0.
    package var classicHandle: [UInt8]? {
        for case .event(0x03, let parameters) in self where parameters.count >= 3 && parameters[0] == 0 {
            return [UInt8](parameters[1..<3])
        }
        return nil
    }
}

extension HCIPacket {
    /// Whether this is the event that the link with this handle is now encrypted.
    ///
    /// That is Encryption Change, version 1 or 2, with status 0.
    package func isEncryption(of handle: [UInt8]?) -> Bool {
        guard case .event(let code, let parameters) = self, code == 0x08 || code == 0x59, parameters.count >= 4 else {
            return false
        }
        return parameters[0] == 0 && Array(parameters[1..<3]) == handle && parameters[3] != 0
    }

    /// Whether this event belongs to a pairing over classic Bluetooth.
    ///
    /// These are IO Capability Request and Response, User Confirmation Request, Simple Pairing Complete, and PIN Code
    /// Request.
    package var isClassicPairing: Bool {
        guard case .event(let code, _) = self else { return false }
        return [0x16, 0x31, 0x32, 0x33, 0x36].contains(code)
    }
}

extension AirHandle {
    /// The random addresses that a board has used so far for advertising.
    ///
    /// - Throws: `RigFailure` if the capture cannot be read; `RigLacks` if this rig captures nothing.
    public func randomAddresses(of board: BoardRole) async throws -> Set<DeviceAddress> {
        let addresses = try await capturedHCI(of: board).compactMap { packet -> DeviceAddress? in
            // LE Set Advertising Set Random Address: 1 byte for the set, 6 for the address, least significant first.
            guard case .command(0x2035, let parameters) = packet, parameters.count == 7 else { return nil }
            return DeviceAddress(bytes: parameters[1...].reversed())
        }
        return Set(addresses)
    }
}

extension DeviceAddress {
    /// Whether this is a resolvable private address: only a device with the right key can find out whose address it is.
    ///
    /// Its two most significant bits are 01 (Core Specification 6.0, Vol 6, Part B, 1.3.2.2).
    package var isResolvablePrivate: Bool { bytes[0] & 0xC0 == 0x40 }
}

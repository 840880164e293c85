import BoardProtocol
import RadioModel

extension [HCIPacket] {
    /// The handle of the first classic link that came up, two bytes; nil if none did (Connection Complete, status 0).
    public var classicHandle: [UInt8]? {
        for case .event(0x03, let parameters) in self where parameters.count >= 3 && parameters[0] == 0 {
            return [UInt8](parameters[1..<3])
        }
        return nil
    }
}

extension HCIPacket {
    /// Whether it tells that the link of this handle is encrypted (Encryption Change of either version, status 0).
    public func isEncryption(of handle: [UInt8]?) -> Bool {
        guard case .event(let code, let parameters) = self, code == 0x08 || code == 0x59, parameters.count >= 4 else {
            return false
        }
        return parameters[0] == 0 && Array(parameters[1..<3]) == handle && parameters[3] != 0
    }

    /// Whether it is a part of a pairing over classic Bluetooth: IO Capability Request and Response, User Confirmation Request,
    /// Simple Pairing Complete, or PIN Code Request.
    public var isClassicPairing: Bool {
        guard case .event(let code, _) = self else { return false }
        return [0x16, 0x31, 0x32, 0x33, 0x36].contains(code)
    }
}

extension AirHandle {
    /// The random addresses that a board advertised under so far.
    ///
    /// - Throws: ``RigFailure`` when the air or its capture is gone.
    public func randomAddresses(of board: BoardRole) async throws -> Set<DeviceAddress> {
        let addresses = try await capturedHCI(of: board).compactMap { packet -> DeviceAddress? in
            // LE Set Advertising Set Random Address: the set 1, the address 6, least significant byte first.
            guard case .command(0x2035, let parameters) = packet, parameters.count == 7 else { return nil }
            return DeviceAddress(bytes: parameters[1...].reversed())
        }
        return Set(addresses)
    }
}

extension DeviceAddress {
    /// Whether only who has its key resolves it: Core Specification 6.0, Vol 6, Part B, 1.3.2.2: the two most
    /// significant bits are 01.
    public var isResolvablePrivate: Bool { bytes[0] & 0xC0 == 0x40 }
}

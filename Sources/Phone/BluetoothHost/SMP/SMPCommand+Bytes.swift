import RadioModel

extension SMPCommand {
    /// Why bytes are not a command.
    package enum Unreadable: Error, Sendable, Equatable {
        /// The code is reserved. The receiver ignores the packet (3.3).
        case reservedCode(UInt8)
        /// The length or a value is invalid, or the packet is empty.
        case invalid(Malformed)
    }

    /// Reads a packet of the Security Manager channel.
    package init(_ packet: some Collection<UInt8>) throws(Unreadable) {
        guard let first = packet.first else { throw .invalid(Malformed("an empty SMP packet")) }
        guard let code = Code(rawValue: first) else { throw .reservedCode(first) }
        do throws(Malformed) {
            var reader = PacketReader(packet, of: "an SMP \(code)")
            _ = try reader.uint8()
            self = try SMPCommand(code, from: &reader)
            try reader.end()
        } catch {
            throw .invalid(error)
        }
    }

    private init(_ code: Code, from reader: inout PacketReader) throws(Malformed) {
        switch code {
        case .pairingRequest: self = .pairingRequest(try PairingParameters(from: &reader, of: code))
        case .pairingResponse: self = .pairingResponse(try PairingParameters(from: &reader, of: code))
        case .pairingConfirm: self = .pairingConfirm(try reader.value128())
        case .pairingRandom: self = .pairingRandom(try reader.value128())
        case .pairingFailed: self = .pairingFailed(PairingFailure(rawValue: try reader.uint8()))
        case .encryptionInformation: self = .encryptionInformation(try reader.value128())
        case .centralIdentification:
            let ediv = try reader.uint16()
            self = .centralIdentification(ediv: ediv, rand: try reader.uint64())
        case .identityInformation: self = .identityInformation(try reader.value128())
        case .identityAddressInformation:
            let isRandom = try reader.flag("an address type", of: code)
            self = .identityAddressInformation(PeerAddress(try reader.address(), isRandom: isRandom))
        case .signingInformation: self = .signingInformation(try reader.value128())
        case .securityRequest: self = .securityRequest(AuthenticationRequirements(rawValue: try reader.uint8()))
        case .publicKey:
            let x: [UInt8] = try reader.bytes(32).reversed()
            let y: [UInt8] = try reader.bytes(32).reversed()
            guard let key = PairingPublicKey(x: x, y: y) else { throw Malformed("an SMP \(code) without a point") }
            self = .publicKey(key)
        case .dhKeyCheck: self = .dhKeyCheck(try reader.value128())
        case .keypressNotification:
            let value = try reader.uint8()
            guard let key = Keypress(rawValue: value) else { throw Malformed("an SMP \(code) of type \(value)") }
            self = .keypressNotification(key)
        }
    }

    /// The packet.
    package var bytes: [UInt8] {
        var bytes = [code.rawValue]
        switch self {
        case .pairingRequest(let parameters), .pairingResponse(let parameters): bytes += parameters.bytes
        case .pairingConfirm(let value), .pairingRandom(let value), .encryptionInformation(let value),
            .identityInformation(let value), .signingInformation(let value), .dhKeyCheck(let value):
            bytes.append(value128: value)
        case .pairingFailed(let reason): bytes.append(reason.rawValue)
        case .centralIdentification(let ediv, let rand):
            bytes.append(uint16: ediv)
            bytes.append(uint64: rand)
        case .identityAddressInformation(let address):
            bytes.append(address.typeByte)
            bytes.append(address: address.address)
        case .securityRequest(let requirements): bytes.append(requirements.rawValue)
        case .publicKey(let key): bytes += key.x.reversed() + key.y.reversed()
        case .keypressNotification(let key): bytes.append(key.rawValue)
        }
        return bytes
    }
}

extension PairingParameters {
    fileprivate init(from reader: inout PacketReader, of code: SMPCommand.Code) throws(Malformed) {
        let number = try reader.uint8()
        guard let capability = PairingCapability(code: number) else {
            throw Malformed("an SMP \(code) with the reserved IO capability 0x\(Hex.text([number]))")
        }
        let hasOutOfBandData = try reader.flag("an OOB flag", of: code)
        let authentication = AuthenticationRequirements(rawValue: try reader.uint8())
        let keySize = try reader.uint8()
        guard (7...16).contains(keySize) else {
            throw Malformed("an SMP \(code) with keys of at most \(keySize) bytes; 7 to 16 are valid")
        }
        let initiatorKeys = KeyDistribution(rawValue: try reader.uint8())
        self.init(
            capability: capability, hasOutOfBandData: hasOutOfBandData, authentication: authentication,
            maximumKeySize: keySize, initiatorKeys: initiatorKeys,
            responderKeys: KeyDistribution(rawValue: try reader.uint8()))
    }

    fileprivate var bytes: [UInt8] {
        [
            capability.code, hasOutOfBandData ? 1 : 0, authentication.rawValue, maximumKeySize, initiatorKeys.rawValue,
            responderKeys.rawValue,
        ]
    }
}

extension PacketReader {
    /// A byte of 0 or 1.
    fileprivate mutating func flag(_ what: String, of code: SMPCommand.Code) throws(Malformed) -> Bool {
        let value = try uint8()
        guard value <= 1 else { throw Malformed("an SMP \(code) with \(what) of 0x\(Hex.text([value]))") }
        return value == 1
    }
}

extension PeerAddress {
    /// The address type in packets and in the cryptographic functions: 0 for a public address, 1 for a random one.
    var typeByte: UInt8 { isRandom ? 1 : 0 }
}

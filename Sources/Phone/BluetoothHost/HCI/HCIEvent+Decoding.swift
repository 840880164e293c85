import RadioModel

extension HCIEvent {
    /// Reads an event without the type byte of H4. Bytes after the known parameters are ignored: later versions of the
    /// specification may have more.
    ///
    /// - Throws: If the bytes are too few, or not as many as announced.
    package init(decoding packet: some Collection<UInt8>) throws(Malformed) {
        var header = PacketReader(packet, of: "an HCI event")
        let number = try header.uint8()
        let length = Int(try header.uint8())
        guard header.count == length else {
            throw Malformed("an HCI event that announces \(length) bytes and has \(header.count)")
        }
        guard let code = Code(rawValue: number) else {
            self = .unknown(code: number, header.remainder())
            return
        }
        var reader = PacketReader(header.remainder(), of: code.name)
        if code == .leMeta {
            self = try HCIEvent.lowEnergy(&reader)
        } else if let event = try HCIEvent.general(code, &reader) {
            self = event
        } else if let event = try HCIEvent.classic(code, &reader) {
            self = event
        } else {
            self = .unknown(code: number, reader.remainder())
        }
    }

    /// An event about the controller or about any link; nil for other codes.
    private static func general(_ code: Code, _ reader: inout PacketReader) throws(Malformed) -> HCIEvent? {
        switch code {
        case .commandComplete:
            let allowance = Int(try reader.uint8())
            let opcode = HCIOpcode(rawValue: try reader.uint16())
            return .commandComplete(opcode, allowance: allowance, returnParameters: reader.remainder())
        case .commandStatus:
            let (status, allowance) = (try reader.status(), Int(try reader.uint8()))
            return .commandStatus(HCIOpcode(rawValue: try reader.uint16()), status: status, allowance: allowance)
        case .disconnectionComplete:
            let status = try reader.status()
            return .disconnectionComplete(try reader.handle(), status: status, reason: try reader.status())
        case .encryptionChange, .encryptionChangeV2:
            let (status, handle, mode) = (try reader.status(), try reader.handle(), try reader.uint8())
            let keySize = try code == .encryptionChangeV2 ? Int(reader.uint8()) : nil
            return .encryptionChange(EncryptionChange(handle: handle, status: status, mode: mode, keySize: keySize))
        case .encryptionKeyRefreshComplete:
            let status = try reader.status()
            return .encryptionKeyRefreshComplete(try reader.handle(), status: status)
        case .numberOfCompletedPackets:
            return .completedPackets(try completedPackets(&reader))
        case .hardwareError:
            return .hardwareError(code: try reader.uint8())
        case .dataBufferOverflow:
            return .dataBufferOverflow(linkType: try reader.uint8())
        case .readRemoteVersionInformationComplete:
            let (status, handle) = (try reader.status(), try reader.handle())
            return .remoteVersion(
                RemoteVersion(
                    handle: handle, status: status, version: try reader.uint8(), company: try reader.uint16(),
                    subversion: try reader.uint16()))
        default: return nil
        }
    }

    private static func completedPackets(_ reader: inout PacketReader) throws(Malformed) -> [CompletedPackets] {
        var links: [CompletedPackets] = []
        for _ in 0..<Int(try reader.uint8()) {
            let handle = try reader.handle()
            links.append(CompletedPackets(handle: handle, count: Int(try reader.uint16())))
        }
        return links
    }

    /// An event of the classic controller; nil for other codes.
    private static func classic(_ code: Code, _ reader: inout PacketReader) throws(Malformed) -> HCIEvent? {
        switch code {
        case .connectionComplete: return .connectionComplete(try reader.classicConnection())
        case .connectionRequest:
            let (address, deviceClass) = (try reader.address(), try reader.uint24())
            return .connectionRequest(address, deviceClass: deviceClass, linkType: try reader.uint8())
        case .authenticationComplete:
            let status = try reader.status()
            return .authenticationComplete(try reader.handle(), status: status)
        case .remoteNameRequestComplete:
            let (status, address) = (try reader.status(), try reader.address())
            return .remoteName(address, status: status, name: Array(reader.remainder().prefix { $0 != 0 }))
        case .readRemoteSupportedFeaturesComplete:
            let (status, handle) = (try reader.status(), try reader.handle())
            return .remoteSupportedFeatures(handle, status: status, features: try reader.uint64())
        case .linkKeyRequest: return .linkKeyRequest(try reader.address())
        case .linkKeyNotification:
            let (address, key) = (try reader.address(), try reader.bytes(16))
            return .linkKeyNotification(address, key: key, type: try reader.uint8())
        case .ioCapabilityRequest: return .ioCapabilityRequest(try reader.address())
        case .userConfirmationRequest:
            let address = try reader.address()
            return .userConfirmationRequest(address, number: try reader.uint32())
        case .returnLinkKeys: return .returnLinkKeys
        default: return nil
        }
    }
}

extension PacketReader {
    mutating func status() throws(Malformed) -> HCIError { HCIError(rawValue: try uint8()) }

    fileprivate mutating func classicConnection() throws(Malformed) -> ClassicConnectionComplete {
        let (status, handle) = (try self.status(), try self.handle())
        return ClassicConnectionComplete(
            handle: handle, status: status, address: try address(), linkType: try uint8(),
            isEncrypted: try uint8() != 0)
    }
}

import RadioModel

extension ControllerInformation {
    /// Takes what a command of the start returned after its status. Other commands are ignored.
    mutating func take(_ parameters: [UInt8], of opcode: HCIOpcode) throws(Malformed) {
        var reader = PacketReader(parameters, of: "the answer to \(opcode)")
        switch opcode {
        case .readLocalVersionInformation:
            version = Version(
                hci: try reader.uint8(), hciSubversion: try reader.uint16(), linkManager: try reader.uint8(),
                company: try reader.uint16(), subversion: try reader.uint16())
        case .readLocalSupportedCommands: supportedCommands = SupportedCommands(try reader.bytes(64))
        case .readLocalSupportedFeatures: classicFeatures = try reader.uint64()
        case .readAddress:
            let address = try reader.address()
            self.address = address.bytes.allSatisfy { $0 == 0 } ? nil : address
        case .readBufferSize:
            let length = Int(try reader.uint16())
            // The length of synchronous data.
            _ = try reader.uint8()
            buffers.classic = .init(packetLength: length, packetCount: Int(try reader.uint16()))
        case .leReadBufferSize:
            let length = Int(try reader.uint16())
            buffers.lowEnergy = .init(packetLength: length, packetCount: Int(try reader.uint8()))
        case .leReadLocalSupportedFeatures: features = LEFeatures(rawValue: try reader.uint64())
        case .leReadSupportedStates: states = LEStates(rawValue: try reader.uint64())
        case .leReadFilterAcceptListSize: filterAcceptListSize = Int(try reader.uint8())
        case .leReadResolvingListSize: resolvingListSize = Int(try reader.uint8())
        case .leReadMaximumAdvertisingDataLength: advertisingDataLength = Int(try reader.uint16())
        case .leReadNumberOfSupportedAdvertisingSets: advertisingSets = Int(try reader.uint8())
        case .leReadMaximumDataLength: dataLength = try reader.dataLength()
        default: break
        }
    }
}

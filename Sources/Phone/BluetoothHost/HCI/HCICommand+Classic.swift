import RadioModel

/// How to connect to a classic device.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 7.1.5.
package struct ClassicConnectionRequest: Sendable, Hashable {
    package var address: DeviceAddress
    /// The packets that may be used; by default DM1, DH1, DM3, DH3, DM5, DH5, and all of the enhanced data rate.
    package var packetTypes: UInt16 = 0xCC18
    /// How often the device scans for pages: 0 (continuously), 1 (each 1.28 s) or 2 (each 2.56 s).
    package var repetitionMode: UInt8 = 1
    /// Whether this end may become the peripheral.
    package var allowsRoleSwitch = true

    package init(to address: DeviceAddress) { self.address = address }
}

/// Commands for a classic (BR/EDR) link.
extension HCICommand {
    /// Connects (7.1.5).
    package static func createConnection(_ request: ClassicConnectionRequest) -> HCICommand {
        HCICommand(.createConnection) {
            $0.append(address: request.address)
            $0.append(uint16: request.packetTypes)
            $0.append(request.repetitionMode)
            $0.append(0)
            // The clock offset is unknown.
            $0.append(uint16: 0)
            $0.append(flag: request.allowsRoleSwitch)
        }
    }

    /// Gives up a connection that is not made yet (7.1.7).
    package static func createConnectionCancel(_ device: DeviceAddress) -> HCICommand {
        HCICommand(.createConnectionCancel, of: device)
    }

    /// - Parameter becomesCentral: Whether to switch the roles.
    package static func acceptConnectionRequest(_ device: DeviceAddress, becomesCentral: Bool) -> HCICommand {
        HCICommand(.acceptConnectionRequest) {
            $0.append(address: device)
            $0.append(flag: !becomesCentral)
        }
    }

    package static func rejectConnectionRequest(
        _ device: DeviceAddress, reason: HCIError = .unacceptableAddress
    ) -> HCICommand {
        HCICommand(.rejectConnectionRequest) {
            $0.append(address: device)
            $0.append(reason.rawValue)
        }
    }

    /// Authenticates the other device (7.1.15).
    package static func authenticationRequested(_ link: ConnectionHandle) -> HCICommand {
        HCICommand(.authenticationRequested, of: link)
    }

    package static func setConnectionEncryption(_ link: ConnectionHandle, _ isOn: Bool) -> HCICommand {
        HCICommand(.setConnectionEncryption) {
            $0.append(handle: link)
            $0.append(flag: isOn)
        }
    }

    /// - Parameter key: 16 bytes, least significant byte first.
    package static func linkKeyRequestReply(_ device: DeviceAddress, key: [UInt8]) -> HCICommand {
        HCICommand(.linkKeyRequestReply) {
            $0.append(address: device)
            $0.append(key: key)
        }
    }

    package static func linkKeyRequestNegativeReply(_ device: DeviceAddress) -> HCICommand {
        HCICommand(.linkKeyRequestNegativeReply, of: device)
    }

    /// Refuses to pair (7.1.36).
    package static func ioCapabilityRequestNegativeReply(
        _ device: DeviceAddress, reason: HCIError = .pairingNotAllowed
    ) -> HCICommand {
        HCICommand(.ioCapabilityRequestNegativeReply) {
            $0.append(address: device)
            $0.append(reason.rawValue)
        }
    }

    package static func writeSimplePairingMode(_ isOn: Bool) -> HCICommand {
        HCICommand(.writeSimplePairingMode) { $0.append(flag: isOn) }
    }

    package static func writeSecureConnectionsHostSupport(_ isOn: Bool) -> HCICommand {
        HCICommand(.writeSecureConnectionsHostSupport) { $0.append(flag: isOn) }
    }

    /// The size of the key that encrypts a link (7.5.7). Its answer has the link and 1 byte, the size in bytes.
    package static func readEncryptionKeySize(_ link: ConnectionHandle) -> HCICommand {
        HCICommand(.readEncryptionKeySize, of: link)
    }

    /// - Parameters:
    ///   - isDiscoverable: Whether inquiries are answered.
    ///   - isConnectable: Whether pages are answered.
    package static func writeScanEnable(isDiscoverable: Bool, isConnectable: Bool) -> HCICommand {
        HCICommand(.writeScanEnable, [(isDiscoverable ? 1 : 0) | (isConnectable ? 2 : 0)])
    }

    /// - Parameter slots: In units of 0.625 ms.
    package static func writePageTimeout(slots: UInt16) -> HCICommand {
        HCICommand(.writePageTimeout) { $0.append(uint16: slots) }
    }

    package static func remoteNameRequest(_ device: DeviceAddress, repetitionMode: UInt8 = 1) -> HCICommand {
        HCICommand(.remoteNameRequest) {
            $0.append(address: device)
            $0.append(repetitionMode)
            $0.append(0)
            // The clock offset is unknown.
            $0.append(uint16: 0)
        }
    }

    package static func readRemoteSupportedFeatures(_ link: ConnectionHandle) -> HCICommand {
        HCICommand(.readRemoteSupportedFeatures, of: link)
    }

    /// A command whose only parameter is a device.
    private init(_ opcode: HCIOpcode, of device: DeviceAddress) {
        self.init(opcode) { $0.append(address: device) }
    }
}

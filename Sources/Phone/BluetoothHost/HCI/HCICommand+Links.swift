import RadioModel

/// Commands about one LE link, or about any link.
extension HCICommand {
    /// Ends a link (7.1.6).
    package static func disconnect(_ link: ConnectionHandle, reason: HCIError = .remoteUserEnded) -> HCICommand {
        HCICommand(.disconnect) {
            $0.append(handle: link)
            $0.append(reason.rawValue)
        }
    }

    /// The version of the other controller (7.1.23).
    package static func readRemoteVersionInformation(_ link: ConnectionHandle) -> HCICommand {
        HCICommand(.readRemoteVersionInformation, of: link)
    }

    /// Changes the parameters of a link (7.8.18).
    ///
    /// - Parameter eventLength: The expected length of connection events, in units of 0.625 ms.
    package static func leConnectionUpdate(
        _ link: ConnectionHandle, _ parameters: ConnectionParameters, eventLength: ClosedRange<UInt16> = 0...0
    ) -> HCICommand {
        HCICommand(.leConnectionUpdate) {
            $0.append(handle: link)
            $0.append(connection: parameters)
            $0.append(range: eventLength)
        }
    }

    /// Accepts parameters that the other device asks for (7.8.31).
    ///
    /// - Parameter eventLength: In units of 0.625 ms.
    package static func leRemoteConnectionParameterRequestReply(
        _ link: ConnectionHandle, _ parameters: ConnectionParameters, eventLength: ClosedRange<UInt16> = 0...0
    ) -> HCICommand {
        HCICommand(.leRemoteConnectionParameterRequestReply) {
            $0.append(handle: link)
            $0.append(connection: parameters)
            $0.append(range: eventLength)
        }
    }

    /// Refuses parameters that the other device asks for (7.8.32).
    package static func leRemoteConnectionParameterRequestNegativeReply(
        _ link: ConnectionHandle, reason: HCIError = .unacceptableConnectionParameters
    ) -> HCICommand {
        HCICommand(.leRemoteConnectionParameterRequestNegativeReply) {
            $0.append(handle: link)
            $0.append(reason.rawValue)
        }
    }

    /// The LE features of the other controller (7.8.21).
    package static func leReadRemoteFeatures(_ link: ConnectionHandle) -> HCICommand {
        HCICommand(.leReadRemoteFeatures, of: link)
    }

    /// Encrypts a link as its central, or changes the key of an encrypted one (7.8.24).
    ///
    /// - Parameters:
    ///   - random: 0 with LE Secure Connections and with a short term key.
    ///   - diversifier: The same.
    ///   - key: 16 bytes, least significant byte first.
    package static func leEnableEncryption(
        _ link: ConnectionHandle, random: UInt64, diversifier: UInt16, key: [UInt8]
    ) -> HCICommand {
        HCICommand(.leEnableEncryption) {
            $0.append(handle: link)
            $0.append(uint64: random)
            $0.append(uint16: diversifier)
            $0.append(key: key)
        }
    }

    /// Gives the key of a link that the central encrypts (7.8.25).
    ///
    /// - Parameter key: 16 bytes, least significant byte first.
    package static func leLongTermKeyRequestReply(_ link: ConnectionHandle, key: [UInt8]) -> HCICommand {
        HCICommand(.leLongTermKeyRequestReply) {
            $0.append(handle: link)
            $0.append(key: key)
        }
    }

    /// Answers a central's encryption without a key (7.8.26).
    package static func leLongTermKeyRequestNegativeReply(_ link: ConnectionHandle) -> HCICommand {
        HCICommand(.leLongTermKeyRequestNegativeReply, of: link)
    }

    /// Asks for the longest packets that this device sends (7.8.33).
    package static func leSetDataLength(_ link: ConnectionHandle, _ length: TransmitLength) -> HCICommand {
        HCICommand(.leSetDataLength) {
            $0.append(handle: link)
            $0.append(uint16: length.octets)
            $0.append(uint16: length.microseconds)
        }
    }

    /// The PHYs of a link now (7.8.47).
    package static func leReadPHY(_ link: ConnectionHandle) -> HCICommand { HCICommand(.leReadPHY, of: link) }

    /// The PHYs that this host prefers on a link (7.8.49).
    ///
    /// - Parameters:
    ///   - tx: nil for no preference.
    ///   - rx: nil for no preference.
    package static func leSetPHY(_ link: ConnectionHandle, tx: LEPHYSet?, rx: LEPHYSet?) -> HCICommand {
        HCICommand(.leSetPHY) {
            $0.append(handle: link)
            $0.append(phyPreferences: tx, rx)
            // No preference for the coding of the Coded PHY.
            $0.append(uint16: 0)
        }
    }

    /// The received signal strength of a link (7.5.4).
    package static func readRSSI(_ link: ConnectionHandle) -> HCICommand { HCICommand(.readRSSI, of: link) }

    /// A command whose only parameter is a link.
    init(_ opcode: HCIOpcode, of link: ConnectionHandle) {
        self.init(opcode) { $0.append(handle: link) }
    }
}

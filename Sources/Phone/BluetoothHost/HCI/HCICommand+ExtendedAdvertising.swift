import RadioModel

/// How an advertising set advertises.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 7.8.53.
package struct ExtendedAdvertisingParameters: Sendable, Hashable {
    /// What an advertisement allows, and its form.
    package struct Properties: OptionSet, Sendable, Hashable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let connectable = Properties(rawValue: 1)
        package static let scannable = Properties(rawValue: 2)
        package static let directed = Properties(rawValue: 4)
        package static let highDutyCycle = Properties(rawValue: 8)
        /// In the packets of Bluetooth 4: at most 31 bytes.
        package static let legacy = Properties(rawValue: 0x10)
        package static let anonymous = Properties(rawValue: 0x20)
        package static let withTxPower = Properties(rawValue: 0x40)
    }

    package var properties: Properties = [.connectable, .scannable, .legacy]
    /// Time between two advertisements, in units of 0.625 ms; 24 bits.
    package var interval: ClosedRange<UInt32> = 0x30...0x30
    /// The advertising channels 37, 38 and 39 as the bits 0, 1 and 2.
    package var channels: UInt8 = 0x07
    package var ownAddress = OwnAddress.random
    /// The device of a directed advertisement.
    package var peer: PeerAddress?
    package var filter = AdvertisingFilter.all
    /// In dBm; 127 for no preference.
    package var txPower: Int8 = 127
    package var primaryPHY = LEPHY.oneMegabit
    package var secondaryPHY = LEPHY.oneMegabit
    /// The advertising set ID in the packets, 0 to 15.
    package var setID: UInt8 = 0
    /// Whether the controller reports each scan request.
    package var reportsScanRequests = false

    package init() {}
}

/// An advertising set that begins to advertise.
package struct EnabledAdvertisingSet: Sendable, Hashable {
    /// The set's handle, 0x00 to 0xEF.
    package var set: UInt8
    /// In units of 10 ms; 0 until it is ended.
    package var duration: UInt16
    /// How many advertisements; 0 without a limit.
    package var mostEvents: UInt8

    package init(_ set: UInt8, duration: UInt16 = 0, mostEvents: UInt8 = 0) {
        self.set = set
        self.duration = duration
        self.mostEvents = mostEvents
    }
}

/// Commands for extended advertising. The handle of a set is the host's choice, 0x00 to 0xEF.
extension HCICommand {
    /// The most bytes of data in one command (7.8.54).
    package static let extendedDataFragment = 251

    package static var leReadMaximumAdvertisingDataLength: HCICommand {
        HCICommand(.leReadMaximumAdvertisingDataLength)
    }

    package static var leReadNumberOfSupportedAdvertisingSets: HCICommand {
        HCICommand(.leReadNumberOfSupportedAdvertisingSets)
    }

    /// The random address of a set (7.8.52).
    package static func leSetAdvertisingSetRandomAddress(_ set: UInt8, _ address: DeviceAddress) -> HCICommand {
        HCICommand(.leSetAdvertisingSetRandomAddress) {
            $0.append(set)
            $0.append(address: address)
        }
    }

    /// Makes or changes a set (7.8.53). Its answer has the transmit power, 1 byte in dBm.
    package static func leSetExtendedAdvertisingParameters(
        _ set: UInt8, _ parameters: ExtendedAdvertisingParameters
    ) -> HCICommand {
        HCICommand(.leSetExtendedAdvertisingParameters) {
            $0.append(set)
            $0.append(uint16: parameters.properties.rawValue)
            $0.append(uint24: parameters.interval.lowerBound)
            $0.append(uint24: parameters.interval.upperBound)
            $0.append(parameters.channels)
            $0.append(parameters.ownAddress.rawValue)
            $0.append(optionalPeer: parameters.peer)
            $0.append(parameters.filter.rawValue)
            $0.append(UInt8(bitPattern: parameters.txPower))
            $0.append(parameters.primaryPHY.rawValue)
            // No advertisement on the secondary channels is left out.
            $0.append(0)
            $0.append(parameters.secondaryPHY.rawValue)
            $0.append(parameters.setID)
            $0.append(flag: parameters.reportsScanRequests)
        }
    }

    /// What a set advertises: one command, or several for more than 251 bytes (7.8.54).
    package static func leSetExtendedAdvertisingData(_ set: UInt8, _ data: [UInt8]) -> [HCICommand] {
        fragments(of: data, for: set, .leSetExtendedAdvertisingData)
    }

    /// What a set answers to a scan request: one command, or several for more than 251 bytes (7.8.55).
    package static func leSetExtendedScanResponseData(_ set: UInt8, _ data: [UInt8]) -> [HCICommand] {
        fragments(of: data, for: set, .leSetExtendedScanResponseData)
    }

    /// Begins or ends advertising (7.8.56).
    ///
    /// - Parameter sets: No sets at the end means all of them.
    package static func leSetExtendedAdvertisingEnable(_ isOn: Bool, _ sets: [EnabledAdvertisingSet]) -> HCICommand {
        HCICommand(.leSetExtendedAdvertisingEnable) {
            let sets = sets.prefix(mostSets)
            $0.append(flag: isOn)
            $0.append(UInt8(clamping: sets.count))
            for set in sets {
                $0.append(set.set)
                $0.append(uint16: set.duration)
                $0.append(set.mostEvents)
            }
        }
    }

    package static func leRemoveAdvertisingSet(_ set: UInt8) -> HCICommand {
        HCICommand(.leRemoveAdvertisingSet, [set])
    }

    package static var leClearAdvertisingSets: HCICommand { HCICommand(.leClearAdvertisingSets) }

    /// The most sets that fit into one command.
    private static let mostSets = 63

    private static func fragments(of data: [UInt8], for set: UInt8, _ opcode: HCIOpcode) -> [HCICommand] {
        let starts = Array(stride(from: 0, to: max(1, data.count), by: extendedDataFragment))
        return starts.enumerated().map { index, start in
            let piece = data[start..<min(start + extendedDataFragment, data.count)]
            let (isFirst, isLast) = (index == 0, index == starts.count - 1)
            return HCICommand(opcode) {
                $0.append(set)
                // Intermediate, first, last, or complete.
                $0.append((isFirst ? 1 : 0) | (isLast ? 2 : 0))
                // The controller may fragment the data in the air.
                $0.append(0)
                $0.append(UInt8(clamping: piece.count))
                $0.append(contentsOf: piece)
            }
        }
    }
}

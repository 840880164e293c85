import RadioModel

/// Commands about the controller itself.
extension HCICommand {
    /// Brings the controller to its state after power-on (7.3.2).
    package static var reset: HCICommand { HCICommand(.reset) }

    /// The events that the controller may send (7.3.1). Events of LE need `leMeta` and ``leSetEventMask(_:)``.
    package static func setEventMask(_ events: some Sequence<HCIEvent.Code>) -> HCICommand {
        HCICommand(.setEventMask) { $0.append(uint64: mask(events.map(\.rawValue))) }
    }

    /// The LE events that the controller may send (7.8.1).
    package static func leSetEventMask(_ events: some Sequence<HCIEvent.LECode>) -> HCICommand {
        HCICommand(.leSetEventMask) { $0.append(uint64: mask(events.map(\.rawValue))) }
    }

    /// The bit of an event is one less than its code.
    private static func mask(_ codes: [UInt8]) -> UInt64 {
        codes.filter { (1...64).contains($0) }.reduce(0) { $0 | 1 << UInt64($1 - 1) }
    }

    package static var readLocalVersionInformation: HCICommand { HCICommand(.readLocalVersionInformation) }
    package static var readLocalSupportedCommands: HCICommand { HCICommand(.readLocalSupportedCommands) }
    package static var readLocalSupportedFeatures: HCICommand { HCICommand(.readLocalSupportedFeatures) }
    package static var readBufferSize: HCICommand { HCICommand(.readBufferSize) }
    /// The controller's public address.
    package static var readAddress: HCICommand { HCICommand(.readAddress) }
    package static var leReadBufferSize: HCICommand { HCICommand(.leReadBufferSize) }
    package static var leReadLocalSupportedFeatures: HCICommand { HCICommand(.leReadLocalSupportedFeatures) }
    package static var leReadSupportedStates: HCICommand { HCICommand(.leReadSupportedStates) }
    package static var leReadFilterAcceptListSize: HCICommand { HCICommand(.leReadFilterAcceptListSize) }
    package static var leReadResolvingListSize: HCICommand { HCICommand(.leReadResolvingListSize) }
    package static var leReadMaximumDataLength: HCICommand { HCICommand(.leReadMaximumDataLength) }
    /// Eight random bytes of the controller.
    package static var leRand: HCICommand { HCICommand(.leRand) }

    /// Tells the classic controller that this host has LE (7.3.79).
    package static func writeLEHostSupport(_ isSupported: Bool) -> HCICommand {
        HCICommand(.writeLEHostSupport) {
            $0.append(flag: isSupported)
            $0.append(0)
        }
    }

    /// The random address for legacy advertising, scanning and connecting (7.8.4).
    package static func leSetRandomAddress(_ address: DeviceAddress) -> HCICommand {
        HCICommand(.leSetRandomAddress) { $0.append(address: address) }
    }

    /// Whether the controller resolves private addresses by its resolving list (7.8.44).
    package static func leSetAddressResolutionEnable(_ isOn: Bool) -> HCICommand {
        HCICommand(.leSetAddressResolutionEnable) { $0.append(flag: isOn) }
    }

    /// The data length that the controller asks for on each new link (7.8.35).
    package static func leWriteSuggestedDefaultDataLength(_ length: TransmitLength) -> HCICommand {
        HCICommand(.leWriteSuggestedDefaultDataLength) {
            $0.append(uint16: length.octets)
            $0.append(uint16: length.microseconds)
        }
    }

    /// The PHYs that the controller prefers on new links (7.8.48).
    ///
    /// - Parameters: nil for no preference.
    package static func leSetDefaultPHY(tx: LEPHYSet?, rx: LEPHYSet?) -> HCICommand {
        HCICommand(.leSetDefaultPHY) { $0.append(phyPreferences: tx, rx) }
    }

    package static var leClearFilterAcceptList: HCICommand { HCICommand(.leClearFilterAcceptList) }

    package static func leAddToFilterAcceptList(_ device: PeerAddress) -> HCICommand {
        HCICommand(.leAddDeviceToFilterAcceptList) { $0.append(peer: device) }
    }

    package static func leRemoveFromFilterAcceptList(_ device: PeerAddress) -> HCICommand {
        HCICommand(.leRemoveDeviceFromFilterAcceptList) { $0.append(peer: device) }
    }
}

extension [UInt8] {
    /// Which preferences there are, then the preferences.
    mutating func append(phyPreferences tx: LEPHYSet?, _ rx: LEPHYSet?) {
        append((tx == nil ? 1 : 0) | (rx == nil ? 2 : 0))
        append(tx?.rawValue ?? 0)
        append(rx?.rawValue ?? 0)
    }
}

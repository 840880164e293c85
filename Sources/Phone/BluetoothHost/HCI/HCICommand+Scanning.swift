import RadioModel

/// How to scan.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 7.8.10 and 7.8.64.
package struct ScanParameters: Sendable, Hashable {
    /// Which advertisements the controller reports.
    package enum Filter: UInt8, Sendable, Hashable {
        /// All, but of directed ones only those for this device.
        case all = 0
        /// Those of devices in the filter accept list.
        case acceptList = 1
        /// Those of `all`, and directed ones for a private address.
        case allExtended = 2
        /// Those of `acceptList`, and directed ones for a private address.
        case acceptListExtended = 3
    }

    /// Whether to ask advertisers for their scan response.
    package var isActive = true
    /// Time between the beginnings of two scans, in units of 0.625 ms.
    package var interval: UInt16 = 0x60
    /// Duration of a scan, in units of 0.625 ms; at most `interval`.
    package var window: UInt16 = 0x30
    package var ownAddress = OwnAddress.random
    package var filter = Filter.all
    /// The PHYs of an extended scan: 1M, Coded, or both.
    package var phys: LEPHYSet = .oneMegabit

    package init() {}
}

/// Commands for scans.
extension HCICommand {
    /// How to scan (7.8.10).
    package static func leSetScanParameters(_ parameters: ScanParameters) -> HCICommand {
        HCICommand(.leSetScanParameters) {
            $0.append(flag: parameters.isActive)
            $0.append(uint16: parameters.interval)
            $0.append(uint16: parameters.window)
            $0.append(parameters.ownAddress.rawValue)
            $0.append(parameters.filter.rawValue)
        }
    }

    /// Begins or ends a scan (7.8.11).
    ///
    /// - Parameter dropsDuplicates: Whether the controller reports a device only once.
    package static func leSetScanEnable(_ isOn: Bool, dropsDuplicates: Bool) -> HCICommand {
        HCICommand(.leSetScanEnable) {
            $0.append(flag: isOn)
            $0.append(flag: dropsDuplicates)
        }
    }

    /// How to scan for legacy and extended advertisements (7.8.64).
    package static func leSetExtendedScanParameters(_ parameters: ScanParameters) -> HCICommand {
        HCICommand(.leSetExtendedScanParameters) {
            let phys = parameters.phys.intersection([.oneMegabit, .coded])
            $0.append(parameters.ownAddress.rawValue)
            $0.append(parameters.filter.rawValue)
            $0.append(phys.rawValue)
            for _ in 0..<phys.count {
                $0.append(flag: parameters.isActive)
                $0.append(uint16: parameters.interval)
                $0.append(uint16: parameters.window)
            }
        }
    }

    /// Begins or ends a scan for legacy and extended advertisements (7.8.65).
    ///
    /// - Parameters:
    ///   - dropsDuplicates: Whether the controller reports a device only once.
    ///   - duration: In units of 10 ms; 0 until it is ended.
    package static func leSetExtendedScanEnable(
        _ isOn: Bool, dropsDuplicates: Bool, duration: UInt16 = 0
    ) -> HCICommand {
        HCICommand(.leSetExtendedScanEnable) {
            $0.append(flag: isOn)
            $0.append(flag: dropsDuplicates)
            $0.append(uint16: duration)
            // No repetition.
            $0.append(uint16: 0)
        }
    }
}

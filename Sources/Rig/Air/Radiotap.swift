import VirtualRadio

/// The radiotap header of an 802.11 frame: rate, channel and signal (radiotap.org).
enum Radiotap {
    /// Rates of the 2.4 GHz band in units of 500 kbit/s, as `mac80211_hwsim` numbers them; 5 GHz begins at the fifth.
    private static let rates: [UInt8] = [2, 4, 11, 22, 12, 18, 24, 36, 48, 72, 96, 108]
    /// The number of CCK rates, which only the 2.4 GHz band has, before the OFDM rates.
    static let cckCount = 4

    private enum Present {
        static let flags: UInt32 = 1 << 1
        static let rate: UInt32 = 1 << 2
        static let channel: UInt32 = 1 << 3
        static let signal: UInt32 = 1 << 5
        static let mcs: UInt32 = 1 << 19
    }

    /// The number of a legacy rate in its band, or nil for an MCS.
    static func legacyRate(of transmission: WiFiTransmission) -> UInt8? {
        let rate = transmission.rates[0]
        let count = transmission.frequency < 4000 ? rates.count : rates.count - cckCount
        guard rate.flags & WiFiRate.mcsFlags == 0, rate.index >= 0, rate.index < count else { return nil }
        return UInt8(rate.index)
    }

    /// The header of a transmission.
    ///
    /// - Parameter signal: At the receiver, in dBm; nil if nobody hears it.
    static func header(of transmission: WiFiTransmission, signal: Int8?) -> [UInt8] {
        let isLow = transmission.frequency < 4000
        let legacy = legacyRate(of: transmission).map { Int($0) + (isLow ? 0 : cckCount) }
        let mcs = transmission.rates[0].flags & WiFiRate.mcsFlags == 1 << 3 ? transmission.rates[0].index : nil
        var present = Present.flags | Present.channel
        // The fields in the order of their bits, each aligned to its size; the first comes at offset 8.
        var fields: [UInt8] = [0]
        if let legacy {
            present |= Present.rate
            fields.append(rates[legacy])
        } else {
            fields.append(0)
        }
        let cck = isLow && (legacy ?? cckCount) < cckCount
        let channel: UInt16 = (isLow ? 0x0080 : 0x0100) | (cck ? 0x0020 : 0x0040)
        fields += bytes(transmission.frequency) + bytes(channel)
        if let signal {
            present |= Present.signal
            fields.append(UInt8(bitPattern: signal))
        }
        if let mcs, mcs >= 0 {
            present |= Present.mcs
            fields += [0x02, 0, UInt8(mcs)]
        }
        let length = UInt16(8 + fields.count)
        return [0, 0] + bytes(length) + bytes(UInt16(truncatingIfNeeded: present))
            + bytes(UInt16(truncatingIfNeeded: present >> 16)) + fields
    }

    private static func bytes(_ number: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }
}

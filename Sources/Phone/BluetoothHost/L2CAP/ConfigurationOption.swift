import RadioModel

/// One option of the configuration of a classic channel.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 5.
package struct ConfigurationOption: Sendable, Hashable {
    /// The kind of option, 7 bits.
    package var type: UInt8
    /// Whether a receiver without knowledge of the option skips it.
    package var isHint = false
    /// At most 255 bytes.
    package var value: [UInt8]

    package static let mtuType: UInt8 = 0x01
    package static let flushTimeoutType: UInt8 = 0x02
    package static let qualityOfServiceType: UInt8 = 0x03
    package static let modeType: UInt8 = 0x04

    /// The longest SDU in bytes that the sender of a request receives (5.1).
    package static func mtu(_ value: UInt16) -> ConfigurationOption {
        ConfigurationOption(type: mtuType, value: [UInt8(value & 0xFF), UInt8(value >> 8)])
    }

    /// Basic mode, without retransmission (5.4).
    package static let basicMode = ConfigurationOption(type: modeType, value: [UInt8](repeating: 0, count: 9))

    /// The MTU in bytes; nil in another option and in one of a wrong length.
    package var mtu: UInt16? {
        type == Self.mtuType && value.count == 2 ? UInt16(value[0]) | UInt16(value[1]) << 8 : nil
    }

    /// The options in a Configuration Request or Response.
    static func read(_ reader: inout PacketReader) throws(Malformed) -> [ConfigurationOption] {
        var options: [ConfigurationOption] = []
        while reader.count > 0 {
            let type = try reader.uint8()
            let length = Int(try reader.uint8())
            options.append(
                ConfigurationOption(type: type & 0x7F, isHint: type & 0x80 != 0, value: try reader.bytes(length)))
        }
        return options
    }

    var bytes: [UInt8] {
        let sent = value.prefix(Int(UInt8.max))
        return [isHint ? type | 0x80 : type, UInt8(clamping: sent.count)] + sent
    }
}

/// The answer to a Configuration Request.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 4.5, table 4.11.
package struct ConfigurationResult: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let success = ConfigurationResult(rawValue: 0)
    /// The answer's options have values that would do.
    package static let unacceptableParameters = ConfigurationResult(rawValue: 1)
    package static let rejected = ConfigurationResult(rawValue: 2)
    /// The answer has the unknown options.
    package static let unknownOptions = ConfigurationResult(rawValue: 3)
    package static let pending = ConfigurationResult(rawValue: 4)
}

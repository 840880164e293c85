/// The envelope of every byte stream between runner, air and boards.
///
/// Byte layout, little-endian:
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 2 | magic `H` `I` |
/// | 2 | 1 | version, 1 |
/// | 3 | 1 | kind; each stream gives it a meaning |
/// | 4 | 4 | length *n* of the payload |
/// | 8 | 4 | CRC-32 (IEEE 802.3) of bytes 2 to 7 and the payload |
/// | 12 | *n* | payload |
///
/// A reader that finds other bytes skips to the next magic. So a stream that was cut in the middle of a frame recovers.
package struct Frame: Sendable, Equatable {
    /// Bytes before the payload.
    package static let headerSize = 12
    /// The largest payload that a reader accepts by default: 4 MiB.
    package static let defaultLimit = 4 << 20

    /// What the payload is. Each stream has its own numbers.
    package let kind: UInt8
    package let payload: [UInt8]

    package init(kind: UInt8, payload: [UInt8]) {
        self.kind = kind
        self.payload = payload
    }

    /// The bytes to send.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = [0x48, 0x49, 1, kind]
        bytes.reserveCapacity(Frame.headerSize + payload.count)
        append(UInt32(payload.count), to: &bytes)
        var checksum = CRC32()
        checksum.update(bytes[2..<8])
        checksum.update(payload)
        append(checksum.value, to: &bytes)
        bytes += payload
        return bytes
    }

    private func append(_ value: UInt32, to bytes: inout [UInt8]) {
        for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift))) }
    }
}

/// CRC-32 of IEEE 802.3: polynomial 0x04C11DB7, reflected; it starts with all ones, and the result is inverted.
struct CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private var state: UInt32 = 0xFFFF_FFFF
    var value: UInt32 { ~state }

    mutating func update(_ bytes: some Collection<UInt8>) {
        for byte in bytes { state = CRC32.table[Int((state ^ UInt32(byte)) & 0xFF)] ^ (state >> 8) }
    }
}

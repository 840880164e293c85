/// The blocks of a pcapng file (draft-ietf-opsawg-pcapng), little-endian.
package enum PcapNG {
    /// The content of an interface description block.
    package struct Interface: Sendable {
        let name: String
        let description: String
        /// The link type as tcpdump.org numbers it.
        let linkType: UInt16

        package init(name: String, description: String, linkType: UInt16) {
            (self.name, self.description, self.linkType) = (name, description, linkType)
        }
    }

    /// HCI packets with their H4 type; before each, four bytes give the direction, big-endian.
    package static let bluetoothH4WithDirection: UInt16 = 201
    /// 802.11 frames after a radiotap header.
    package static let radiotap: UInt16 = 127

    private enum Option {
        static let comment: UInt16 = 1
        static let hardware: UInt16 = 2
        static let application: UInt16 = 4
        static let interfaceName: UInt16 = 2
        static let interfaceDescription: UInt16 = 3
        static let timestampResolution: UInt16 = 9
    }

    /// The section header and the descriptions of the interfaces.
    ///
    /// - Parameters:
    ///   - application: The program that writes the file.
    ///   - comment: A comment on the whole file; empty for none.
    package static func header(
        _ interfaces: [Interface], application: String, comment: String = ""
    ) -> [UInt8] {
        var section = littleEndian(0x1A2B_3C4D as UInt32) + littleEndian(1 as UInt16) + littleEndian(0 as UInt16)
        section += littleEndian(-1 as Int64)
        if !comment.isEmpty { section += option(Option.comment, Array(comment.utf8)) }
        section += option(Option.application, Array(application.utf8)) + endOfOptions
        return interfaces.reduce(block(0x0A0D_0D0A, section)) { $0 + self.interface($1) }
    }

    /// An interface description block. It may be anywhere before the interface's first packet. Timestamps are in
    /// nanoseconds.
    package static func interface(_ interface: Interface) -> [UInt8] {
        var body = littleEndian(interface.linkType) + littleEndian(0 as UInt16) + littleEndian(0 as UInt32)
        body += option(Option.interfaceName, Array(interface.name.utf8))
        body += option(Option.interfaceDescription, Array(interface.description.utf8))
        body += option(Option.timestampResolution, [9]) + endOfOptions
        return block(1, body)
    }

    /// An enhanced packet block.
    ///
    /// - Parameters:
    ///   - interface: The index of its interface in the file.
    ///   - time: Nanoseconds since 1970-01-01 00:00 UTC.
    ///   - comment: Shown beside the packet; empty for no comment.
    package static func packet(interface: Int, time: UInt64, bytes: [UInt8], comment: String = "") -> [UInt8] {
        var body = littleEndian(UInt32(interface))
        body += littleEndian(UInt32(truncatingIfNeeded: time >> 32)) + littleEndian(UInt32(truncatingIfNeeded: time))
        body += littleEndian(UInt32(bytes.count)) + littleEndian(UInt32(bytes.count)) + padded(bytes)
        if !comment.isEmpty { body += option(Option.comment, Array(comment.utf8)) + endOfOptions }
        return block(6, body)
    }

    private static let endOfOptions: [UInt8] = [0, 0, 0, 0]

    private static func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
        let length = littleEndian(UInt32(body.count + 12))
        return littleEndian(type) + length + body + length
    }

    private static func option(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
        littleEndian(code) + littleEndian(UInt16(value.count)) + padded(value)
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}

/// Looks for bytes in a pcapng file, even if a protocol cut them into several packets.
///
/// The bytes may continue in one of the next 16 packets of the same interface, after at most 24 bytes of headers. That
/// is enough for the headers of H4, ACL, L2CAP, ATT and a segment, and for a long value that is cut at the MTU.
struct CaptureSearch {
    private static let headerRoom = 24
    private static let packetsBetween = 16

    private struct Cut {
        /// How many bytes of the needle have been found.
        let found: Int
        /// The number of further packets in which the rest may come.
        var packetsLeft: Int
    }

    private let needle: [UInt8]
    private var cuts: [UInt32: [Cut]] = [:]

    /// - Parameter needle: Not empty.
    init(_ needle: [UInt8]) { self.needle = needle }

    /// Whether a file holds the bytes unchanged, or as UTF-16 in either byte order if they are UTF-8 text.
    static func file(_ file: [UInt8], contains bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return true }
        var searches = [CaptureSearch(bytes)]
        if let text = String(validating: bytes, as: UTF8.self) {
            searches.append(CaptureSearch(text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }))
            searches.append(CaptureSearch(text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }))
        }
        for packet in PcapNGPackets(file) {
            for index in searches.indices where searches[index].finds(in: packet.bytes, of: packet.interface) {
                return true
            }
        }
        return false
    }

    /// Searches the next packet, and returns whether the bytes are complete with it.
    private mutating func finds(in packet: ArraySlice<UInt8>, of interface: UInt32) -> Bool {
        var kept: [Cut] = []
        for var cut in cuts[interface] ?? [] {
            for skipped in 0...CaptureSearch.headerRoom {
                let matched = matching(packet.dropFirst(skipped), from: cut.found)
                if cut.found + matched == needle.count { return true }
                if matched > 0, skipped + matched == packet.count {
                    kept.append(Cut(found: cut.found + matched, packetsLeft: CaptureSearch.packetsBetween))
                }
            }
            cut.packetsLeft -= 1
            if cut.packetsLeft > 0 { kept.append(cut) }
        }
        for start in packet.indices where packet[start] == needle[0] {
            let matched = matching(packet[start...], from: 0)
            if matched == needle.count { return true }
            if start + matched == packet.endIndex {
                kept.append(Cut(found: matched, packetsLeft: CaptureSearch.packetsBetween))
            }
        }
        cuts[interface] = kept.suffix(256)
        return false
    }

    /// How many bytes at the start of `bytes` equal the bytes of the needle from `start` on.
    private func matching(_ bytes: ArraySlice<UInt8>, from start: Int) -> Int {
        zip(bytes, needle[start...]).prefix { $0 == $1 }.count
    }
}

/// The packets of a little-endian pcapng file, up to the first incomplete block.
package struct PcapNGPackets: Sequence, IteratorProtocol {
    package struct Packet {
        package let interface: UInt32
        /// The time in the unit of the file; hil's captures count nanoseconds since 1970.
        package let time: UInt64
        package let bytes: ArraySlice<UInt8>
    }

    private static let interfaceDescription: UInt32 = 1
    private static let enhancedPacket: UInt32 = 6
    private static let interfaceName: UInt32 = 2
    private var rest: ArraySlice<UInt8>

    package init(_ file: [UInt8]) { rest = file[...] }

    /// How many bytes are left: after the last packet, those of an incomplete block.
    package var unreadCount: Int { rest.count }

    /// The names of a file's interfaces, by interface number; an empty string if an interface has no name.
    package static func interfaces(in file: [UInt8]) -> [String] {
        var packets = PcapNGPackets(file)
        var names: [String] = []
        while let (type, body) = packets.nextBlock() {
            if type == interfaceDescription { names.append(packets.name(of: body)) }
        }
        return names
    }

    /// The name option of an interface description block; an empty string if there is none.
    ///
    /// The options follow the link type (2 bytes), 2 reserved bytes and the snapshot length (4 bytes). An option has a
    /// code (2 bytes), a length (2 bytes), and a value that is padded to a multiple of four bytes.
    private func name(of interface: ArraySlice<UInt8>) -> String {
        var options = interface.dropFirst(8)
        while let head = number(at: 0, in: options), head & 0xFFFF != 0 {
            let length = Int(head >> 16)
            let value = options.dropFirst(4).prefix(length)
            if head & 0xFFFF == PcapNGPackets.interfaceName { return String(decoding: value, as: UTF8.self) }
            options = options.dropFirst(4 + (length + 3) / 4 * 4)
        }
        return ""
    }

    private mutating func nextBlock() -> (type: UInt32, body: ArraySlice<UInt8>)? {
        guard let type = number(at: 0), let length = number(at: 4), length >= 12, length <= rest.count else {
            return nil
        }
        defer { rest = rest.dropFirst(Int(length)) }
        return (type, rest.prefix(Int(length)).dropFirst(8).dropLast(4))
    }

    package mutating func next() -> Packet? {
        while let (type, body) = nextBlock() {
            // In bytes: interface 4, time 8, captured length 4, original length 4, then the packet.
            guard type == PcapNGPackets.enhancedPacket, body.count >= 20 else { continue }
            let count = number(at: 12, in: body) ?? 0
            let time = UInt64(number(at: 4, in: body) ?? 0) << 32 | UInt64(number(at: 8, in: body) ?? 0)
            return Packet(
                interface: number(at: 0, in: body) ?? 0, time: time, bytes: body.dropFirst(20).prefix(Int(count)))
        }
        return nil
    }

    private func number(at offset: Int) -> UInt32? { number(at: offset, in: rest) }

    private func number(at offset: Int, in bytes: ArraySlice<UInt8>) -> UInt32? {
        guard bytes.count >= offset + 4 else { return nil }
        return bytes.dropFirst(offset).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

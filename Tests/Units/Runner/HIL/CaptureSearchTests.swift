import Testing

@testable import HIL

/// Scenarios for rule S6 search the capture for the plaintext of a notification, so the search must be able to find
/// one.
struct CaptureSearchTests {
    private let text = Array("Dinner at 8?".utf8)

    @Test("Finds bytes inside a packet")
    func whole() {
        #expect(CaptureSearch.file(capture([(0, [1, 2] + text + [3])]), contains: text))
        #expect(!CaptureSearch.file(capture([(0, [1, 2] + text.dropLast() + [3])]), contains: text))
    }

    @Test("Finds text in UTF-16 of either byte order", arguments: [true, false])
    func utf16(isBigEndian: Bool) {
        let bytes = "Dinner at 8?".utf16.flatMap { unit in
            let pair = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
            return isBigEndian ? pair.reversed() : pair
        }
        #expect(CaptureSearch.file(capture([(1, [9] + bytes)]), contains: text))
    }

    @Test("Finds bytes that were cut into packets of one interface, with headers and other packets between")
    func cut() {
        let parts = [text[..<5], text[5..<9], text[9...]].map(segment)
        let between: [(Int, [UInt8])] = [(1, [0xFF, 0xFF]), (0, [4, 0x13, 5])]
        #expect(
            CaptureSearch.file(capture([(0, parts[0])] + between + [(0, parts[1]), (0, parts[2])]), contains: text))
        #expect(!CaptureSearch.file(capture([(0, parts[0]), (1, parts[1]), (1, parts[2])]), contains: text))
        #expect(!CaptureSearch.file(capture([(0, parts[1]), (0, parts[2]), (0, parts[0])]), contains: text))
    }

    /// A part of a value with headers of ATT, L2CAP and ACL.
    private func segment(_ part: ArraySlice<UInt8>) -> [UInt8] {
        [2, 0x40, 0x20, 0x1B, 0, 0x17, 0, 4, 0, 0x52, 0x21, 0] + part
    }

    @Test("A file that ends inside a block is read up to there; a file that is not a capture has no packets")
    func broken() {
        let whole = capture([(0, text), (0, [1, 2, 3])])
        #expect(CaptureSearch.file(whole.dropLast(7), contains: text))
        for length in 0..<whole.count { _ = CaptureSearch.file(Array(whole.prefix(length)), contains: text) }
        let endless: [UInt8] = [6, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF] + text
        #expect(!CaptureSearch.file(endless, contains: text))
    }

    @Test("Interfaces are found by their names, wherever in the file they are described")
    func interfaces() {
        let packet = capture([(0, text)])
        let file =
            described("host-hci0") + packet + described("a") + described("") + packet + described("accessory-hci1")
        #expect(PcapNGPackets.interfaces(in: file) == ["host-hci0", "a", "", "accessory-hci1"])
        #expect(Array(PcapNGPackets(file)).count == 2)
        for length in 0..<file.count { #expect(PcapNGPackets.interfaces(in: Array(file.prefix(length))).count < 4) }
    }

    /// An interface description block. Its options are a comment and the name; without a name there are no options.
    private func described(_ name: String) -> [UInt8] {
        func option(_ code: Int, _ value: [UInt8]) -> [UInt8] {
            let padding = [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
            return little(code | value.count << 16) + value + padding
        }
        let options = name.isEmpty ? [] : option(1, [7, 7, 7]) + option(2, Array(name.utf8)) + little(0)
        let body = little(201) + little(0) + options
        return little(1) + little(body.count + 12) + body + little(body.count + 12)
    }

    /// A pcapng file with a packet in each enhanced packet block.
    private func capture(_ packets: [(interface: Int, bytes: [UInt8])]) -> [UInt8] {
        packets.flatMap { packet in
            let padding = [UInt8](repeating: 0, count: (4 - packet.bytes.count % 4) % 4)
            let count = little(packet.bytes.count)
            let body = little(packet.interface) + little(0) + little(0) + count + count + packet.bytes + padding
            return little(6) + little(body.count + 12) + body + little(body.count + 12)
        }
    }

    private func little(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
}

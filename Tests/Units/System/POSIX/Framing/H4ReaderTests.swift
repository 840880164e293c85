import HILPOSIX
import Testing

@Suite("A host's packets from a stream")
struct H4ReaderTests {
    private static let packets: [[UInt8]] = [
        [1, 3, 0x0C, 0], [2, 1, 0x20, 3, 0, 7, 8, 9], [3, 1, 0, 2, 9, 9], [5, 0, 0, 1, 0x80, 7], [1, 1, 4, 1, 0x33],
    ]

    private func read(_ pieces: [[UInt8]]) throws -> [[UInt8]] {
        var reader = H4Reader()
        var packets: [[UInt8]] = []
        for piece in pieces {
            reader.push(piece)
            while let packet = try reader.next() { packets.append(packet) }
        }
        #expect(reader.pendingCount == 0)
        return packets
    }

    @Test("are read whole, however the stream is cut")
    func cut() throws {
        let bytes = Self.packets.flatMap(\.self)
        #expect(try read([bytes]) == Self.packets)
        #expect(try read(bytes.map { [$0] }) == Self.packets)
        for place in bytes.indices {
            #expect(try read([Array(bytes[..<place]), Array(bytes[place...])]) == Self.packets)
        }
    }

    @Test("are refused from the first mistake on, with its reason")
    func mistakes() throws {
        let cases: [([UInt8], String)] = [
            (Array("Hello, world\n".utf8), "“Hello, world”), which is no H4 packet"),
            ([0], "begins with 00, which is no H4 packet"), ([6, 1, 2], "begins with 06 01 02, which"),
            ([4, 0x0E, 4, 1, 3, 0x0C, 0], "an event, which only a controller sends"),
            ([2, 1, 0x20, 0xFF, 0xFF], "announces 65535 bytes, but at most 4096 are allowed"),
            ([5, 1, 0x20, 1, 0x10], "announces 4097 bytes"),
        ]
        for (bytes, reason) in cases {
            var reader = H4Reader()
            reader.push(Self.packets[0] + bytes)
            #expect(try reader.next() == Self.packets[0])
            for _ in 0..<2 {
                let error = #expect(throws: H4Reader.Malformed.self) { try reader.next() }
                #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
            }
        }
    }

    @Test("of a controller are events and data, and no commands")
    func ofController() throws {
        var reader = H4Reader(sentBy: .controller)
        reader.push([4, 0x0E, 4, 1, 3, 0x0C, 0, 2, 1, 0x20, 1, 0, 7, 1, 3, 0x0C, 0])
        #expect(try reader.next() == [4, 0x0E, 4, 1, 3, 0x0C, 0])
        #expect(try reader.next() == [2, 1, 0x20, 1, 0, 7])
        let error = #expect(throws: H4Reader.Malformed.self) { try reader.next() }
        #expect(error?.description.contains("a command, which only a host sends") == true)
    }

    @Test("wait for their rest")
    func rest() throws {
        var reader = H4Reader()
        #expect(try reader.next() == nil)
        reader.push([2, 1, 0x20, 0, 0x10])
        #expect(try reader.next() == nil)
        reader.push([UInt8](repeating: 7, count: 4096))
        #expect(try reader.next()?.count == 4101)
        #expect(reader.pendingCount == 0)
    }
}

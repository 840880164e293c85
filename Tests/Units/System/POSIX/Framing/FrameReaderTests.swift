import Testing

@testable import HILPOSIX

@Suite("A stream of frames")
struct FrameReaderTests {
    private func frames(_ items: [FrameReader.Item]) -> [Frame] {
        items.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
    }

    private func refusals(_ items: [FrameReader.Item]) -> [String] {
        items.compactMap { if case .refused(let why) = $0 { why } else { nil } }
    }

    @Test("has the documented byte layout")
    func layout() {
        // The checksum of these nine bytes (01 02 03 00 00 00 61 62 63), calculated independently by zlib.
        let expected: [UInt8] = [0x48, 0x49, 1, 2, 3, 0, 0, 0, 0xDD, 0x85, 0xDA, 0x48, 0x61, 0x62, 0x63]
        #expect(Frame(kind: 2, payload: [0x61, 0x62, 0x63]).bytes == expected)
    }

    @Test("is read the same wherever it is split")
    func cuts() {
        let sent = [
            Frame(kind: 1, payload: []), Frame(kind: 7, payload: Array(0...255)), Frame(kind: 2, payload: [0x48]),
        ]
        let bytes = sent.flatMap(\.bytes)
        for size in 1...bytes.count {
            var reader = FrameReader()
            var received: [FrameReader.Item] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                received += reader.push(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(received == sent.map { .frame($0) })
            #expect(reader.pendingCount == 0)
        }
    }

    @Test("recovers after garbage, and reports what was skipped")
    func garbage() {
        let good = Frame(kind: 3, payload: [9, 8, 7])
        var reader = FrameReader()
        let items = reader.push([0xFF, 0x48, 0x00, 0x48, 0x49, 0x02] + good.bytes)
        #expect(frames(items) == [good])
        #expect(refusals(items) == ["no frame starts here; skipped 6 bytes"])
    }

    @Test("refuses an oversized frame without waiting for it")
    func oversized() {
        var reader = FrameReader(limit: 16)
        let items = reader.push(
            Frame(kind: 1, payload: Array(repeating: 0, count: 17)).bytes + Frame(kind: 2, payload: []).bytes)
        #expect(frames(items) == [Frame(kind: 2, payload: [])])
        #expect(refusals(items).first?.contains("17 bytes is over the limit of 16") == true)
    }

    @Test("refuses a frame with one changed bit, and still reads the next", arguments: 0..<15)
    func bitErrors(byte: Int) {
        let good = Frame(kind: 5, payload: [1, 2, 3])
        for bit in 0..<8 {
            var bytes = good.bytes
            bytes[byte] ^= 1 << bit
            var reader = FrameReader(limit: 64)
            // With this padding, a length that grew by the changed bit can be judged now, not later.
            let items = reader.push(bytes + good.bytes + Array(repeating: 0, count: 80))
            #expect(frames(items) == [good])
        }
    }

    @Test("gives up at once on incomplete frames inside an incomplete frame, and finds the complete one after them")
    func nestedHalves() {
        let half = Frame(kind: 1, payload: Array(repeating: 0, count: 1000)).bytes.prefix(20)
        let good = Frame(kind: 3, payload: [9, 8, 7])
        var reader = FrameReader()
        #expect(reader.push(half + half + half + good.bytes) == [])
        let items = reader.giveUp()
        #expect(frames(items) == [good])
        #expect(refusals(items) == ["the rest of a frame did not come; skipped 60 bytes"])
        #expect(reader.pendingCount == 0)
    }

    @Test("costs no more than its length, whatever frames it seems to contain", .timeLimit(.minutes(1)))
    func endlessHeaders() {
        // Every twelve bytes there is the header of a frame of 128 KiB. All of them end inside the stream, none is
        // valid.
        let header = Frame(kind: 1, payload: Array(repeating: 0, count: 1 << 17)).bytes.prefix(Frame.headerSize)
        let bytes = Array(repeatElement(header, count: 20_000).joined())
        var reader = FrameReader()
        var items = reader.push(bytes)
        let good = Frame(kind: 3, payload: [9, 8, 7])
        items += reader.push(good.bytes) + reader.giveUp()
        #expect(frames(items) == [good])
        #expect(refusals(items).allSatisfy { $0.hasPrefix("a frame's checksum is wrong") })
    }

    @Test("reports a frame that was cut off at the end")
    func truncated() {
        var reader = FrameReader()
        #expect(reader.push(Frame(kind: 1, payload: [1, 2]).bytes.dropLast()).isEmpty)
        #expect(refusals(reader.finish()) == ["the stream ended 13 bytes into a frame"])
    }

    @Test("never crashes and keeps no more than a frame, whatever arrives")
    func anything() {
        var generator = SystemRandomNumberGenerator()
        var reader = FrameReader(limit: 256)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...64, using: &generator)
            // Mostly bytes that look like headers, to reach more of the code.
            let alphabet: [UInt8] = [0x48, 0x49, 1, 0, 0, 0, 0, 255]
            _ = reader.push((0..<count).map { _ in alphabet.randomElement(using: &generator)! })
            #expect(reader.pendingCount <= 256 + Frame.headerSize)
        }
    }
}

import Foundation
import Phone
import Testing

/// What is read of a picture (K17).
@Suite struct PNGHeaderTests {
    private func png(colourType: UInt8, width: UInt8 = 180, chunks: [UInt8] = []) -> [UInt8] {
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        return head + [0, 0, 0, width, 0, 0, 0, 120, 8, colourType, 0, 0, 0, 0, 0, 0, 0] + chunks
    }

    private func chunk(_ name: String, length: UInt8 = 1) -> [UInt8] {
        [0, 0, 0, length] + Array(name.utf8) + [0, 0, 0, 0, 0]
    }

    @Test("The size and the alpha channel stand in the header; declared transparency counts")
    func header() throws {
        let header = try #require(PNGHeader(png(colourType: 6)))
        #expect(header.width == 180 && header.height == 120 && header.hasAlpha)
        #expect(PNGHeader(png(colourType: 2))?.hasAlpha == false)
        #expect(PNGHeader(png(colourType: 3, chunks: chunk("PLTE") + chunk("tRNS")))?.hasAlpha == true)
        #expect(PNGHeader(png(colourType: 3, chunks: chunk("IDAT") + chunk("tRNS")))?.hasAlpha == false)
    }

    @Test("What is no PNG, or cut anywhere, is refused and reads nothing beyond its end")
    func malformed() {
        let whole = png(colourType: 2, chunks: chunk("PLTE") + chunk("tRNS"))
        for length in 0..<whole.count { _ = PNGHeader(Array(whole.prefix(length))) }
        for length in 0..<33 { #expect(PNGHeader(Array(whole.prefix(length))) == nil) }
        #expect(PNGHeader(png(colourType: 5)) == nil)
        #expect(PNGHeader(png(colourType: 2, width: 0)) == nil)
        #expect(
            PNGHeader(png(colourType: 2, chunks: [0xFF, 0xFF, 0xFF, 0xFF] + Array("PLTE".utf8)))?.hasAlpha == false)
    }
}

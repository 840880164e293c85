import Foundation
import HILCTurboJPEG
import TestSupport
import Testing

@testable import HILPhone

/// Reading product pictures, and refusing files that are not valid pictures.
struct PictureTests {
    @Test("A PNG gives its size and whether any pixel at its border is transparent", .covers("K17"))
    func png() throws {
        let clear = try Picture(Samples.png(36, 24) { column, _ in column == 0 ? 0 : 255 })
        #expect((clear.format, clear.width, clear.height) == (.png, 36, 24))
        #expect(clear.hasAlpha && !clear.hasOpaqueBorder)
        let corner = try Picture(Samples.png(7, 5) { $0 == 6 && $1 == 4 ? 127 : 255 })
        #expect(!corner.hasOpaqueBorder)
        let plain = try Picture(Samples.opaquePNG(36, 24))
        #expect(!plain.hasAlpha && plain.hasOpaqueBorder)
    }

    @Test("A picture whose alpha channel is opaque at the border has an opaque background", .covers("K17"))
    func opaqueAlpha() throws {
        let unused = try Picture(Samples.png(36, 24) { _, _ in 255 })
        #expect(unused.hasAlpha && unused.hasOpaqueBorder)
        let inside = try Picture(Samples.png(36, 24) { (1...34).contains($0) && (1...22).contains($1) ? 0 : 255 })
        #expect(inside.hasOpaqueBorder)
    }

    @Test("A JPEG in RGB or CMYK gives its size and is opaque")
    func jpeg() throws {
        for format in [TJPF_RGB, TJPF_CMYK] {
            let picture = try Picture(Samples.jpeg(61, 33, format: format))
            #expect((picture.format, picture.width, picture.height) == (.jpeg, 61, 33))
            #expect(!picture.hasAlpha && picture.hasOpaqueBorder)
        }
    }

    @Test("A file that is cut anywhere before its last pixels is refused")
    func cut() {
        for whole in [Samples.png(40, 40) { UInt8($0 * $1 % 256) }, Samples.jpeg(40, 40)] {
            #expect(throws: Never.self) { try Picture(whole) }
            for length in 0..<(whole.count - 30) {
                #expect(throws: PictureError.self) { try Picture(Array(whole.prefix(length))) }
            }
        }
        #expect(throws: PictureError.self) { try Picture([]) }
        #expect(throws: PictureError.self) { try Picture(Array("GIF89a".utf8)) }
    }

    @Test("A size that would fill the memory is refused before anything is decoded")
    func bombs() throws {
        // A header that says 60,000 × 60,000, with its checksum.
        var png = Samples.opaquePNG(8, 8)
        png.replaceSubrange(16..<24, with: [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60])
        png.replaceSubrange(29..<33, with: crc(png[12..<29]))
        let error = #expect(throws: PictureError.self) { try Picture(png) }
        #expect(error?.description.contains("60000×60000") == true, "\(String(describing: error))")
        var jpeg = Samples.jpeg(8, 8)
        let frame = try #require(jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        jpeg.replaceSubrange((frame + 5)..<(frame + 9), with: [0xEA, 0x60, 0xEA, 0x60])
        #expect(throws: PictureError.self) { try Picture(jpeg) }
    }

    @Test("A missing file or a folder is an error")
    func files() {
        #expect(throws: PictureError.self) { try Picture(contentsOf: "/nowhere/die.png") }
        #expect(throws: PictureError.self) { try Picture(contentsOf: "/tmp") }
    }

    /// The checksum of a PNG chunk. Source: PNG (Third Edition), 5.5.
    private func crc(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1 }
        }
        crc ^= 0xFFFF_FFFF
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }
    }
}

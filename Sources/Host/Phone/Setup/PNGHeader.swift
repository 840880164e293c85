/// What the head of a PNG file tells of the picture.
///
/// Source: W3C PNG (Third Edition), 5.2, 11.2.1, 11.3.1.1.
public struct PNGHeader: Sendable, Hashable {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Pixels, 1 to 2³¹−1.
    public var width: Int
    public var height: Int
    /// An alpha channel, or a colour or palette entries that are declared transparent.
    public var hasAlpha: Bool

    /// Reads the chunks up to the first of the pixels; nil for anything that is no PNG.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 33, Array(bytes[0..<8]) == PNGHeader.signature else { return nil }
        guard PNGHeader.number(bytes, 8) == 13, Array(bytes[12..<16]) == Array("IHDR".utf8) else { return nil }
        width = PNGHeader.number(bytes, 16)
        height = PNGHeader.number(bytes, 20)
        guard (1...0x7FFF_FFFF).contains(width), (1...0x7FFF_FFFF).contains(height) else { return nil }
        let colourType = bytes[25]
        guard [0, 2, 3, 4, 6].contains(colourType) else { return nil }
        hasAlpha = colourType >= 4 || PNGHeader.declaresTransparency(bytes)
    }

    /// A `tRNS` chunk before the pixels.
    private static func declaresTransparency(_ bytes: [UInt8]) -> Bool {
        var place = 33
        while place + 8 <= bytes.count {
            let name = Array(bytes[place + 4..<place + 8])
            if name == Array("tRNS".utf8) { return true }
            if name == Array("IDAT".utf8) { return false }
            place += 12 + number(bytes, place)
        }
        return false
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}

import Foundation

/// A PNG or JPEG file, checked by decoding it: its size, and whether its background is transparent.
///
/// The bytes may come from anywhere. A file that is cut off, has a wrong size or would fill the memory is an error.
package struct Picture: Sendable, Hashable {
    /// The file formats that can be read.
    package enum Format: String, Sendable, Hashable, CaseIterable {
        case png, jpeg

        /// The media type, for example for a data URI.
        package var mediaType: String { "image/\(rawValue)" }
    }

    /// The longest file that is read, in bytes.
    package static let byteLimit = 32 << 20
    /// The most pixels that are decoded. They take 64 MiB of memory.
    package static let pixelLimit = 16 << 20

    package let format: Format
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// Whether the file has a channel for transparency, or declares a colour transparent.
    package let hasAlpha: Bool
    /// Whether no pixel at the border is more than half transparent. A picture may have an alpha channel and not use
    /// it.
    package let hasOpaqueBorder: Bool

    /// Decodes the bytes of a file.
    ///
    /// - Throws: ``PictureError``, which says what is wrong with the file.
    package init(_ bytes: [UInt8]) throws(PictureError) {
        guard bytes.count <= Picture.byteLimit else {
            throw PictureError("it has \(bytes.count >> 20) MiB; at most \(Picture.byteLimit >> 20) are read")
        }
        guard let format = Picture.format(of: bytes) else { throw PictureError("it is neither PNG nor JPEG") }
        let pixels =
            switch format {
            case .png: try Picture.decodePNG(bytes)
            case .jpeg: try Picture.decodeJPEG(bytes)
            }
        self.format = format
        width = pixels.width
        height = pixels.height
        hasAlpha = pixels.hasAlpha
        hasOpaqueBorder = pixels.hasOpaqueBorder
    }

    /// Reads a file.
    ///
    /// - Throws: ``PictureError``, which does not name the file.
    package init(contentsOf path: String) throws(PictureError) {
        guard let file = FileHandle(forReadingAtPath: path) else { throw PictureError("it cannot be opened") }
        let data: Data?
        do { data = try file.read(upToCount: Picture.byteLimit + 1) } catch {
            throw PictureError("it cannot be read: \(error.localizedDescription)")
        }
        try self.init(Array(data ?? Data()))
    }

    /// The format that the first bytes show; nil for any other file. Source: PNG (Third Edition), 5.2; ISO/IEC 10918-1,
    /// B.1.1.3.
    package static func format(of bytes: [UInt8]) -> Format? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        return bytes.starts(with: [0xFF, 0xD8, 0xFF]) ? .jpeg : nil
    }

    /// The result of a decoder.
    struct Pixels {
        var width: Int
        var height: Int
        var hasAlpha: Bool
        var hasOpaqueBorder: Bool
    }

    /// Refuses a size that would fill the memory.
    static func check(width: Int, height: Int) throws(PictureError) {
        guard width > 0, height > 0, width <= pixelLimit, height <= pixelLimit / width else {
            throw PictureError("its header says \(width)×\(height) pixels; at most \(pixelLimit) are decoded")
        }
    }
}

/// The reason why a file cannot be shown as a picture.
package struct PictureError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A text that continues after the name of the file: `it is neither PNG nor JPEG`.
    package let description: String

    init(_ description: String) { self.description = description }
}

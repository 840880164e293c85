import HILCPNG
import HILCTurboJPEG

/// Pictures for tests, written by the same libraries that read them.
enum Samples {
    /// A PNG with an alpha channel.
    ///
    /// - Parameter alpha: The opacity of the pixel at a column and row; 255 is opaque.
    static func png(_ width: Int, _ height: Int, alpha: (Int, Int) -> UInt8) -> [UInt8] {
        var pixels = [UInt8](repeating: 90, count: width * height * 4)
        for row in 0..<height {
            for column in 0..<width { pixels[(row * width + column) * 4 + 3] = alpha(column, row) }
        }
        return png(width, height, format: PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA, pixels)
    }

    /// A PNG without an alpha channel.
    static func opaquePNG(_ width: Int, _ height: Int) -> [UInt8] {
        png(width, height, format: PNG_FORMAT_FLAG_COLOR, [UInt8](repeating: 90, count: width * height * 3))
    }

    private static func png(_ width: Int, _ height: Int, format: UInt32, _ pixels: [UInt8]) -> [UInt8] {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        (image.width, image.height, image.format) = (UInt32(width), UInt32(height), format)
        var size = 0
        png_image_write_to_memory(&image, nil, &size, 0, pixels, 0, nil)
        var bytes = [UInt8](repeating: 0, count: size)
        png_image_write_to_memory(&image, &bytes, &size, 0, pixels, 0, nil)
        return Array(bytes.prefix(size))
    }

    /// A JPEG in RGB or CMYK.
    static func jpeg(_ width: Int, _ height: Int, format: TJPF = TJPF_RGB) -> [UInt8] {
        let channels = format == TJPF_CMYK ? 4 : 3
        let pixels = (0..<(width * height * channels)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let encoder = tjInitCompress()
        defer { tjDestroy(encoder) }
        var buffer: UnsafeMutablePointer<UInt8>?
        defer { tjFree(buffer) }
        var size: UInt = 0
        tjCompress2(
            encoder, pixels, Int32(width), 0, Int32(height), Int32(format.rawValue), &buffer, &size,
            Int32(TJSAMP_444.rawValue), 80, 0)
        return Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
    }
}

import HILCPNG

extension Picture {
    /// Bytes of each pixel: red, green, blue, alpha.
    private static let channels = 4

    /// Decodes with libpng's simplified interface. It returns errors as values, so no `longjmp` crosses Swift's frames.
    static func decodePNG(_ bytes: [UInt8]) throws(PictureError) -> Pixels {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        // libpng keeps the address until the last call, so all calls are made inside this closure.
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(PictureError) in try decodePNG(bytes, &image) }
        }
        return try result.get()
    }

    private static func decodePNG(
        _ bytes: UnsafeRawBufferPointer, _ image: inout png_image
    ) throws(PictureError) -> Pixels {
        guard png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else {
            throw error(of: image)
        }
        let (width, height) = (Int(image.width), Int(image.height))
        try check(width: width, height: height)
        let hasAlpha = image.format & UInt32(PNG_FORMAT_FLAG_ALPHA) != 0
        image.format = UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
        let stride = width * channels
        let pixels = UnsafeMutableRawBufferPointer.allocate(byteCount: stride * height, alignment: 16)
        defer { pixels.deallocate() }
        guard png_image_finish_read(&image, nil, pixels.baseAddress, Int32(stride), nil) != 0 else {
            throw error(of: image)
        }
        let isOpaque = hasOpaqueBorder(UnsafeRawBufferPointer(pixels), width: width, height: height)
        return Pixels(width: width, height: height, hasAlpha: hasAlpha, hasOpaqueBorder: isOpaque)
    }

    private static func hasOpaqueBorder(_ pixels: UnsafeRawBufferPointer, width: Int, height: Int) -> Bool {
        func isOpaque(_ column: Int, _ row: Int) -> Bool {
            pixels[(row * width + column) * channels + channels - 1] >= 128
        }
        let rows = (0..<height).allSatisfy { isOpaque(0, $0) && isOpaque(width - 1, $0) }
        return rows && (0..<width).allSatisfy { isOpaque($0, 0) && isOpaque($0, height - 1) }
    }

    private static func error(of image: png_image) -> PictureError {
        let text = withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return PictureError("it is a broken PNG: \(text.isEmpty ? "libpng does not say why" : text)")
    }
}

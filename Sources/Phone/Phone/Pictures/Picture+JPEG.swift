import HILCTurboJPEG

extension Picture {
    /// Decodes with TurboJPEG, which returns errors as values.
    ///
    /// JPEG has no transparency. The pixels are decoded at an eighth of their size only to check that the file is
    /// complete.
    static func decodeJPEG(_ bytes: [UInt8]) throws(PictureError) -> Pixels {
        guard let decoder = tjInitDecompress() else { throw error(of: nil) }
        defer { tjDestroy(decoder) }
        var (width, height, sampling, colours) = (Int32(0), Int32(0), Int32(0), Int32(0))
        let size = UInt(bytes.count)
        guard tjDecompressHeader3(decoder, bytes, size, &width, &height, &sampling, &colours) == 0 else {
            throw error(of: decoder)
        }
        try check(width: Int(width), height: Int(height))
        let isPrint = [TJCS_CMYK, TJCS_YCCK].map { Int32($0.rawValue) }.contains(colours)
        let format = isPrint ? TJPF_CMYK : TJPF_GRAY
        let (columns, rows) = ((Int(width) + 7) / 8, (Int(height) + 7) / 8)
        let pixels = UnsafeMutablePointer<UInt8>.allocate(capacity: columns * rows * (isPrint ? 4 : 1))
        defer { pixels.deallocate() }
        let flags = Int32(TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS)
        let outcome = tjDecompress2(
            decoder, bytes, size, pixels, Int32(columns), 0, Int32(rows), Int32(format.rawValue), flags)
        guard outcome == 0 else { throw error(of: decoder) }
        return Pixels(width: Int(width), height: Int(height), hasAlpha: false, hasOpaqueBorder: true)
    }

    private static func error(of decoder: tjhandle?) -> PictureError {
        let text = tjGetErrorStr2(decoder).map { String(cString: $0) } ?? ""
        return PictureError("it is a broken JPEG: \(text.isEmpty ? "libjpeg does not say why" : text)")
    }
}

import Foundation
import Pictures

/// A product picture of an app.
public struct ProductPicture: Sendable, Hashable {
    public var path: String
    /// Pixels.
    public var width: Int
    public var height: Int
    /// Pixels a point.
    public var scale: Int
    /// Whether the file has a channel for transparency.
    public var hasAlpha: Bool
    /// Whether nothing of what lies behind the picture shows at its border (K17).
    public var hasOpaqueBackground: Bool

    public init(path: String, width: Int, height: Int, scale: Int, hasAlpha: Bool, hasOpaqueBackground: Bool) {
        self.path = path
        self.width = width
        self.height = height
        self.scale = scale
        self.hasAlpha = hasAlpha
        self.hasOpaqueBackground = hasOpaqueBackground
    }

    /// Decodes a PNG or JPEG file; `@2x` or `@3x` before the extension gives the scale.
    ///
    /// - Throws: `PictureError`, which does not name the file.
    public init(contentsOf path: String) throws(PictureError) {
        let picture = try Picture(contentsOf: path)
        self.init(
            path: path, width: picture.width, height: picture.height, scale: ProductPicture.scale(of: path),
            hasAlpha: picture.hasAlpha, hasOpaqueBackground: picture.hasOpaqueBorder)
    }

    private static func scale(of path: String) -> Int {
        let stem = path.prefix(upTo: path.lastIndex(of: ".") ?? path.endIndex)
        return [3, 2].first { stem.hasSuffix("@\($0)x") } ?? 1
    }
}

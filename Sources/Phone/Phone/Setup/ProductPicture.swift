import Foundation

/// A picture of an app's product, as the picker shows it.
package struct ProductPicture: Sendable, Hashable {
    /// The path of the file.
    package var path: String
    /// In pixels.
    package var width: Int
    /// In pixels.
    package var height: Int
    /// Pixels per point: 1, 2 or 3.
    package var scale: Int
    /// Whether the file has an alpha channel.
    package var hasAlpha: Bool
    /// Whether the border of the picture is fully opaque, so that it hides the background (K17).
    package var hasOpaqueBackground: Bool

    package init(path: String, width: Int, height: Int, scale: Int, hasAlpha: Bool, hasOpaqueBackground: Bool) {
        self.path = path
        self.width = width
        self.height = height
        self.scale = scale
        self.hasAlpha = hasAlpha
        self.hasOpaqueBackground = hasOpaqueBackground
    }

    /// Decodes a PNG or JPEG file. `@2x` or `@3x` before the extension gives the scale.
    ///
    /// - Throws: `PictureError`. Its text does not contain the path.
    package init(contentsOf path: String) throws(PictureError) {
        let picture = try Picture(contentsOf: path)
        self.init(
            path: path, width: picture.width, height: picture.height, scale: ProductPicture.scale(of: path),
            hasAlpha: picture.hasAlpha, hasOpaqueBackground: picture.hasOpaqueBorder)
    }

    /// Decodes a PNG or JPEG picture that is in no file. Screens show a placeholder in its place: they draw files.
    ///
    /// - Parameter scale: Pixels per point, at least 1.
    /// - Throws: `PictureError`.
    package init(_ bytes: [UInt8], scale: Int) throws(PictureError) {
        let picture = try Picture(bytes)
        self.init(
            path: ProductPicture.symbolPrefix + "photo", width: picture.width, height: picture.height,
            scale: max(1, scale), hasAlpha: picture.hasAlpha, hasOpaqueBackground: picture.hasOpaqueBorder)
    }

    /// The beginning of ``path`` if the picture is a symbol of the system.
    package static let symbolPrefix = "symbol:"

    /// A symbol of the system, 60 points wide and high. No file belongs to it: the phone draws a placeholder with its
    /// name.
    package init(symbol name: String) {
        self.init(
            path: ProductPicture.symbolPrefix + name, width: 180, height: 180, scale: 3, hasAlpha: true,
            hasOpaqueBackground: false)
    }

    private static func scale(of path: String) -> Int {
        let stem = path.prefix(upTo: path.lastIndex(of: ".") ?? path.endIndex)
        return [3, 2].first { stem.hasSuffix("@\($0)x") } ?? 1
    }
}

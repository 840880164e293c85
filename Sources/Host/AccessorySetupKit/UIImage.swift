import Foundation
import Phone

/// A picture of the app, as far as a picker needs it. Linux has no UIKit.
///
/// PNG only; the pixels are not decoded.
public final class UIImage: NSObject, Sendable {
    let picture: ProductPicture

    private init(_ picture: ProductPicture) { self.picture = picture }

    /// The picture of that name in the running app's resources: `NAME@3x.png`, `NAME@2x.png` or `NAME.png`.
    public convenience init?(named name: String) {
        guard let folder = Phone.current.app?.bundle.resources else { return nil }
        let stem = name.hasSuffix(".png") ? String(name.dropLast(4)) : name
        let files = ["\(stem)@3x.png", "\(stem)@2x.png", "\(stem).png"]
        guard let picture = files.lazy.compactMap({ UIImage.read("\(folder)/\($0)") }).first else { return nil }
        self.init(picture)
    }

    /// The picture in that file; `@2x` or `@3x` before the extension gives the scale.
    public convenience init?(contentsOfFile path: String) {
        guard let picture = UIImage.read(path) else { return nil }
        self.init(picture)
    }

    /// Points.
    public var size: CGSize {
        CGSize(width: Double(picture.width) / scale, height: Double(picture.height) / scale)
    }

    /// Pixels a point.
    public var scale: CGFloat { CGFloat(picture.scale) }

    private static func read(_ path: String) -> ProductPicture? {
        guard let data = FileManager.default.contents(atPath: path), let header = PNGHeader(Array(data)) else {
            return nil
        }
        let scale = [3, 2].first { path.hasSuffix("@\($0)x.png") } ?? 1
        return ProductPicture(
            path: path, width: header.width, height: header.height, scale: scale, hasAlpha: header.hasAlpha)
    }
}

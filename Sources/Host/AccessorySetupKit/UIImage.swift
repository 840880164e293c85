import Foundation
import Phone

/// A picture of the app, as far as a picker needs it: PNG or JPEG. Linux has no UIKit.
public final class UIImage: NSObject, Sendable {
    let picture: ProductPicture

    private init(_ picture: ProductPicture) { self.picture = picture }

    /// The picture of that name in the running app's resources, with the most pixels a point that there is: of `die`,
    /// `die@3x.png`, `die@2x.png`, `die.png`, or the same as `.jpg` or `.jpeg`. A name with an extension is only that.
    ///
    /// Nil when there is none, or when it is broken; the phone's log says why.
    public convenience init?(named name: String) {
        let phone = Phone.current
        guard let app = phone.app else { return nil }
        let known = ["png", "jpg", "jpeg"]
        let dot = name.lastIndex(of: ".")
        let isFile = dot.map { known.contains(name[name.index(after: $0)...].lowercased()) } ?? false
        let stem = isFile ? String(name.prefix(upTo: dot ?? name.endIndex)) : name
        let extensions = isFile ? [String(name.suffix(from: dot ?? name.endIndex).dropFirst())] : known
        let files = extensions.flatMap { end in ["@3x", "@2x", ""].map { "\(stem)\($0).\(end)" } }
        let paths = files.map { "\(app.bundle.resources)/\($0)" }
        guard let path = paths.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            phone.record(.note("pictures", "there is no picture “\(name)” in \(app.bundle.resources)"))
            return nil
        }
        self.init(reading: path, on: phone)
    }

    /// The picture in that file; `@2x` or `@3x` before the extension gives the scale.
    public convenience init?(contentsOfFile path: String) { self.init(reading: path, on: Phone.current) }

    private convenience init?(reading path: String, on phone: Phone) {
        do { self.init(try ProductPicture(contentsOf: path)) } catch {
            phone.record(.note("pictures", "\(path) cannot be shown: \(error)"))
            return nil
        }
    }

    /// Points.
    public var size: CGSize {
        CGSize(width: Double(picture.width) / scale, height: Double(picture.height) / scale)
    }

    /// Pixels a point.
    public var scale: CGFloat { CGFloat(picture.scale) }
}

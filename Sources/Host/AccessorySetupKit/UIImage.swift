import Foundation
import HILPhone

/// A PNG or JPEG picture of the app. Linux has no UIKit; this is the part that a picker needs.
public final class UIImage: NSObject, Sendable {
    let picture: ProductPicture

    private init(_ picture: ProductPicture) { self.picture = picture }

    /// Reads a picture from the running app's resources, in the highest scale that exists.
    ///
    /// For `die` it takes the first of `die@3x.png`, `die@2x.png`, `die.png`, and then the same with `.jpg` and
    /// `.jpeg`. For a name with one of these extensions it looks only for files with that extension. The result is nil
    /// if there is no such file or the file is broken; the phone's log says why.
    public convenience init?(named name: String) {
        let phone = Phone.current
        guard let app = phone.app else { return nil }
        let known = ["png", "jpg", "jpeg"]
        let dot = name.lastIndex(of: ".")
        let isFile = dot.map { known.contains(name[name.index(after: $0)...].lowercased()) } ?? false
        let base = isFile ? String(name.prefix(upTo: dot ?? name.endIndex)) : name
        let extensions = isFile ? [String(name.suffix(from: dot ?? name.endIndex).dropFirst())] : known
        let files = extensions.flatMap { end in ["@3x", "@2x", ""].map { "\(base)\($0).\(end)" } }
        let paths = files.map { "\(app.bundle.resources)/\($0)" }
        guard let path = paths.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            phone.record(.note("pictures", "there is no picture “\(name)” in \(app.bundle.resources)"))
            return nil
        }
        self.init(reading: path, on: phone)
    }

    /// Reads a picture from a file; `@2x` or `@3x` before the extension gives the scale.
    public convenience init?(contentsOfFile path: String) { self.init(reading: path, on: Phone.current) }

    private convenience init?(reading path: String, on phone: Phone) {
        do { self.init(try ProductPicture(contentsOf: path)) } catch {
            phone.record(.note("pictures", "\(path) cannot be shown: \(error)"))
            return nil
        }
    }

    /// Width and height in points.
    public var size: CGSize {
        CGSize(width: Double(picture.width) / scale, height: Double(picture.height) / scale)
    }

    /// Pixels per point.
    public var scale: CGFloat { CGFloat(picture.scale) }
}

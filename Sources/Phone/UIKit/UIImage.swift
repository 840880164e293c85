@_exported import Foundation
@_exported import HILFoundation
import HILPhone
@_exported import Observation

/// A PNG or JPEG picture of the app, or a symbol's name. Linux has no UIKit; this is the part that a picker needs.
public final class UIImage: NSObject, Sendable {
    /// What the phone draws; nil for an empty picture.
    package let picture: ProductPicture?
    /// The file that it was decoded from, if that is in memory.
    private let data: Data?

    private init(_ picture: ProductPicture?, _ data: Data? = nil) {
        self.picture = picture
        self.data = data
    }

    /// An empty picture: the frame in the picker stays empty.
    public override convenience init() { self.init(nil as ProductPicture?) }

    /// A symbol of SF Symbols, by its name; nil for an empty name.
    ///
    /// The symbols belong to Apple's systems, so the phone draws a placeholder with the name, and takes any name.
    public convenience init?(systemName name: String) {
        guard !name.isEmpty else { return nil }
        self.init(ProductPicture(symbol: name))
    }

    /// How a symbol is drawn. The placeholder is the same for all.
    public struct SymbolConfiguration: Sendable {
        public init(pointSize: CGFloat) {}
        public init(pointSize: CGFloat, weight: SymbolWeight) {}
        public init(scale: SymbolScale) {}
        public init(paletteColors: [UIColor]) {}
        public init(hierarchicalColor: UIColor) {}
    }

    /// How thick a symbol's lines are.
    public enum SymbolWeight: Int, Sendable {
        case unspecified, ultraLight, thin, light, regular, medium, semibold, bold, heavy, black
    }

    /// How large a symbol is beside text.
    public enum SymbolScale: Int, Sendable {
        case `default` = -1
        case unspecified, small, medium, large
    }

    /// A symbol, as ``init(systemName:)`` makes it.
    public convenience init?(systemName name: String, withConfiguration configuration: SymbolConfiguration?) {
        self.init(systemName: name)
    }

    /// The same picture: the placeholder has fixed colours.
    public func withTintColor(_ color: UIColor) -> UIImage { self }

    /// The same picture: the placeholder is the same for all configurations.
    public func withConfiguration(_ configuration: SymbolConfiguration) -> UIImage { self }

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

    /// Decodes a PNG or JPEG picture. On the phone's screens a placeholder stands for it, because these draw files.
    public convenience init?(data: Data) { self.init(data: data, scale: 1) }

    /// Decodes a PNG or JPEG picture, as ``init(data:)`` does.
    ///
    /// - Parameter scale: Pixels per point.
    public convenience init?(data: Data, scale: CGFloat) {
        guard scale >= 1, scale < 100, let picture = try? ProductPicture(Array(data), scale: Int(scale)) else {
            return nil
        }
        self.init(picture, data)
    }

    /// The PNG file that the picture was read from; nil for any other picture, because nothing is encoded here.
    public func pngData() -> Data? { file(beginningWith: [0x89, 0x50, 0x4E, 0x47]) }

    /// The JPEG file that the picture was read from, whatever its quality; nil for any other picture, because nothing is
    /// encoded here.
    public func jpegData(compressionQuality: CGFloat) -> Data? { file(beginningWith: [0xFF, 0xD8]) }

    private func file(beginningWith signature: [UInt8]) -> Data? {
        let isFile = picture.map { !$0.path.hasPrefix(ProductPicture.symbolPrefix) } ?? false
        let file = data ?? (isFile ? picture.flatMap { FileManager.default.contents(atPath: $0.path) } : nil)
        return file.flatMap { $0.starts(with: signature) ? $0 : nil }
    }

    private convenience init?(reading path: String, on phone: Phone) {
        do { self.init(try ProductPicture(contentsOf: path)) } catch {
            phone.record(.note("pictures", "\(path) cannot be shown: \(error)"))
            return nil
        }
    }

    /// Width and height in points.
    public var size: CGSize {
        CGSize(width: Double(picture?.width ?? 0) / scale, height: Double(picture?.height ?? 0) / scale)
    }

    /// Pixels per point.
    public var scale: CGFloat { CGFloat(picture?.scale ?? 1) }
}

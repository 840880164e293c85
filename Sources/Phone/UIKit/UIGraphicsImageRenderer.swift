import Foundation

/// Makes the picture that an app combines from others, such as a symbol on an empty background.
///
/// Nothing is drawn here: the result is the first picture that the app draws into it, as the phone shows it alone.
/// Colours, areas, paths and text are ignored. An app that draws no picture gets an empty one.
public class UIGraphicsImageRenderer: NSObject {
    private let size: CGSize
    private let format: UIGraphicsImageRendererFormat

    public convenience init(size: CGSize) { self.init(size: size, format: .default()) }

    public init(size: CGSize, format: UIGraphicsImageRendererFormat) {
        self.size = size
        self.format = format
    }

    public convenience init(bounds: CGRect) { self.init(size: bounds.size) }

    public convenience init(bounds: CGRect, format: UIGraphicsImageRendererFormat) {
        self.init(size: bounds.size, format: format)
    }

    /// Calls `actions` at once, and returns the first picture that they draw.
    public func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
        let context = UIGraphicsImageRendererContext(size: size, format: format)
        let outer = UIGraphicsImageRendererContext.current
        UIGraphicsImageRendererContext.current = context
        defer { UIGraphicsImageRendererContext.current = outer }
        actions(context)
        return context.currentImage
    }
}

/// The format of a picture. The phone draws all formats alike.
public class UIGraphicsImageRendererFormat: NSObject {
    public var scale: CGFloat = 1
    public var opaque = false

    public class func `default`() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
    public class func preferred() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
}

/// The context that an app draws a picture into.
public class UIGraphicsImageRendererContext: NSObject {
    private static let key = "com.apple.UIKit.UIGraphicsImageRendererContext"

    /// The context for drawing on this thread; nil outside of a renderer.
    static var current: UIGraphicsImageRendererContext? {
        get { Thread.current.threadDictionary[key] as? UIGraphicsImageRendererContext }
        set { Thread.current.threadDictionary[key] = newValue }
    }

    private let area: CGRect
    private var drawn: UIImage?

    /// The format of the picture.
    public let format: UIGraphicsImageRendererFormat

    init(size: CGSize, format: UIGraphicsImageRendererFormat) {
        area = CGRect(origin: .zero, size: size)
        self.format = format
    }

    /// The picture so far.
    public var currentImage: UIImage { drawn ?? UIImage() }

    public func fill(_ rect: CGRect) {}
    public func stroke(_ rect: CGRect) {}
    public func clip(to rect: CGRect) {}

    func draw(_ image: UIImage, in rect: CGRect) {
        // A picture outside the area is not visible.
        if drawn == nil, image.picture != nil, !rect.intersection(area).isEmpty { drawn = image }
    }
}

extension UIImage {
    /// Draws the picture into that of a ``UIGraphicsImageRenderer``; elsewhere it does nothing.
    public func draw(in rect: CGRect) { UIGraphicsImageRendererContext.current?.draw(self, in: rect) }

    /// The same, at a place and in its own size.
    public func draw(at point: CGPoint) { draw(in: CGRect(origin: point, size: size)) }

    /// How a picture takes the colour around it. The phone shows each unchanged.
    public enum RenderingMode: Int, Sendable {
        case automatic, alwaysOriginal, alwaysTemplate
    }

    /// The same picture.
    public func withRenderingMode(_ mode: RenderingMode) -> UIImage { self }

    /// The same picture: the placeholder has fixed colours.
    public func withTintColor(_ color: UIColor, renderingMode: RenderingMode) -> UIImage { self }
}

extension UIColor {
    /// Sets the colour that areas are filled with. Areas are ignored here, so it does nothing.
    public func setFill() {}

    /// The same for lines.
    public func setStroke() {}

    /// Both.
    public func set() {}
}

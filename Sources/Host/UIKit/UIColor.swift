import Foundation

/// A colour. Nothing draws with it here.
public final class UIColor: NSObject, Sendable {
    /// Red, green, blue and opacity, 0 to 1.
    private let parts: [CGFloat]

    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) { parts = [red, green, blue, alpha] }

    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    public static let black = UIColor(white: 0, alpha: 1), white = UIColor(white: 1, alpha: 1)
    public static let gray = UIColor(white: 0.5, alpha: 1), clear = UIColor(white: 0, alpha: 0)
    public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
    public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
    public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)

    /// The same colour with another opacity.
    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: parts[0], green: parts[1], blue: parts[2], alpha: alpha)
    }

    public override func isEqual(_ object: Any?) -> Bool { (object as? UIColor)?.parts == parts }
    public override var hash: Int { parts.hashValue }
}

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
    public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
    public static let yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1)
    // As light screens show them. Source: Apple's Human Interface Guidelines, Color.
    public static let systemRed = UIColor(red: 1, green: 0.22, blue: 0.24, alpha: 1)
    public static let systemOrange = UIColor(red: 1, green: 0.55, blue: 0.16, alpha: 1)
    public static let systemYellow = UIColor(red: 1, green: 0.8, blue: 0, alpha: 1)
    public static let systemGreen = UIColor(red: 0.2, green: 0.78, blue: 0.35, alpha: 1)
    public static let systemBlue = UIColor(red: 0, green: 0.53, blue: 1, alpha: 1)
    public static let systemPurple = UIColor(red: 0.8, green: 0.19, blue: 0.88, alpha: 1)
    public static let systemPink = UIColor(red: 1, green: 0.18, blue: 0.33, alpha: 1)
    public static let systemGray = UIColor(white: 0.56, alpha: 1)

    /// The same colour with another opacity.
    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: parts[0], green: parts[1], blue: parts[2], alpha: alpha)
    }

    public override func isEqual(_ object: Any?) -> Bool { (object as? UIColor)?.parts == parts }
    public override var hash: Int { parts.hashValue }
}

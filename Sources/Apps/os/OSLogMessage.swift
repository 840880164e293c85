@_exported import Foundation
@_exported import HILFoundation
@_exported import Observation

/// Who may read a value in the log. Source: os, OSLogPrivacy.
public struct OSLogPrivacy: Sendable, Equatable {
    /// How a private value is distinguished without being read.
    public enum Mask: Sendable, Equatable {
        /// By a short hash of the value.
        case hash
        /// Not at all.
        case none
    }

    enum Choice: Sendable, Equatable {
        case auto, `public`, `private`
    }

    let choice: Choice
    let mask: Mask

    /// The value is written, as Xcode's console does while an app is debugged.
    public static let auto = OSLogPrivacy(choice: .auto, mask: .none)
    /// The value is written.
    public static let `public` = OSLogPrivacy(choice: .public, mask: .none)
    /// `<private>` is written.
    public static let `private` = OSLogPrivacy(choice: .private, mask: .none)
    /// `<private>` is written.
    public static let sensitive = OSLogPrivacy(choice: .private, mask: .none)

    /// The value is written. The mask does not matter.
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(choice: .auto, mask: mask) }
    /// `<private>` is written, or a hash.
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(choice: .private, mask: mask) }
    /// `<private>` is written, or a hash.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(choice: .private, mask: mask) }

    func text(_ value: String) -> String {
        guard choice == .private else { return value }
        return mask == .none ? "<private>" : "<mask.hash: '\(String(UInt(bitPattern: value.hashValue), radix: 16))'>"
    }
}

/// How a whole number is written. Source: os, OSLogIntegerFormatting.
public struct OSLogIntegerFormatting: Sendable {
    let radix: Int
    let isUppercase: Bool
    let prefix: String
    let minimumDigits: Int

    /// In decimal digits.
    public static let decimal = OSLogIntegerFormatting(radix: 10, isUppercase: false, prefix: "", minimumDigits: 0)
    /// In hexadecimal digits.
    public static let hex = OSLogIntegerFormatting.hex()
    /// In octal digits.
    public static let octal = OSLogIntegerFormatting(radix: 8, isUppercase: false, prefix: "", minimumDigits: 0)

    /// In decimal digits, with leading zeros.
    public static func decimal(minDigits: Int) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(radix: 10, isUppercase: false, prefix: "", minimumDigits: minDigits)
    }

    /// In hexadecimal digits.
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int = 0
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 16, isUppercase: uppercase, prefix: (explicitPositiveSign ? "+" : "") + (includePrefix ? "0x" : ""),
            minimumDigits: minDigits)
    }

    func text<Number: BinaryInteger>(_ value: Number) -> String {
        let digits = String(value.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: max(0, minimumDigits - digits.count))
        return (value < 0 ? "-" : "") + prefix + zeros + digits
    }
}

/// How a number with a fraction is written. Source: os, OSLogFloatFormatting.
public struct OSLogFloatFormatting: Sendable {
    let digits: Int?

    /// With six digits after the point.
    public static let fixed = OSLogFloatFormatting(digits: 6)
    /// With this many digits after the point.
    public static func fixed(precision: Int, explicitPositiveSign: Bool = false, uppercase: Bool = false) -> Self {
        OSLogFloatFormatting(digits: precision)
    }
    /// As Swift writes it.
    public static let hybrid = OSLogFloatFormatting(digits: nil)

    func text(_ value: Double) -> String { digits.map { String(format: "%.\(max(0, $0))f", value) } ?? "\(value)" }
}

/// Where a value stands in its column. Source: os, OSLogStringAlignment.
public struct OSLogStringAlignment: Sendable {
    let width: Int
    let isLeft: Bool

    public static let none = OSLogStringAlignment(width: 0, isLeft: false)
    /// At the right end of this many columns.
    public static func right(columns: Int) -> Self { OSLogStringAlignment(width: columns, isLeft: false) }
    /// At the left end of this many columns.
    public static func left(columns: Int) -> Self { OSLogStringAlignment(width: columns, isLeft: true) }

    func text(_ value: String) -> String {
        let spaces = String(repeating: " ", count: max(0, width - value.count))
        return isLeft ? value + spaces : spaces + value
    }
}

/// A line of the log, with values that have their own privacy. Source: os, OSLogMessage.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let text: String

    public init(stringLiteral value: String) { text = value }
    public init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    /// Puts the text together.
    public struct Interpolation: StringInterpolationProtocol {
        var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { text += literal }

        public mutating func appendInterpolation<Number: FixedWidthInteger>(
            _ number: @autoclosure () -> Number, format: OSLogIntegerFormatting = .decimal,
            align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            text += align.text(privacy.text(format.text(number())))
        }

        public mutating func appendInterpolation(
            _ number: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed,
            align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            text += align.text(privacy.text(format.text(number())))
        }

        public mutating func appendInterpolation(
            _ number: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed,
            align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            text += align.text(privacy.text(format.text(Double(number()))))
        }

        public mutating func appendInterpolation<Value: CustomStringConvertible>(
            _ value: @autoclosure () -> Value, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            text += align.text(privacy.text(value().description))
        }

        @_disfavoredOverload
        public mutating func appendInterpolation(_ error: @autoclosure () -> any Error, privacy: OSLogPrivacy = .auto) {
            text += privacy.text("\(error())")
        }

        public mutating func appendInterpolation(_ type: @autoclosure () -> Any.Type, privacy: OSLogPrivacy = .auto) {
            text += privacy.text("\(type())")
        }
    }
}

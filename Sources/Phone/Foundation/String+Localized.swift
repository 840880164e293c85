import Foundation

// Texts in the person's language. Source: Foundation, String.LocalizationValue.

extension String {
    /// A text with values in it. The text between the values is the key in the app's tables, with `%@` or `%lld` in
    /// their places.
    public struct LocalizationValue: ExpressibleByStringInterpolation, Equatable, Sendable {
        /// The key: `%lld dice of %@`.
        let key: String
        /// The values as the text shows them, in their order.
        let values: [String]

        public init(_ value: String) {
            key = value
            values = []
        }

        public init(stringLiteral value: String) { self.init(value) }

        public init(stringInterpolation: StringInterpolation) {
            key = stringInterpolation.key
            values = stringInterpolation.values
        }

        /// Puts the key together.
        public struct StringInterpolation: StringInterpolationProtocol {
            var key = ""
            var values: [String] = []

            public init(literalCapacity: Int, interpolationCount: Int) {}

            public mutating func appendLiteral(_ literal: String) { key += literal.replacing("%", with: "%%") }

            private mutating func append(_ value: String, as specifier: String) {
                key += specifier
                values.append(value)
            }

            public mutating func appendInterpolation(_ string: String) { append(string, as: "%@") }
            public mutating func appendInterpolation(_ substring: Substring) { append(String(substring), as: "%@") }
            public mutating func appendInterpolation<Object: NSObject>(_ object: Object) {
                append(object.description, as: "%@")
            }
            public mutating func appendInterpolation(_ number: Int) { append(String(number), as: "%lld") }
            public mutating func appendInterpolation(_ number: Int8) { append(String(number), as: "%d") }
            public mutating func appendInterpolation(_ number: Int16) { append(String(number), as: "%d") }
            public mutating func appendInterpolation(_ number: Int32) { append(String(number), as: "%d") }
            public mutating func appendInterpolation(_ number: Int64) { append(String(number), as: "%lld") }
            public mutating func appendInterpolation(_ number: UInt) { append(String(number), as: "%llu") }
            public mutating func appendInterpolation(_ number: UInt8) { append(String(number), as: "%u") }
            public mutating func appendInterpolation(_ number: UInt16) { append(String(number), as: "%u") }
            public mutating func appendInterpolation(_ number: UInt32) { append(String(number), as: "%u") }
            public mutating func appendInterpolation(_ number: UInt64) { append(String(number), as: "%llu") }
            public mutating func appendInterpolation(_ number: Float) {
                append(String(format: "%f", number), as: "%f")
            }
            public mutating func appendInterpolation(_ number: Double) {
                append(String(format: "%f", number), as: "%lf")
            }
            /// A number in the app's own form, such as `%.1f`.
            public mutating func appendInterpolation<Number: CVarArg>(_ number: Number, specifier: String) {
                append(String(format: specifier, number), as: specifier)
            }
        }

        /// The values in the places of a format of the app's tables; `%2$@` is the second.
        func text(in format: String) -> String {
            guard !values.isEmpty else { return format }
            var text = ""
            var next = 0
            var rest = format[...]
            while let percent = rest.firstIndex(of: "%") {
                text += rest[..<percent]
                rest = rest[rest.index(after: percent)...]
                if rest.first == "%" {
                    text += "%"
                    rest = rest.dropFirst()
                    continue
                }
                guard let end = rest.firstIndex(where: { $0.isLetter && !"lhqzt".contains($0) || $0 == "@" }) else {
                    return text + "%" + rest
                }
                let specifier = rest[..<end].split(separator: "$", omittingEmptySubsequences: false)
                let place = specifier.count > 1 ? Int(specifier[0]).map { $0 - 1 } : nil
                if place == nil { next += 1 }
                let index = place ?? next - 1
                text += values.indices.contains(index) ? values[index] : ""
                rest = rest[rest.index(after: end)...]
            }
            return text + rest
        }
    }

    /// A text of the app's tables; the key itself with its values where the tables do not have it.
    ///
    /// - Parameters:
    ///   - keyAndValue: The key, with values in it.
    ///   - table: The table; nil is `Localizable`.
    ///   - bundle: Where the tables are; nil is the program's own bundle.
    ///   - locale: Has no effect here: numbers are written alike in all languages.
    ///   - comment: For translators.
    public init(
        localized keyAndValue: String.LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
        locale: Locale = .current, comment: StaticString? = nil
    ) {
        self = keyAndValue.text(
            in: (bundle ?? .main).localizedString(forKey: keyAndValue.key, value: nil, table: table))
    }

    /// A text of the app's tables; the default value where the tables do not have the key.
    public init(
        localized key: StaticString, defaultValue: String.LocalizationValue, table: String? = nil,
        bundle: Bundle? = nil, locale: Locale = .current, comment: StaticString? = nil
    ) {
        self = defaultValue.text(
            in: (bundle ?? .main).localizedString(forKey: "\(key)", value: defaultValue.key, table: table))
    }
}

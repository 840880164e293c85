import Foundation

/// Puts the values of build settings into a property list, as Xcode does when it builds an app: `$(PRODUCT_NAME)`, or
/// `${PRODUCT_NAME}`.
///
/// Source: Xcode Help, "Build settings reference"; the operators `rfc1034identifier` and `c99extidentifier`, which follow
/// the name after a colon, are those of Xcode's templates.
struct BuildSettings {
    let values: [String: String]
    /// The settings that a property list refers to and that have no value, without repetitions, in order.
    private(set) var missing: [String] = []

    init(_ values: [String: String]) { self.values = values }

    /// The property list with the values in its texts, at any depth. A setting without a value stays as it is written.
    mutating func expand(_ value: Any) -> Any {
        switch value {
        case let text as String: expand(text: text)
        case let list as [Any]: list.map { expand($0) }
        // Sorted, so that the missing settings have the same order each time.
        case let dictionary as [String: Any]:
            dictionary.sorted { $0.key < $1.key }.reduce(into: [String: Any]()) { $0[$1.key] = expand($1.value) }
        default: value
        }
    }

    private mutating func expand(text: String) -> String {
        var (result, rest) = ("", text[...])
        while let start = rest.firstIndex(of: "$") {
            result += rest[..<start]
            rest = rest[start...]
            guard let end = Self.end(of: rest) else {
                result += rest.prefix(1)
                rest = rest.dropFirst()
                continue
            }
            result += self.value(of: rest[rest.index(start, offsetBy: 2)..<end]) ?? String(rest[start...end])
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// The closing bracket of a reference at the beginning of `text`; nil if there is no reference.
    private static func end(of text: Substring) -> Substring.Index? {
        switch text.dropFirst().first {
        case "(": text.firstIndex(of: ")")
        case "{": text.firstIndex(of: "}")
        default: nil
        }
    }

    private mutating func value(of reference: Substring) -> String? {
        let parts = reference.split(separator: ":", omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let value = values[name] else {
            if !missing.contains(name) { missing.append(name) }
            return nil
        }
        return parts.dropFirst().reduce(value) { value, operation in
            switch operation {
            case "rfc1034identifier": String(value.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
            case "c99extidentifier": String(value.map { $0.isLetter || $0.isNumber ? $0 : "_" })
            case "lower": value.lowercased()
            case "upper": value.uppercased()
            default: value
            }
        }
    }
}

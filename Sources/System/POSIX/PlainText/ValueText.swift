extension PlainText {
    /// A value in words, without type names, labels of initialisers, or empty parts: `alerted: notification 7, category
    /// question, sounded` of `alerted(DieAlert(notification: "7", …))`.
    ///
    /// A type with its own description is written in that form.
    ///
    /// - Parameter name: Returns the name of the value itself or of a part of it; nil if it has no name.
    package static func words(for value: Any, naming name: (Any) -> String? = { _ in nil }) -> String {
        words(for: value, naming: name, isPart: false) ?? ""
    }

    /// - Parameter isPart: Whether it is part of another value. Empty parts are left out.
    /// - Returns: Nil for an omitted part.
    private static func words(for value: Any, naming name: (Any) -> String?, isPart: Bool) -> String? {
        if let name = name(value) { return name }
        let mirror = Mirror(reflecting: value)
        switch (mirror.displayStyle, value) {
        case (.optional, _):
            return mirror.children.first.flatMap { words(for: $0.value, naming: name, isPart: isPart) }
                ?? (isPart ? nil : "nothing")
        case (_, let bytes as any Collection<UInt8>): return bytes.isEmpty ? (isPart ? nil : "no bytes") : hex(bytes)
        case (_, let text as String): return text.isEmpty && isPart ? nil : text
        case (.collection, _), (.set, _), (.dictionary, _):
            if isPart, mirror.children.isEmpty { return nil }
            let parts = mirror.children.compactMap { words(for: $0.value, naming: name, isPart: true) }
            return "[" + (mirror.displayStyle == .collection ? parts : parts.sorted()).joined(separator: "; ") + "]"
        case (_, let value as any CustomStringConvertible): return value.description
        case (.enum, _):
            guard let payload = mirror.children.first else { return words(ofName: "\(value)") }
            let what = words(ofName: payload.label ?? "")
            return words(for: payload.value, naming: name, isPart: true).map { "\(what): \($0)" } ?? what
        case (.struct, _), (.class, _), (.tuple, _):
            return mirror.children.compactMap { words(forPart: $0, naming: name) }.joined(separator: ", ")
        default: return "\(value)"
        }
    }

    private static func words(forPart part: Mirror.Child, naming name: (Any) -> String?) -> String? {
        // `.0` is the first of a tuple without labels.
        let label = part.label.flatMap { $0.hasPrefix(".") ? nil : words(ofName: $0) }
        switch (label, part.value) {
        case (let label?, let holds as Bool):
            let state = label.hasPrefix("is ") ? String(label.dropFirst(3)) : label
            return holds ? state : "not \(state)"
        case (let label?, let text as String) where text.contains(" "): return "\(label) “\(text)”"
        case (let label?, let value): return words(for: value, naming: name, isPart: true).map { "\(label) \($0)" }
        case (nil, let value): return words(for: value, naming: name, isPart: true)
        }
    }

    /// `passkey shown` of `passkeyShown`. Capitals that stand together stay: `serves HTTP`.
    package static func words(ofName name: String) -> String {
        var words = ""
        let letters = Array(name)
        for (place, letter) in letters.enumerated() {
            let isBeforeSmall = place + 1 < letters.count && letters[place + 1].isLowercase
            if letter.isUppercase, place > 0, letters[place - 1].isLowercase || isBeforeSmall { words += " " }
            words += letter.isUppercase && isBeforeSmall ? letter.lowercased() : String(letter)
        }
        return words
    }

    private static func hex(_ bytes: some Collection<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
    }
}

/// An event of hostapd or wpa_supplicant: `<3>CTRL-EVENT-CONNECTED - Connection to 02:… completed [id=0 id_str=]`.
package struct ControlEvent: Sendable, Equatable {
    /// The event's first word: `CTRL-EVENT-CONNECTED`.
    package var name: String
    /// The text after the name.
    package var text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// Parses a message of the control socket; nil if it is not an event but an answer.
    package init?(_ message: String) {
        let bytes = message.utf8
        guard bytes.first == UInt8(ascii: "<"), let end = bytes.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let level = bytes[bytes.index(after: bytes.startIndex)..<end]
        guard (1...2).contains(level.count), level.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let rest = message[bytes.index(after: end)...]
        name = String(rest.prefix { $0 != " " })
        text = String(rest.dropFirst(name.count).drop { $0 == " " })
    }

    /// The words of the text. A quoted part, which may contain escapes, belongs to the word around it.
    ///
    /// The daemons quote and escape everything that comes from the air, so that an SSID cannot look like another field.
    package var words: [String] {
        var words: [String] = []
        var word: [UInt8] = []
        var isQuoted = false
        var isEscaped = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: " "), !isQuoted {
                if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
                word = []
                continue
            }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            }
            word.append(byte)
        }
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        return words
    }

    /// The value of `key=value`, without quotes; nil if the field is missing.
    package func field(_ key: String) -> String? {
        for word in words {
            let bare = word.drop { $0 == "[" }
            guard bare.hasPrefix(key + "=") else { continue }
            var value = bare.dropFirst(key.count + 1)
            if value.first == "\"" { return String(value.dropFirst().dropLast()) }
            if value.last == "]" { value = value.dropLast() }
            return String(value)
        }
        return nil
    }

    /// The number in a field; nil if the field is missing or not a number.
    package func number(_ key: String) -> Int? { field(key).flatMap { Int($0) } }
}

/// Parses the answer to `STATUS` and similar commands: one `key=value` on each line. A repeated key has its last value.
package func controlFields(_ reply: String) -> [String: String] {
    var fields: [String: String] = [:]
    for line in reply.split(separator: "\n") {
        guard let cut = line.firstIndex(of: "=") else { continue }
        fields[String(line[..<cut])] = String(line[line.index(after: cut)...])
    }
    return fields
}

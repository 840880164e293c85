/// What hostapd or wpa_supplicant tells unasked: `<3>CTRL-EVENT-CONNECTED - Connection to 02:… completed [id=0 id_str=]`.
package struct ControlEvent: Sendable, Equatable {
    /// The event's first word: `CTRL-EVENT-CONNECTED`.
    package var name: String
    /// What follows the name.
    package var text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// Reads a message of the control socket; nil where it is no event but the answer to a request.
    package init?(_ message: String) {
        let bytes = message.utf8
        guard bytes.first == UInt8(ascii: "<"), let end = bytes.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let level = bytes[bytes.index(after: bytes.startIndex)..<end]
        guard (1...2).contains(level.count), level.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let rest = message[bytes.index(after: end)...]
        name = String(rest.prefix { $0 != " " })
        text = String(rest.dropFirst(name.count).drop { $0 == " " })
    }

    /// The words of the text; a quoted one, with escapes, counts as a part of the word that it stands in.
    ///
    /// The daemons quote and escape what comes from the air, so that an SSID cannot pass for a field of its own.
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

    /// The value of `key=value`, without the quotes around it; nil where there is none.
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

    /// The number that a field holds; nil where there is none.
    package func number(_ key: String) -> Int? { field(key).flatMap { Int($0) } }
}

/// The answer to `STATUS` and its like: a line for each `key=value`. A key that is there twice has its last value.
package func controlFields(_ reply: String) -> [String: String] {
    var fields: [String: String] = [:]
    for line in reply.split(separator: "\n") {
        guard let cut = line.firstIndex(of: "=") else { continue }
        fields[String(line[..<cut])] = String(line[line.index(after: cut)...])
    }
    return fields
}

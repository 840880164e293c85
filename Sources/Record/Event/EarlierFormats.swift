import BoardProtocol
import RadioModel

// Up to format 4 an event had the values that the phone, the air or a played scenario had themselves: `{"connected":
// {"device": "02:00:00:00:02:B0"}}`. Read as notes, they have the words that can be made of them.

extension ScreenNote {
    private struct Earlier: Decodable {
        struct Entry: Decodable {
            var title: String
            var detail: String

            var shown: String { detail.isEmpty ? "‹\(title)›" : "‹\(title) (\(detail))›" }
        }

        var kind: String
        var title: String
        var lines: [String]
        var entries: [Entry]
        var controls: [String]
    }

    package init(from decoder: any Decoder) throws {
        if let earlier = try? Earlier(from: decoder) {
            let controls = earlier.controls.map { "[\($0)]" }
            let parts = [earlier.title] + earlier.lines + earlier.entries.map(\.shown) + controls
            (kind, title, text) = (earlier.kind, earlier.title, parts.joined(separator: " · "))
            return
        }
        let values = try decoder.container(keyedBy: CodingKeys.self)
        kind = try values.decode(String.self, forKey: .kind)
        title = try values.decode(String.self, forKey: .title)
        text = try values.decode(String.self, forKey: .text)
    }
}

extension ActionNote {
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        if values.contains(.control) {
            control = try values.decode(String.self, forKey: .control)
            text = try values.decode(String.self, forKey: .text)
        } else {
            let earlier = try EarlierEvent(from: decoder)
            control = earlier.name
            text =
                switch earlier.name {
                case "done": "go on"
                case "confirmPasskey": "confirm the number"
                case "refusePasskey": "refuse the number"
                default: ([earlier.name] + earlier.texts.map { "“\($0)”" }).joined(separator: " ")
                }
        }
    }
}

extension RadioNote {
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        if values.contains(.kind) {
            kind = try values.decode(String.self, forKey: .kind)
            text = try values.decode(String.self, forKey: .text)
            devices = try values.decode([DeviceAddress].self, forKey: .devices)
        } else {
            let earlier = try EarlierEvent(from: decoder)
            kind = earlier.name
            text = (try? RadioEvent(from: decoder))?.description ?? earlier.words
            devices = ["device", "to"].compactMap { earlier.values[$0].flatMap { DeviceAddress($0) } }
        }
    }
}

extension AirNote {
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        fired = try values.decodeIfPresent(FiredFault.self, forKey: .fired)
        if values.contains(.text) {
            text = try values.decode(String.self, forKey: .text)
        } else if let fired {
            let packet = fired.packet.map { " (\($0))" } ?? ""
            text = "fault \(fired.count) of \(fired.of): \(fired.fault)\(packet)"
        } else {
            text = try EarlierEvent(from: decoder).words
        }
    }
}

extension PlayNote {
    package init(from decoder: any Decoder) throws {
        // In earlier formats the events of phone and app say what was played.
        text = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .text)
    }
}

/// An event of an earlier format: an object with its name and its values.
private struct EarlierEvent: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let name: String
    /// The texts among its values, at any depth, by their names.
    private(set) var values: [String: String] = [:]
    private(set) var texts: [String] = []

    /// The name and the texts: `connected 02:00:00:00:02:B0`.
    var words: String { ([name] + texts).joined(separator: " ") }

    init(from decoder: any Decoder) throws {
        let event = try decoder.container(keyedBy: Key.self)
        guard event.allKeys.count == 1, let key = event.allKeys.first else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "an event has one name"))
        }
        name = key.stringValue
        try read(try event.nestedContainer(keyedBy: Key.self, forKey: key), depth: 0)
    }

    private mutating func read(_ object: KeyedDecodingContainer<Key>, depth: Int) throws {
        for key in object.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            if let text = try? object.decode(String.self, forKey: key) {
                values[key.stringValue] = text
                texts.append(text)
            } else if let flag = try? object.decode(Bool.self, forKey: key) {
                texts.append("\(key.stringValue) \(flag)")
            } else if let number = try? object.decode(Int64.self, forKey: key) {
                texts.append("\(key.stringValue) \(number)")
            } else if let number = try? object.decode(Double.self, forKey: key) {
                texts.append("\(key.stringValue) \(number)")
            } else if depth < 4, let inner = try? object.nestedContainer(keyedBy: Key.self, forKey: key) {
                try read(inner, depth: depth + 1)
            }
        }
    }
}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A call with the number that connects it with its answer: `{"id":7,"call":{"join":{…}}}`.
package struct NumberedCall<C: Call>: Codable, Sendable {
    package var id: UInt32
    package var call: C

    package init(id: UInt32, call: C) { (self.id, self.call) = (id, call) }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: WireKey.self)
        id = try values.decode(UInt32.self, forKey: WireKey("id"))
        call = try values.decode(C.self, forKey: WireKey(C.wireName))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: WireKey.self)
        try values.encode(id, forKey: WireKey("id"))
        try values.encode(call, forKey: WireKey(C.wireName))
    }
}

/// An answer with the number of its call: `{"id":7,"outcome":{"success":{"_0":…}}}`, or `failure`.
struct NumberedAnswer<Value: Codable & Sendable, Failure: Error & Codable>: Codable, Sendable {
    enum Outcome: Codable, Sendable {
        case success(Value)
        case failure(Failure)
    }

    var id: UInt32
    var outcome: Outcome
}

extension Answer {
    /// The answer's value in JSON, for an answer that another message carries.
    package func encoded() throws -> Data {
        func encode(_ value: some Encodable) throws -> Data { try JSONEncoder().encode(value) }
        return try encode(value)
    }
}

/// The part of a message that can be read even if the rest is of another version.
struct CallNumber: Decodable {
    var id: UInt32
}

struct WireKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// The name of a call that cannot be decoded: `station.join`. A call that is grouped into another has one value, a call
/// of its own.
struct UnreadCall: Decodable {
    /// How deep calls are grouped, at most.
    private static let depth = 3

    var name: String?

    init(from decoder: any Decoder) { name = UnreadCall.name(decoder, depth: UnreadCall.depth) }

    private static func name(_ decoder: any Decoder, depth: Int) -> String? {
        guard depth > 0, let values = try? decoder.container(keyedBy: WireKey.self), values.allKeys.count == 1,
            let key = values.allKeys.first, !key.stringValue.hasPrefix("_")
        else { return nil }
        let own = PlainText.line(PlainText.cut(key.stringValue, to: 60))
        guard let call = try? values.nestedContainer(keyedBy: WireKey.self, forKey: key), call.allKeys.count == 1,
            let inner = try? call.superDecoder(forKey: WireKey("_0")), let name = name(inner, depth: depth - 1)
        else { return own }
        return "\(own).\(name)"
    }
}

/// Says which call could not be decoded and why, without its values, which may be secret.
///
/// - Parameters:
///   - key: The name of the call in a message with its number; nil if the message is the call.
///   - error: The error of the decoder.
package func unreadCall(_ message: Data, under key: String? = nil, _ error: any Error) -> String {
    let call =
        if let key { try? JSONDecoder().decode([String: UnreadValue].self, from: message)[key]?.call } else {
            try? JSONDecoder().decode(UnreadCall.self, from: message)
        }
    guard let name = call?.name else { return "a call without a name" }
    return "the call \(name): \(problem(error))"
}

private func problem(_ error: any Error) -> String {
    func value(_ key: any CodingKey) -> String {
        key.stringValue.hasPrefix("_") ? "a value" : "“\(PlainText.line(PlainText.cut(key.stringValue, to: 60)))”"
    }
    return switch error as? DecodingError {
    case .keyNotFound(let key, _): "it lacks \(value(key))"
    // The decoder of an enum finds no case that it knows.
    case .typeMismatch(_, let context) where context.debugDescription.hasPrefix("Invalid number of keys"):
        "it is unknown here"
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        "\(context.codingPath.last.map(value) ?? "it") cannot be read"
    default: "it cannot be read"
    }
}

/// A value of a message that may be a call.
private struct UnreadValue: Decodable {
    var call: UnreadCall?

    init(from decoder: any Decoder) { call = UnreadCall(from: decoder) }
}

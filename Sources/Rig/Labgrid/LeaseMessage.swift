import Foundation

/// An order to the lease: a line of JSON. `Fixtures/Labgrid/places.py` describes each of them.
struct LeaseRequest: Encodable {
    var id: Int?
    var `do`: String
    var place: String?
    var tags: [String: String]?
    var excluding: [String]?
    /// Seconds.
    var patience: Double?
    var board: String?
    /// How long a board is without power.
    var seconds: Double?
    var force: Bool?
    /// The cancelled order.
    var of: Int?

    init(_ what: String) { `do` = what }

    var line: [UInt8] {
        // Texts, numbers and flags can always be encoded.
        Array((try? JSONEncoder().encode(self)) ?? Data()) + [UInt8(ascii: "\n")]
    }
}

/// A line of the lease. The lease is our program, but it passes on data from other machines.
enum LeaseReport: Sendable {
    /// The answer to an order, as JSON; nil for none.
    case answer(to: Int, Data?)
    case refusal(of: Int, reason: String, remedy: String?)
    case lost(place: String, why: String, remedy: String?)
    case note(String)
    case ready

    private struct Line: Decodable {
        var id: Int?
        var reason, remedy, event, place, why, text: String?
    }

    /// Nil for any other line.
    init?(_ bytes: [UInt8]) {
        guard let line = try? JSONDecoder().decode(Line.self, from: Data(bytes)) else { return nil }
        if let id = line.id {
            if let reason = line.reason {
                self = .refusal(of: id, reason: reason, remedy: line.remedy)
                return
            }
            guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
                let answer = object["answer"]
            else { return nil }
            self = .answer(
                to: id,
                answer is NSNull
                    ? nil : try? JSONSerialization.data(withJSONObject: answer, options: .fragmentsAllowed))
            return
        }
        switch line.event {
        case "ready": self = .ready
        case "note": self = .note(line.text ?? "")
        case "lost":
            guard let place = line.place else { return nil }
            self = .lost(place: place, why: line.why ?? "it is gone", remedy: line.remedy)
        default: return nil
        }
    }
}

/// The answer to `take`.
struct TakenPlace: Decodable {
    var place: String
    var host: String
    var accessory: String?
    var power: [String]
}

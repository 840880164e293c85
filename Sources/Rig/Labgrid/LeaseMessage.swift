import Foundation
import HILPOSIX

/// What a run asks of the lease, a line of JSON each. `Fixtures/Labgrid/places.py` answers.
enum LeaseCall: Call {
    typealias Failure = LeaseRefusal

    /// Takes a place. Answers nil if none is left to wait for, or the call was called off.
    case take(LeaseWish, Reply<TakenPlace?>)
    case giveBack(place: String, Reply<Done>)
    /// Switches a board of a place off, and on again after so many seconds.
    case cyclePower(place: String, board: String, seconds: Double, Reply<Done>)
    case list(Reply<[LabgridPlace]>)
    /// Releases the places that killed jobs of this user hold; a named place also if its job runs, or by force whoever
    /// holds it.
    case free(place: String?, force: Bool, Reply<[LabgridRelease]>)
}

/// What a run tells the lease without waiting for an answer, a line of JSON each.
enum LeaseNotice: Encodable {
    /// The run lives.
    case beat
    /// The call with this number is no longer wanted.
    case callOff(UInt32)
    /// Everything can be given back at once.
    case close
}

/// Why the lease refused a call.
struct LeaseRefusal: Error, Codable {
    var reason: String
    var remedy: String?
}

extension Call where Failure == LeaseRefusal {
    static func unanswerable(_ why: String) -> LeaseRefusal { LeaseRefusal(reason: why) }
}

/// The place that a run wants: by its name or alias, or any with these tags.
struct LeaseWish: Sendable, Codable {
    var place: String?
    var tags: [String: String]?
    /// The names of places that are not wanted.
    var excluding: [String]
    /// How long to wait for an occupied place, in seconds.
    var patience: Double
}

/// The answer to ``LeaseCall/take(_:_:)``.
struct TakenPlace: Sendable, Codable {
    var place: String
    var host: String
    var accessory: String?
    var power: [String]
}

/// A line of the lease that is no answer. The lease is our program, but it passes on data from other machines.
enum LeaseReport: Sendable, Equatable {
    case lost(place: String, why: String, remedy: String?)
    case note(String)
    case ready

    private struct Line: Decodable {
        var event, place, why, remedy, text: String?
    }

    /// Nil for any other line.
    init?(_ bytes: [UInt8]) {
        guard let line = try? JSONDecoder().decode(Line.self, from: Data(bytes)) else { return nil }
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

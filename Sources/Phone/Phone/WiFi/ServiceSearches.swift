import HostRadio
import RadioModel
import Synchronization

/// The near misses of the searches for services.
final class ServiceSearches: Sendable {
    private struct Search {
        var hasFound = false
        /// The other types that are offered.
        var others: Set<String> = []
    }

    private let state = Mutex<[String: Search]>([:])

    /// Notes the results of a search.
    ///
    /// - Returns: The near misses that are new.
    func note(_ changes: [BonjourChange], for type: String) -> [NearMiss] {
        state.withLock { state in
            var search = state[type] ?? Search()
            var new: [NearMiss] = []
            for change in changes {
                switch change {
                case .found: search.hasFound = true
                case .lost: break
                case .otherType(let other):
                    if search.others.insert(other).inserted { new.append(Self.miss(other, wanted: type)) }
                }
            }
            state[type] = search
            return new
        }
    }

    var nearMisses: [NearMiss] {
        state.withLock { state in
            state.filter { !$0.value.hasFound }.sorted { $0.key < $1.key }.flatMap { type, search in
                search.others.sorted().map { Self.miss($0, wanted: type) }
            }
        }
    }

    private static func miss(_ other: String, wanted type: String) -> NearMiss {
        NearMiss(
            search: "looking for services of \(type)", heard: "services of \(other)",
            reasons: [difference(other, wanted: type)], held: isAlike(other, type) ? 1 : 0)
    }

    /// `_lamp._udp` and `_lamp._tcp`, or two names that only differ in their case, are alike.
    private static func isAlike(_ type: String, _ other: String) -> Bool { name(of: type) == name(of: other) }

    private static func name(of type: String) -> String {
        type.split(separator: ".").first.map { $0.lowercased() } ?? ""
    }

    private static func difference(_ heard: String, wanted: String) -> String {
        guard isAlike(heard, wanted) else { return "their type is \(heard), wanted \(wanted)" }
        let (heardOver, wantedOver) = (heard.split(separator: ".").last ?? "", wanted.split(separator: ".").last ?? "")
        if heardOver != wantedOver { return "they are offered over \(heardOver), wanted \(wantedOver)" }
        return "their type is spelt \(heard), wanted \(wanted)"
    }
}

/// A search whose results are noted.
struct NotedBrowser: RadioBrowser {
    private let browser: any RadioBrowser
    private let type: String
    private let notes: ServiceSearches
    private let phone: Phone

    init(_ browser: any RadioBrowser, of type: String, notes: ServiceSearches, on phone: Phone) {
        (self.browser, self.type, self.notes, self.phone) = (browser, type, notes, phone)
    }

    func changes() async throws -> [BonjourChange] {
        let changes = try await browser.changes()
        for miss in notes.note(changes, for: type) { phone.record(.note("Wi-Fi", "\(miss)")) }
        return changes
    }

    func close() { browser.close() }
}

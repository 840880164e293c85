import HIL
import HILRecord

/// What ran on the boards of an attempt, according to its events.
struct BoardVersions: Sendable, Hashable {
    /// By board, then by name. The versions of accessories without a board of their own are among those of `accessory`.
    private(set) var versions: [String: [String: String]] = [:]
    /// The versions that the accessories' own hooks reported, by the accessory's name.
    private var told: [String: String] = [:]

    init(_ story: [RunLine]) {
        for line in story {
            switch line.worker {
            case .boardsReady(let all): versions = all
            case .accessoryVersion(let name, let version): told[name] = version
            default: break
            }
        }
        if !told.isEmpty { versions["accessory", default: [:]].merge(told) { $1 } }
    }

    /// The firmware that the accessories' hooks reported: `1.4.2`, or of several `die 1.4.2, lamp 7`; nil if none did.
    var firmware: String? {
        if told.count < 2 { return told.first?.value }
        return told.sorted { $0.key < $1.key }.map { "\($0) \($1)" }.joined(separator: ", ")
    }
}

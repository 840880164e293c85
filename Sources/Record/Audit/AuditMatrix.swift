/// Which characteristics of an accessory are open, and to whom: expected and seen.
package struct AuditMatrix: Sendable, Hashable, Codable {
    /// Who tries.
    package enum Level: String, Sendable, Hashable, Codable, CaseIterable, CodingKeyRepresentable {
        /// A stranger without a key.
        case nobody
        /// A stranger who paired without comparing or entering a number.
        case pairedWithoutNumber
        /// A stranger who paired, and compared or entered a number.
        case pairedWithNumber
        /// A stranger with the bond of another phone.
        case otherPhone

        /// In words: `paired without a number`.
        package var words: String {
            switch self {
            case .nobody: "nobody"
            case .pairedWithoutNumber: "paired without a number"
            case .pairedWithNumber: "paired with a number"
            case .otherPhone: "another phone's bond"
            }
        }
    }

    /// What is tried.
    package enum Operation: String, Sendable, Hashable, Codable, CaseIterable, CodingKeyRepresentable {
        case read, write, subscribe
    }

    package enum Seen: String, Sendable, Hashable, Codable {
        /// It was allowed.
        case yes
        /// It was refused.
        case no
        /// The characteristic has no such property, so nobody tried.
        case notOffered
    }

    package struct Cell: Sendable, Hashable, Codable {
        package var seen: Seen
        /// Whether the team means it to be allowed; nil if it says nothing about it.
        package var expected: Bool?

        package init(_ seen: Seen, expected: Bool? = nil) { (self.seen, self.expected) = (seen, expected) }

        /// Whether more is allowed than the team means.
        package var isBreach: Bool { seen == .yes && expected == false }
        /// Whether less is allowed than the team means.
        package var isLess: Bool { seen == .no && expected == true }
    }

    /// A characteristic.
    package struct Row: Sendable, Hashable, Codable {
        /// The UUIDs, as short as they are: `2A19`.
        package var service, characteristic: String
        /// The handle of its value, which tells two characteristics of one UUID apart.
        package var handle: Int
        /// Its name for people; nil if it has none.
        package var name: String?
        /// What was tried at each level. A level at which nobody tried is missing.
        package var cells: [Level: [Operation: Cell]]

        package init(
            service: String, characteristic: String, handle: Int, name: String? = nil,
            cells: [Level: [Operation: Cell]] = [:]
        ) {
            (self.service, self.characteristic, self.handle) = (service, characteristic, handle)
            (self.name, self.cells) = (name, cells)
        }
    }

    /// In the order of the handles.
    package var rows: [Row]
    /// Why nobody tried at a level: `it pairs with nobody`.
    package var notTried: [Level: String]

    package init(_ rows: [Row], notTried: [Level: String] = [:]) { (self.rows, self.notTried) = (rows, notTried) }

    /// What a level is allowed beyond what the team means: `read FF01`, `subscribe to FF02`.
    package func breaches(at level: Level) -> [String] {
        rows.flatMap { row in
            Operation.allCases.filter { row.cells[level]?[$0]?.isBreach == true }.map {
                "\($0 == .subscribe ? "subscribe to" : $0.rawValue) \(row.characteristic)"
            }
        }
    }
}

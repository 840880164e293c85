/// The operating system of an accessory board. The host board always has Debian 13.
///
/// ```swift
/// let lampIsOnboarded = Scenario("…", over: Axis("board", [BoardSystem.debian12, .debian13])) { lab, _ in … }
/// ```
public struct BoardSystem: Sendable, Hashable, Codable {
    /// A release of Debian that a board can have, by the name that its archive has.
    package enum Release: String, Sendable, Hashable, Codable, CaseIterable {
        case bookworm, trixie

        /// Its number: 13.
        package var number: Int {
            switch self {
            case .bookworm: 12
            case .trixie: 13
            }
        }
    }

    package let release: Release
    /// The names of Debian packages that it has in addition, sorted.
    package let packages: [String]

    /// Debian 12, with Linux 6.1 and BlueZ 5.66.
    public static let debian12 = BoardSystem(release: .bookworm, packages: [])
    /// Debian 13, with Linux 6.12 and BlueZ 5.82.
    public static let debian13 = BoardSystem(release: .trixie, packages: [])

    /// The same system with more Debian packages. The first use of a new list builds another image, which takes a
    /// minute or two.
    public func adding(packages more: [String]) -> BoardSystem {
        BoardSystem(release: release, packages: Set(packages + more).sorted())
    }

    /// The system with this name on a command line: `debian12`; nil if there is none.
    package init?(named name: String) {
        guard let release = Release.allCases.first(where: { "debian\($0.number)" == name }) else { return nil }
        self.init(release: release, packages: [])
    }

    private init(release: Release, packages: [String]) {
        self.release = release
        self.packages = packages
    }
}

extension BoardSystem: CustomStringConvertible {
    /// A word for `--where` and reports: `debian12`, `debian13+python3`.
    public var description: String { (["debian\(release.number)"] + packages).joined(separator: "+") }
}

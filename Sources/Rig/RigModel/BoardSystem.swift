/// The operating system of an accessory board. The host board always has Debian 13.
///
/// ```swift
/// let lampIsOnboarded = Scenario("…", over: Axis("board", [BoardSystem.debian12, .debian13])) { lab, _ in … }
/// ```
package struct BoardSystem: Sendable, Hashable, Codable {
    /// A release of Debian that a board can have, by its name in the archive.
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

    /// A team's own root file system.
    package struct Archive: Sendable, Hashable, Codable {
        /// The absolute path of the tar archive.
        package var path: String
        /// Its SHA-256.
        package var digest: String

        package init(path: String, digest: String) {
            self.path = path
            self.digest = digest
        }
    }

    /// Its release of Debian; 13 for a team's own system.
    package let release: Release
    /// A team's own root file system in place of Debian's; nil for Debian.
    package let archive: Archive?
    /// The names of Debian packages that it has in addition, sorted.
    package let packages: [String]

    /// Debian 12, with Linux 6.1 and BlueZ 5.66.
    package static let debian12 = BoardSystem(release: .bookworm, packages: [])
    /// Debian 13, with Linux 6.12 and BlueZ 5.82.
    package static let debian13 = BoardSystem(release: .trixie, packages: [])

    /// The same system with more Debian packages. The first use of a new list builds another image, which takes a
    /// minute or two.
    package func adding(packages more: [String]) -> BoardSystem {
        BoardSystem(release: release, archive: archive, packages: Set(packages + more).sorted())
    }

    /// The names of all systems that a command line can choose.
    package static var names: [String] { Release.allCases.map { "debian\($0.number)" } }

    /// The system with this name on a command line: `debian12`; nil if there is none.
    package init?(named name: String) {
        guard let release = Release.allCases.first(where: { "debian\($0.number)" == name }) else { return nil }
        self.init(release: release, packages: [])
    }

    /// A team's own root file system.
    package init(_ archive: Archive) { self.init(release: .trixie, archive: archive, packages: []) }

    private init(release: Release, archive: Archive? = nil, packages: [String]) {
        self.release = release
        self.archive = archive
        self.packages = packages
    }
}

/// A scenario or the command line asks for a system that cannot exist.
package struct SystemMistake: Error, Sendable, Hashable, CustomStringConvertible {
    /// The packages that do not exist; empty for another mistake.
    package let packages: [String]
    package let description: String

    package init(_ description: String) {
        packages = []
        self.description = description
    }

    /// Packages do not exist in the system's release of Debian.
    package init(_ packages: [String], in system: BoardSystem) {
        self.packages = packages
        let names = packages.map { "“\($0)”" }.joined(separator: ", ")
        let them = packages.count == 1 ? "package \(names)" : "packages \(names)"
        let release = "Debian \(system.release.number) (\(system.release))"
        description = "there is no \(them) in \(release): look up the name at https://packages.debian.org"
    }
}

extension BoardSystem {
    /// Whether this is the name of a Debian package (Debian Policy, 5.6.1). A name with a minus at its end would make
    /// apt remove the package.
    package static func isPackageName(_ name: String) -> Bool {
        name.utf8.count <= 100 && !name.hasSuffix("-") && name.wholeMatch(of: /[a-z0-9][a-z0-9+.-]+/) != nil
    }

    /// The mistake in the system; nil if it is valid.
    package var mistake: SystemMistake? {
        packages.first { !BoardSystem.isPackageName($0) }.map {
            SystemMistake("“\($0)” is not the name of a Debian package, such as python3-dbus")
        }
    }
}

extension BoardSystem: CustomStringConvertible {
    /// A word for `--where` and reports: `debian12`, `debian13+python3`, `own-1a2b3c4d`.
    package var description: String {
        let base = archive.map { "own-\($0.digest.prefix(8))" } ?? "debian\(release.number)"
        return ([base] + packages).joined(separator: "+")
    }
}

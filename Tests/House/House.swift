import Foundation

/// The package's targets and their dependencies, from `swift package dump-package`.
struct House {
    /// The folders of `Sources/` from the bottom up. A target may use the folders before its own, and none after it.
    static let floors = ["System", "Crypto", "Board", "Record", "Host", "Rig", "Runner", "Die"]

    struct Room {
        var name: String
        /// `regular`, `executable`, `system`, `plugin` or `test`.
        var type: String
        /// Relative to the package's folder.
        var path: String
        var uses: [String]

        /// The index of its folder in ``House/floors``; the scenarios are above all of them. nil for a target that is
        /// not part of the product.
        var floor: Int? {
            let parts = path.split(separator: "/")
            if parts.first == "Scenarios" { return House.floors.count }
            guard parts.first == "Sources", parts.count > 1 else { return nil }
            return House.floors.firstIndex(of: String(parts[1]))
        }
    }

    var rooms: [String: Room]
    /// The targets that the package's products name.
    var products: [String]

    init(_ rooms: [Room], products: [String] = []) {
        self.rooms = Dictionary(uniqueKeysWithValues: rooms.map { ($0.name, $0) })
        self.products = products
    }

    /// - Parameter dump: What `swift package dump-package` printed.
    init(dump: Data) throws {
        let dump = try JSONDecoder().decode(Dump.self, from: dump)
        self.init(dump.targets.map(\.room), products: dump.products.flatMap(\.targets))
    }

    /// Everything that a target uses, directly or through others.
    func reach(of name: String) -> Set<String> {
        var found: Set<String> = []
        var waiting = rooms[name]?.uses ?? []
        while let next = waiting.popLast() {
            if found.insert(next).inserted { waiting += rooms[next]?.uses ?? [] }
        }
        return found
    }

    /// The targets that are built in a package that depends on this one. Their names share one name space with that
    /// package's own.
    var reachFromOutside: Set<String> { products.reduce(into: Set(products)) { $0.formUnion(reach(of: $1)) } }

    /// The dependencies that the plan does not allow, one per line.
    ///
    /// A program combines modules: it may use all of them, and only a test or a plugin may use it.
    var mistakes: [String] {
        rooms.values.sorted { $0.name < $1.name }.flatMap { room in
            var mistakes: [String] = []
            if room.path.hasPrefix("Sources/"), room.floor == nil {
                mistakes.append("\(room.name): \(room.path) is on no floor of the plan")
            }
            guard let floor = room.floor else { return mistakes }
            for used in room.uses.compactMap({ rooms[$0] }) {
                if used.type == "executable", room.type != "plugin" {
                    mistakes.append("\(room.name) uses the program \(used.name)")
                } else if room.type != "executable", used.floor.map({ $0 > floor }) ?? true {
                    mistakes.append(
                        "\(room.name) (\(room.path)) uses \(used.name) (\(used.path)), which stands above it")
                }
            }
            return mistakes
        }
    }
}

extension House {
    /// The imports of this package's modules that no dependency of the target declares, one per line. They compile only
    /// as long as another target happens to build the module first.
    ///
    /// - Parameter sources: The Swift files of a target's folder, by their path in it.
    func undeclaredImports(_ sources: (_ path: String) throws -> [String: String]) rethrows -> [String] {
        // A module is imported by its C name.
        let modules = Dictionary(rooms.keys.map { ($0.replacing("-", with: "_"), $0) }) { first, _ in first }
        return try rooms.values.sorted { $0.name < $1.name }.flatMap { room in
            try sources(room.path).sorted { $0.key < $1.key }.flatMap { path, text in
                House.imports(in: text).compactMap { modules[$0] }
                    .filter { $0 != room.name && !room.uses.contains($0) }
                    .map { "\(room.name): \(path) imports \($0), which Package.swift does not declare" }
            }
        }
    }

    /// The modules that a source imports, at the beginning of a line.
    static func imports(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").drop { $0.hasPrefix("@") || ["public", "package"].contains($0) }
            guard line.first != " ", words.first == "import" else { return nil }
            let name = words.dropFirst().drop { ["struct", "class", "enum", "func", "protocol"].contains($0) }.first
            return name?.split(separator: ".").first.map(String.init)
        }
    }
}

/// The needed part of `swift package dump-package`.
private struct Dump: Decodable {
    var targets: [Target]
    var products: [Product]

    struct Product: Decodable {
        var targets: [String]
    }

    struct Target: Decodable {
        var name: String
        var type: String
        var path: String?
        var dependencies: [Dependency]

        var room: House.Room {
            House.Room(name: name, type: type, path: path ?? "", uses: dependencies.compactMap(\.name))
        }
    }

    /// `{"byName": ["Name", null]}`, `{"target": …}` or `{"product": …}`.
    struct Dependency: Decodable {
        var name: String?

        init(from decoder: any Decoder) throws {
            let kinds = try decoder.singleValueContainer().decode([String: [Name?]].self)
            name = kinds["byName"]?.first??.text ?? kinds["target"]?.first??.text
        }
    }

    /// A name, or conditions, which no target here has.
    struct Name: Decodable {
        var text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }
}

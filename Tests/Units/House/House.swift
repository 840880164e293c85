import Foundation

/// The package's targets and their dependencies, from `swift package dump-package`.
struct House {
    /// The folders of the house from the bottom up. A target may use its own and those before it, and none after it.
    static let floors =
        ["System", "Crypto", "Board", "Record", "Phone", "Apps", "Rig", "Runner", "Die"].map { "Sources/\($0)" } + [
            "Scenarios", "Tests/Support", "Sources/Programs",
        ]

    struct Room {
        var name: String
        /// `regular`, `executable`, `system`, `plugin` or `test`.
        var type: String
        /// Relative to the package's folder.
        var path: String
        var uses: [String]

        /// The index of its folder in ``House/floors``; nil for tests, and for a folder that the plan does not have.
        var floor: Int? { House.floors.firstIndex { "\(path)/".hasPrefix("\($0)/") } }
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
    /// A program combines modules, and only a test or a plugin may use it.
    var mistakes: [String] {
        rooms.values.sorted { $0.name < $1.name }.flatMap { room in
            var mistakes: [String] = []
            if room.path.hasPrefix("Sources/"), room.floor == nil {
                mistakes.append("\(room.name): \(room.path) is on no floor of the plan")
            }
            guard let floor = room.floor else { return mistakes }
            for used in room.uses.compactMap({ rooms[$0] }) {
                if used.type == "executable" {
                    guard room.type != "plugin", !room.path.hasPrefix("Tests/") else { continue }
                    mistakes.append("\(room.name) uses the program \(used.name)")
                } else if used.floor.map({ $0 > floor }) ?? true {
                    mistakes.append(
                        "\(room.name) (\(room.path)) uses \(used.name) (\(used.path)), which stands above it")
                }
            }
            return mistakes
        }
    }
}

extension House {
    /// In what a target's imports differ from the modules that it declares, one difference per line. An undeclared import
    /// compiles only as long as another target happens to build the module first; what is declared and not imported is built
    /// for nothing.
    ///
    /// - Parameter sources: The Swift files of a target's folder, by their path in it.
    func wrongImports(_ sources: (_ path: String) throws -> [String: String]) rethrows -> [String] {
        // A module is imported by its C name.
        let modules = Dictionary(rooms.keys.map { ($0.replacing("-", with: "_"), $0) }) { first, _ in first }
        return try rooms.values.sorted { $0.name < $1.name }.flatMap { room in
            let files = try sources(room.path).sorted { $0.key < $1.key }
            let imports = files.map { path, text in (path, House.imports(in: text).compactMap { modules[$0] }) }
            let undeclared = imports.flatMap { path, names in
                names.filter { $0 != room.name && !room.uses.contains($0) }
                    .map { "\(room.name): \(path) imports \($0), which Package.swift does not declare" }
            }
            let imported = Set(imports.flatMap(\.1)).union(House.unimported[room.name] ?? [])
            // A program is declared so that it is built.
            let unused = room.uses.filter { rooms[$0]?.type != "executable" && !imported.contains($0) }
            return undeclared
                + (files.isEmpty ? [] : unused.map { "\(room.name) declares \($0), and no file imports it" })
        }
    }

    /// Modules that work without an import: the compiler finds the first itself where a test imports UIKit, and the second is
    /// a function that runs when the program starts.
    private static let unimported: [String: Set<String>] = [
        "UIKit": ["_Testing_UIKit"], "TestSupport": ["BrokenPipes"],
    ]

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

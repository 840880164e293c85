import Foundation
import TestSupport
import Testing

/// The dependencies follow the plan: every arrow points to a lower folder.
struct HouseTests {
    @Test("every target uses only what is below it, and no program")
    func arrows() async throws {
        let house = try await House.own.value
        #expect(house.rooms.count > 40)
        #expect(house.mistakes == [])
    }

    @Test(
        "the harness knows nothing of the die",
        arguments: [
            "HIL", "BoardProtocol", "BoardAgent", "HILBlueZ", "HILWiFi", "HILExecution", "HILHistory", "HILReports",
            "HILCommand", "HILPhone",
        ])
    func die(name: String) async throws {
        let house = try await House.own.value
        let room = try #require(house.rooms[name])
        let die = house.rooms.values.filter { $0.path.hasPrefix("Sources/Die/") || $0.path == "Scenarios" }
        #expect(die.count > 3)
        #expect(house.reach(of: room.name).isDisjoint(with: die.map(\.name)))
    }

    @Test(
        "scenarios and their execution know no particular rig",
        arguments: ["HIL", "HILExecution", "HILHistory", "HILRecord", "HILReports"])
    func rigs(name: String) async throws {
        let house = try await House.own.value
        let room = try #require(house.rooms[name])
        let rigs = house.rooms.values.filter { $0.path.hasPrefix("Sources/Rig/") && $0.name != "RigModel" }
        #expect(rigs.count > 1)
        #expect(house.reach(of: room.name).isDisjoint(with: rigs.map(\.name)))
    }

    @Test(
        "a reader of a run's record stands alone: no phone, rig or scenario language is behind it",
        arguments: ["HILHistory", "HILReports"])
    func readers(name: String) async throws {
        let others: Set = [
            "HIL", "HILExecution", "HILHistory", "HILPhone", "HILReports", "HILScreenDrawing", "HostRadio", "RigModel",
        ]
        let house = try await House.own.value
        #expect(house.reach(of: name).contains("HILRecord"))
        #expect(house.reach(of: name).isDisjoint(with: others))
    }

    /// Apple's names, and names of two words that no other package would choose.
    private static let ownNames: Set<String> = [
        "AccessoryNotifications", "AccessorySetupKit", "AccessoryTransportExtension", "CoreBluetooth", "CryptoKit",
        "Network", "NetworkExtension", "Combine", "CommonCrypto", "ExtensionFoundation", "OSLog", "QuartzCore",
        "Security", "SwiftUI",
        "SystemConfiguration", "UIKit", "UniformTypeIdentifiers", "_Testing_UIKit",
        "os",
        "AppleSources", "BoardAgent", "BoardKeeper", "BoardProtocol", "DieProgram", "DieProtocol", "HostRadio",
        "MessageSealing", "PeripheralModel", "PeripheralProgram", "RadioModel", "RigModel", "ScenarioList",
        "VirtualRadio", "VirtualRig",
    ]

    @Test("what another package builds of this one takes no usual name from it")
    func names() async throws {
        let reach = try await House.own.value.reachFromOutside
        #expect(reach.contains("HILTiming") && reach.contains("BoardAgent"))
        let usual = reach.filter { !$0.hasPrefix("HIL") && !$0.hasPrefix("hil-") && !Self.ownNames.contains($0) }
        #expect(usual.isEmpty, "give them the prefix HIL: \(usual.sorted())")
    }

    @Test("a target declares the modules that it imports, and no others")
    func imports() async throws {
        var count = 0
        let wrong = try await House.own.value.wrongImports { path in
            guard !path.isEmpty else { return [:] }
            let folder = URL(fileURLWithPath: checkout).appendingPathComponent(path)
            let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            let sources = files.filter { $0.hasSuffix(".swift") }
            count += sources.count
            return try Dictionary(
                uniqueKeysWithValues: sources.map { name in
                    (name, try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
                })
        }
        #expect(count > 1_000)
        #expect(wrong == [])
    }

    /// The compiler keeps no fingerprint of an operator or of an extension, so that each change of its module, however small,
    /// compiles every file again that uses the operator or the extended type.
    @Test(
        "what nearly all modules use declares no operator, and extends no type that nearly all files use",
        arguments: ["HILPOSIX", "HILTiming", "RadioModel", "BoardProtocol", "HILRecord"])
    func cascades(name: String) async throws {
        let room = try #require(try await House.own.value.rooms[name])
        let folder = URL(fileURLWithPath: checkout).appendingPathComponent(room.path)
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        #expect(files.count > 3)
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            for line in text.split(separator: "\n") {
                let extends =
                    /^(package |public |fileprivate |private )?extension (Equatable|Hashable|Error|String|Int)\b/
                let isCascade = line.contains(/\bfunc [=<>+\-*!~&|]+ *[(<]/) || line.contains(extends)
                #expect(!isCascade, "\(room.path)/\(file): \(line)")
            }
        }
    }

    @Test("an undeclared import is found, and a module that is declared for nothing")
    func wrongImports() {
        let house = House([
            .init(name: "Air", type: "regular", path: "Air", uses: ["HILPOSIX"]),
            .init(name: "HILPOSIX", type: "regular", path: "POSIX", uses: []),
            .init(name: "Attic", type: "regular", path: "Attic", uses: []),
            .init(name: "hil-air", type: "executable", path: "hil-air", uses: ["Air", "Attic"]),
            .init(name: "AirTests", type: "test", path: "AirTests", uses: ["Air", "hil-air"]),
        ])
        let sources = [
            "Air": ["A.swift": "import Foundation\nimport HILPOSIX\n@testable import Air\n    import hil_air\n"],
            "AirTests": ["T.swift": "@testable import Air\n"],
            "hil-air": ["Main.swift": "@_exported public import struct HILPOSIX.Descriptor\nimport Air\n"],
        ]
        #expect(
            house.wrongImports { sources[$0] ?? [:] } == [
                "hil-air: Main.swift imports HILPOSIX, which Package.swift does not declare",
                "hil-air declares Attic, and no file imports it",
            ])
    }

    @Test("an arrow that points up is found, and a program that is used")
    func mistakes() {
        let house = House([
            .init(name: "Air", type: "regular", path: "Sources/Rig/Air", uses: ["POSIX"]),
            .init(name: "POSIX", type: "regular", path: "Sources/System/POSIX", uses: ["Air"]),
            .init(
                name: "hil", type: "executable", path: "Sources/Programs/hil", uses: ["Scenarios", "Air", "AirTests"]),
            .init(name: "AirTests", type: "test", path: "Tests/Air", uses: ["Air"]),
            .init(name: "Scenarios", type: "regular", path: "Scenarios", uses: ["Air", "hil"]),
            .init(name: "Attic", type: "regular", path: "Sources/Attic/Attic", uses: []),
        ])
        #expect(
            house.mistakes == [
                "Attic: Sources/Attic/Attic is on no floor of the plan",
                "POSIX (Sources/System/POSIX) uses Air (Sources/Rig/Air), which stands above it",
                "Scenarios uses the program hil",
                "hil (Sources/Programs/hil) uses AirTests (Tests/Air), which stands above it",
            ])
    }
}

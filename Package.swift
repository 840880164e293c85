// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours: Swift 6 mode (the tools version's default), and a warning is an error.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// A library target in its own folder below `Sources/`.
func module(_ folder: String, _ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", swiftSettings: strict)
}

/// A program in its own folder below `Sources/`.
func program(_ folder: String, _ name: String, uses dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", swiftSettings: strict)
}

/// The tests of one module, in a folder of the module's name.
func tests(_ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies, path: "Tests/\(name)",
        swiftSettings: strict)
}

/// A C library of the system: a shim header and a module map, nothing else.
func system(_ name: String, pkgConfig: String, package: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
    name: "hil",
    products: [
        // What another package depends on: the language of scenarios with its command, and Apple's modules for its app.
        .library(name: "HIL", targets: ["HIL", "Command"]),
        .library(
            name: "PhoneFrameworks",
            targets: [
                "AccessoryNotifications", "AccessorySetupKit", "AccessoryTransportExtension", "CoreBluetooth",
                "CryptoKit", "Network", "NetworkExtension",
            ]),
        .plugin(name: "ScenarioList", targets: ["ScenarioList"]),
        .executable(name: "hil-air", targets: ["hil-air"]),
        .executable(name: "hil-board", targets: ["hil-board"]),
        .executable(name: "hil-rig", targets: ["hil-rig"]),
    ],
    targets: [
        // System: the C libraries and the kernel.
        system("CDBus", pkgConfig: "dbus-1", package: "libdbus-1-dev"),
        system("CBluetooth", pkgConfig: "bluez", package: "libbluetooth-dev"),
        system("COpenSSL", pkgConfig: "libcrypto", package: "libssl-dev"),
        system("CNetlink", pkgConfig: "libnl-genl-3.0", package: "libnl-genl-3-dev"),
        system("CPNG", pkgConfig: "libpng", package: "libpng-dev"),
        system("CTurboJPEG", pkgConfig: "libturbojpeg", package: "libturbojpeg0-dev"),
        .systemLibrary(name: "CLinux", path: "Sources/System/CLinux"),
        module("System", "POSIX", uses: ["CLinux"]),
        module("System", "Timing"),
        module("System", "PlainText"),
        module("System", "Framing", uses: ["POSIX"]),
        module("System", "Netlink", uses: ["CNetlink"]),

        // Crypto: Apple's CryptoKit over OpenSSL, and messages sealed with it.
        module("Crypto", "CryptoKit", uses: ["COpenSSL"]),
        module("Crypto", "MessageSealing", uses: ["CryptoKit"]),

        // Board: what runs on a board, and the words it shares with the runner.
        module("Board", "RadioModel"),
        module("Board", "DBus", uses: ["CDBus", "POSIX", "Timing"]),
        module("Board", "BlueZ", uses: ["DBus", "CBluetooth", "RadioModel", "POSIX", "Timing"]),
        module("Board", "WiFi", uses: ["CNetlink", "Netlink", "RadioModel", "POSIX", "Timing"]),
        module("Board", "BoardProtocol", uses: ["RadioModel", "Framing", "PlainText", "POSIX", "Timing"]),
        module("Board", "InternetModel", uses: ["BoardProtocol", "Framing"]),
        module("Board", "VirtualRadio", uses: ["CLinux", "CNetlink", "Framing", "Netlink", "POSIX", "RadioModel"]),
        module(
            "Board", "BoardAgent",
            uses: [
                "BlueZ", "CryptoKit", "DBus", "WiFi", "BoardProtocol", "InternetModel", "RadioModel", "CLinux",
                "Framing", "POSIX", "Timing",
            ]),
        // Where the parts of the program on a board are put together: the one place below that knows the die.
        program("Board", "hil-board", uses: ["BoardAgent", "DieProgram", "VirtualRadio"]),

        // Host: the simulated phone, and Apple's frameworks over it.
        module("Host", "Rules"),
        module("Host", "HostRadio", uses: ["RadioModel", "BoardProtocol", "Timing"]),
        module("Host", "Pictures", uses: ["CPNG", "CTurboJPEG"]),
        module(
            "Host", "Phone",
            uses: [
                "BoardProtocol", "Framing", "HostRadio", "RadioModel", "CryptoKit", "MessageSealing", "Pictures",
                "Timing",
            ]),
        module("Host", "ScreenDrawing", uses: ["Phone"]),
        module("Host", "CoreBluetooth", uses: ["Phone", "RadioModel"]),
        module("Host", "NetworkExtension", uses: ["Phone", "RadioModel"]),
        module("Host", "Network", uses: ["Phone", "HostRadio", "RadioModel"]),
        module("Host", "AccessorySetupKit", uses: ["Phone", "CoreBluetooth", "RadioModel"]),
        module("Host", "AccessoryTransportExtension", uses: ["Phone"]),
        module("Host", "AccessoryNotifications", uses: ["Phone", "AccessorySetupKit", "AccessoryTransportExtension"]),

        // Rig: what every rig is, then the virtual medium and the virtual boards.
        module("Rig", "RigModel", uses: ["BoardProtocol", "POSIX", "RadioModel", "Timing"]),
        module(
            "Rig", "Air",
            uses: [
                "BoardProtocol", "Framing", "PlainText", "POSIX", "RadioModel", "RigModel", "Timing", "VirtualRadio",
            ]),
        program("Rig", "hil-air", uses: ["Air"]),
        module(
            "Rig", "VirtualRig",
            uses: ["Air", "BoardProtocol", "CLinux", "Framing", "PlainText", "POSIX", "RigModel", "Timing"]),
        program("Rig", "hil-rig", uses: ["VirtualRig"]),

        // Runner: the scenarios' language, their execution, and the reports.
        module(
            "Runner", "HIL",
            uses: [
                "BoardProtocol", "CryptoKit", "Framing", "HostRadio", "Phone", "Pictures", "POSIX", "RadioModel",
                "RigModel", "ScreenDrawing", "AccessoryNotifications", "AccessorySetupKit", "CoreBluetooth", "Network",
                "NetworkExtension", "PlainText", "Timing",
            ]),
        module(
            "Runner", "Execution",
            uses: [
                "BoardProtocol", "Framing", "HIL", "Phone", "RadioModel", "RigModel", "Rules", "ScreenDrawing",
                "PlainText", "POSIX", "Timing",
            ]),
        module("Runner", "Reports", uses: ["Execution", "HIL", "PlainText", "POSIX", "Timing"]),
        module(
            "Runner", "Command",
            uses: [
                "Air", "BoardProtocol", "Execution", "Framing", "HIL", "Phone", "Reports", "RigModel", "Rules",
                "VirtualRig", "PlainText", "POSIX", "Timing",
            ]),
        module("Runner", "ScenarioListing"),
        program("Runner", "scenario-list", uses: ["ScenarioListing"]),
        .plugin(
            name: "ScenarioList", capability: .buildTool(), dependencies: ["scenario-list"],
            path: "Sources/Runner/ScenarioList"),
        // Die: the reference accessory, whole, as a client of all that is above.
        module("Die", "DieProtocol"),
        module("Die", "DieControl", uses: ["BoardProtocol", "DieProtocol", "RadioModel"]),
        module(
            "Die", "DieLogic",
            uses: ["BoardProtocol", "DieControl", "DieProtocol", "CryptoKit", "MessageSealing", "RadioModel"]),
        module("Die", "DieInternet", uses: ["BoardProtocol", "DieProtocol", "InternetModel"]),
        module(
            "Die", "DieProgram",
            uses: [
                "BlueZ", "BoardAgent", "BoardProtocol", "DieControl", "DieInternet", "DieLogic", "DieProtocol",
                "InternetModel", "POSIX", "RadioModel", "Timing",
            ]),
        module(
            "Die", "DieLab",
            uses: ["BoardProtocol", "DieControl", "DieProtocol", "HIL", "RadioModel", "RigModel", "Timing"]),
        module(
            "Die", "DiceApp",
            uses: [
                "DieProtocol", "AccessorySetupKit", "CoreBluetooth", "NetworkExtension", "AccessoryNotifications",
                "AccessoryTransportExtension", "Network", "CryptoKit", "Phone",
            ]),
        .target(
            name: "Scenarios", dependencies: ["HIL", "DiceApp", "DieLab"], path: "Scenarios", swiftSettings: strict,
            plugins: ["ScenarioList"]),
        program("Runner", "hil", uses: ["Command", "Scenarios"]),
        program(
            "Runner", "hil-bench",
            uses: ["Air", "BoardProtocol", "Command", "Execution", "HIL", "POSIX", "RigModel", "Timing", "VirtualRig"]),

        program("Runner", "hil-core-bench", uses: ["CryptoKit", "MessageSealing", "Phone", "RadioModel"]),

        // Tests: one folder per module.
        .target(name: "BrokenPipes", path: "Tests/BrokenPipes"),
        tests("PlainText"),
        tests("CoreBluetooth", uses: ["Eventually", "HostRadio", "Phone", "RadioModel", "RuleCoverage", "Timing"]),
        tests("NetworkExtension", uses: ["HostRadio", "Phone", "RadioModel", "RuleCoverage", "Timing"]),
        tests("Network", uses: ["HostRadio", "Phone", "RadioModel", "RuleCoverage", "Timing"]),
        tests(
            "DiceApp",
            uses: [
                "AccessorySetupKit", "DieProtocol", "Eventually", "HostRadio", "NetworkExtension", "Phone",
                "RadioModel", "RuleCoverage", "Timing",
            ]),
        tests("ScreenDrawing", uses: ["Phone"]),
        tests("Pictures", uses: ["CPNG", "CTurboJPEG", "RuleCoverage"]),
        tests("POSIX", uses: ["BrokenPipes", "Eventually", "runner-probe", "Timing"]),
        tests("Timing", uses: ["Eventually"]),
        tests("Framing"),
        tests("CryptoKit"),
        tests("MessageSealing", uses: ["CryptoKit", "RuleCoverage", "SeededNumbers"]),
        tests("DieProtocol", uses: ["RuleCoverage", "SeededNumbers"]),
        tests("Phone", uses: ["HostRadio", "POSIX", "RadioModel", "RuleCoverage", "Timing"]),
        tests("AccessorySetupKit", uses: ["HostRadio", "Phone", "RadioModel", "RuleCoverage", "Timing"]),
        tests("InternetModel", uses: ["BoardProtocol", "Framing", "RuleCoverage"]),
        tests("DieInternet", uses: ["BoardProtocol", "DieProtocol", "Framing", "InternetModel", "RuleCoverage"]),
        tests(
            "DieProgram",
            uses: [
                "BlueZ", "BoardAgent", "BoardProtocol", "DieControl", "DieInternet", "DieProtocol", "POSIX",
                "RadioModel", "Timing",
            ]),
        tests(
            "DieLab",
            uses: ["BoardProtocol", "DieControl", "HIL", "POSIX", "RadioModel", "RigModel", "StubRig", "Timing"]),
        tests(
            "VirtualRig",
            uses: ["Air", "BoardProtocol", "CLinux", "Eventually", "hil-air", "hil-rig", "POSIX", "RigModel", "Timing"]),
        tests("Air", uses: ["BoardProtocol", "Framing", "POSIX", "RadioModel", "RigModel", "Timing", "VirtualRadio"]),
        tests("VirtualRadio", uses: ["Framing", "POSIX", "RadioModel", "SeededNumbers"]),
        tests("DBus", uses: ["Eventually", "POSIX", "PrivateBus", "Timing"]),
        tests("BlueZ", uses: ["DBus", "PrivateBus", "RadioModel", "Timing"]),
        tests(
            "DieLogic",
            uses: [
                "BoardProtocol", "CryptoKit", "DieControl", "DieProtocol", "MessageSealing", "RadioModel",
                "RuleCoverage",
            ]),
        tests(
            "AccessoryNotifications",
            uses: [
                "AccessorySetupKit", "AccessoryTransportExtension", "BoardProtocol", "CryptoKit", "DiceApp",
                "DieControl", "DieInternet", "DieLogic", "DieProtocol", "Framing", "HostRadio", "InternetModel",
                "MessageSealing", "Phone", "RadioModel", "RuleCoverage", "SeededNumbers", "Timing",
            ]),
        // Apple's listings, in the language mode that they are written in; some of them warn, on Apple's systems as well.
        .testTarget(
            name: "SeedListingTests",
            dependencies: [
                "AccessoryNotifications", "AccessorySetupKit", "AccessoryTransportExtension", "CoreBluetooth",
                "CryptoKit", "HostRadio", "NetworkExtension", "Phone", "RadioModel", "RuleCoverage", "Timing",
            ], path: "Tests/SeedListings",
            swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])]),
        tests("WiFi", uses: ["CNetlink", "Netlink", "POSIX", "RadioModel", "Timing"]),
        tests("BoardAgent", uses: ["BoardProtocol", "Eventually", "Framing", "POSIX", "RadioModel", "Timing"]),
        tests("BoardProtocol", uses: ["Framing", "POSIX", "RadioModel", "SeededNumbers", "Timing"]),
        tests(
            "HIL",
            uses: [
                "StubRig", "runner-probe", "Air", "BoardProtocol", "Eventually", "HostRadio", "POSIX", "Phone",
                "RadioModel", "RigModel", "Timing", "VirtualRig",
            ]),
        tests(
            "Execution",
            uses: [
                "StubRig", "runner-probe", "BoardProtocol", "Eventually", "Framing", "HIL", "Phone", "POSIX",
                "RadioModel", "RigModel", "Timing",
            ]),
        tests("ScenarioListing"),
        tests("Reports", uses: ["Execution", "HIL", "POSIX", "RigModel"]),
        tests("Command", uses: ["BoardProtocol", "Execution", "HIL", "Phone", "RigModel", "Rules", "VirtualRig"]),
        tests(
            "hil",
            uses: [
                "Eventually", "hil-host-stacks", "hil-programs", "hil-rig", "hil-two-agents", "SeededNumbers",
                "StubRig", "Execution", "HIL", "POSIX",
            ]),
        // The listings of the articles in the modules' documentation.
        .testTarget(
            name: "DocumentationTests", dependencies: ["AccessorySetupKit", "CoreBluetooth", "HIL"],
            path: "Tests/Documentation", swiftSettings: strict),
        // The plan of the house: which target may use which.
        .testTarget(name: "HouseTests", dependencies: ["StubRig"], path: "Tests/House", swiftSettings: strict),
        // Broken bytes for every reader of what comes from outside.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "StubRig", "Air", "BlueZ", "BoardAgent", "BoardProtocol", "CryptoKit", "DieControl", "DieInternet",
                "DieLogic", "DieProgram", "DieProtocol", "Framing", "HIL", "InternetModel", "MessageSealing", "Phone",
                "Pictures", "POSIX", "RadioModel", "RigModel", "ScreenDrawing", "SeededNumbers", "Timing",
                "VirtualRadio", "VirtualRig", "WiFi",
            ], path: "Tests/Fuzz", swiftSettings: strict),
        // Which rules of the phone a test covers.
        .target(name: "RuleCoverage", dependencies: ["Rules"], path: "Tests/RuleCoverage", swiftSettings: strict),
        // Waiting for what no event tells of.
        .target(name: "Eventually", dependencies: ["Timing"], path: "Tests/Eventually", swiftSettings: strict),
        // A message bus for one test.
        .target(name: "PrivateBus", dependencies: ["DBus", "POSIX"], path: "Tests/PrivateBus", swiftSettings: strict),
        // Chance that comes again.
        .target(name: "SeededNumbers", path: "Tests/SeededNumbers", swiftSettings: strict),
        // Boards and air without either, for the runner's tests.
        .target(
            name: "StubRig",
            dependencies: [
                "Air", "BoardProtocol", "Execution", "Framing", "HIL", "POSIX", "RadioModel", "RigModel", "Timing",
            ],
            path: "Tests/StubRig", swiftSettings: strict),
        // The command on rigs of two agents and nothing more.
        .executableTarget(
            name: "hil-two-agents",
            dependencies: ["Air", "BoardProtocol", "Command", "HIL", "RigModel", "Scenarios", "VirtualRig"],
            path: "Tests/TwoAgents", swiftSettings: strict),
        // The command with scenarios about programs on the accessory board.
        .executableTarget(
            name: "hil-programs",
            dependencies: ["AccessorySetupKit", "Command", "CoreBluetooth", "HIL"],
            path: "Tests/Programs", exclude: ["Accessory", "App"], swiftSettings: strict),
        // The command with accessories that have no board.
        .executableTarget(
            name: "hil-host-stacks",
            dependencies: ["AccessorySetupKit", "Command", "CoreBluetooth", "DiceApp", "DieLab", "DieProtocol", "HIL"],
            path: "Tests/HostStacks", exclude: ["App", "battery.py", "requirements.txt"], swiftSettings: strict),
        .executableTarget(
            name: "runner-probe",
            dependencies: ["Execution", "HIL", "Phone", "POSIX", "Reports", "RigModel", "StubRig"],
            path: "Tests/RunnerProbe", swiftSettings: strict),
    ]
)

// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours: Swift 6 mode (the tools version's default), and a warning is an error.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// The folder of a target. Targets with a usual name have a prefix, because all packages of a graph share one name space; the
/// folders have no prefix.
func folder(of target: String) -> String {
    target.hasPrefix("HIL") && target != "HIL" ? String(target.dropFirst("HIL".count)) : target
}

/// A library target in its own folder below `Sources/`.
func module(_ floor: String, _ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(floor)/\(folder(of: name))", swiftSettings: strict)
}

/// A program in its own folder below `Sources/`.
func program(_ floor: String, _ name: String, uses dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/\(floor)/\(folder(of: name))", swiftSettings: strict)
}

/// The tests of one module, in a folder of the same name.
func tests(_ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(folder(of: name))Tests", dependencies: [.byName(name: name)] + dependencies,
        path: "Tests/\(folder(of: name))",
        swiftSettings: strict)
}

/// A C library of the system: a shim header and a module map, nothing else.
func system(_ name: String, pkgConfig: String, package: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/System/\(folder(of: name))", pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
    name: "hil",
    products: [
        // What another package depends on: the language of scenarios with its command, and Apple's modules for its app.
        .library(name: "HIL", targets: ["HIL", "HILCommand"]),
        .library(
            name: "PhoneFrameworks",
            targets: [
                "AccessoryNotifications", "AccessorySetupKit", "AccessoryTransportExtension", "CoreBluetooth",
                "CryptoKit", "ExtensionFoundation", "HILFoundation", "HILSelectors", "HILURLLoading", "Network",
                "NetworkExtension",
                "OSLog", "UIKit", "os",
            ]),
        // What an app's managers use beside these. By itself, because other packages ask whether these modules exist.
        .library(
            name: "AppFrameworks",
            targets: [
                "Combine", "CommonCrypto", "QuartzCore", "Security", "SwiftUI", "SystemConfiguration",
                "UniformTypeIdentifiers",
            ]),
        .plugin(name: "ScenarioList", targets: ["ScenarioList"]),
        .plugin(name: "AppleSources", targets: ["AppleSources"]),
        .executable(name: "hil-air", targets: ["hil-air"]),
        .executable(name: "hil-board", targets: ["hil-board"]),
        .executable(name: "hil-rig", targets: ["hil-rig"]),
    ],
    targets: [
        // System: the C libraries and the kernel.
        system("HILCDBus", pkgConfig: "dbus-1", package: "libdbus-1-dev"),
        system("HILCBluetooth", pkgConfig: "bluez", package: "libbluetooth-dev"),
        system("HILCOpenSSL", pkgConfig: "libcrypto", package: "libssl-dev"),
        system("HILCSSL", pkgConfig: "libssl", package: "libssl-dev"),
        system("HILCNetlink", pkgConfig: "libnl-genl-3.0", package: "libnl-genl-3-dev"),
        system("HILCPNG", pkgConfig: "libpng", package: "libpng-dev"),
        system("HILCTurboJPEG", pkgConfig: "libturbojpeg", package: "libturbojpeg0-dev"),
        system("HILCSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        system("HILCArchive", pkgConfig: "libarchive", package: "libarchive-dev"),
        system("HILCSeccomp", pkgConfig: "libseccomp", package: "libseccomp-dev"),
        .systemLibrary(name: "HILCLinux", path: "Sources/System/CLinux"),
        .systemLibrary(name: "HILCBindSupervision", path: "Sources/System/CBindSupervision"),
        .systemLibrary(name: "HILCSwiftRuntime", path: "Sources/System/CSwiftRuntime"),
        module("System", "HILPOSIX", uses: ["HILCBindSupervision", "HILCLinux"]),
        module("System", "HILTiming"),
        module("System", "HILPlainText"),
        module("System", "HILFraming", uses: ["HILPOSIX"]),
        module("System", "HILLoopback", uses: ["HILPOSIX"]),
        module("System", "HILNetlink", uses: ["HILCNetlink"]),

        // Crypto: Apple's CryptoKit and TLS over OpenSSL, and messages sealed with it.
        module("Crypto", "CryptoKit", uses: ["HILCOpenSSL"]),
        module("Crypto", "CommonCrypto", uses: ["HILCOpenSSL"]),
        module("Crypto", "MessageSealing", uses: ["CryptoKit"]),
        module("Crypto", "HILTLS", uses: ["HILCSSL", "HILTiming"]),

        // Board: what runs on a board, and the words it shares with the runner.
        module("Board", "RadioModel"),
        module("Board", "HILDBus", uses: ["HILCDBus", "HILPOSIX", "HILTiming"]),
        module("Board", "HILBlueZ", uses: ["HILDBus", "HILCBluetooth", "RadioModel", "HILPOSIX", "HILTiming"]),
        module("Board", "HILAvahi", uses: ["HILDBus", "RadioModel", "HILTiming"]),
        module("Board", "HILWiFi", uses: ["HILCNetlink", "HILNetlink", "RadioModel", "HILPOSIX", "HILTiming"]),
        module("Board", "BoardProtocol", uses: ["RadioModel", "HILFraming", "HILPlainText", "HILPOSIX", "HILTiming"]),
        module("Board", "PeripheralModel", uses: ["BoardProtocol", "HILTLS", "RadioModel"]),
        module("Board", "InternetModel", uses: ["BoardProtocol", "HILFraming"]),
        module(
            "Board", "VirtualRadio",
            uses: ["HILCLinux", "HILCNetlink", "HILFraming", "HILNetlink", "HILPOSIX", "HILWiFi", "RadioModel"]),
        module(
            "Board", "BoardAgent",
            uses: [
                "HILAvahi", "HILBlueZ", "CryptoKit", "HILDBus", "HILWiFi", "BoardProtocol", "InternetModel",
                "RadioModel",
                "HILCLinux",
                "HILFraming", "HILPOSIX", "HILTiming",
            ]),
        module(
            "Board", "BoardKeeper",
            uses: [
                "BoardAgent", "BoardProtocol", "HILBlueZ", "HILCBluetooth", "HILCLinux", "HILFraming", "HILPOSIX",
                "HILTiming", "HILWiFi",
            ]),
        module(
            "Board", "PeripheralProgram",
            uses: [
                "HILTiming", "BoardAgent", "BoardProtocol", "HILBlueZ", "HILPOSIX", "HILTLS", "PeripheralModel",
                "RadioModel",
            ]),
        // Where the parts of the program on a board are put together: the one place below that knows the die.
        program(
            "Board", "hil-board",
            uses: ["BoardAgent", "BoardKeeper", "DieProgram", "HILPOSIX", "PeripheralProgram", "VirtualRadio"]),

        // Record: what a run was. It knows neither phone nor rig nor the scenarios' language.
        .target(
            name: "HILRecord", dependencies: ["BoardProtocol", "HILPlainText", "HILTiming", "RadioModel"],
            path: "Sources/Record", swiftSettings: strict),

        // Host: the simulated phone, and Apple's frameworks over it.
        module("Host", "HILRules"),
        module("Host", "HostRadio", uses: ["PeripheralModel", "RadioModel", "BoardProtocol", "HILTiming"]),
        module("Host", "HILBluetoothHost", uses: ["CryptoKit", "RadioModel"]),
        module(
            "Host", "HILPhoneRadio",
            uses: [
                "HILBluetoothHost", "BoardProtocol", "HILFraming", "HILPOSIX", "HILTiming", "HostRadio",
                "PeripheralModel",
                "RadioModel",
            ]),
        module("Host", "HILPictures", uses: ["HILCPNG", "HILCTurboJPEG"]),
        module("Host", "HILAccessoryMessages"),
        module("Host", "HILNotificationParts"),
        module(
            "Host", "HILPhone",
            uses: [
                "BoardProtocol", "HILFraming", "HostRadio", "PeripheralModel", "RadioModel", "CryptoKit",
                "MessageSealing",
                "HILAccessoryMessages", "HILNotificationParts", "HILPictures", "HILPlainText", "HILPOSIX", "HILTiming",
            ]),
        module("Host", "HILScreenDrawing", uses: ["HILPhone"]),
        module("Host", "HILFoundation"),
        module("Host", "HILSelectors"),
        module("Host", "os", uses: ["HILFoundation", "HILPhone"]),
        module("Host", "OSLog", uses: ["os"]),
        .target(name: "_Testing_UIKit", path: "Sources/Host/TestingUIKit", swiftSettings: strict),
        module("Host", "UIKit", uses: ["HILFoundation", "HILPhone", "_Testing_UIKit"]),
        module("Host", "QuartzCore", uses: ["UIKit"]),
        module("Host", "Combine", uses: ["HILFoundation", "HILURLLoading"]),
        module("Host", "SwiftUI", uses: ["Combine", "UIKit"]),
        module("Host", "ExtensionFoundation", uses: ["HILPhone"]),
        module("Host", "HILUniformTypes"), module("Host", "UniformTypeIdentifiers", uses: ["HILUniformTypes"]),
        module(
            "Host", "CoreBluetooth", uses: ["HILFoundation", "HILPhone", "HostRadio", "PeripheralModel", "RadioModel"]),
        module(
            "Host", "NetworkExtension",
            uses: ["AccessorySetupKit", "HILFoundation", "HILPhone", "Network", "RadioModel"]),
        module(
            "Host", "Network", uses: ["HILFoundation", "HILPhone", "HILTLS", "HILTiming", "HostRadio", "RadioModel"]),
        module("Host", "Security", uses: ["HILFoundation", "HILPhone", "Network"]),
        module("Host", "SystemConfiguration", uses: ["HILPhone", "HILFoundation", "NetworkExtension", "Security"]),
        module("Host", "AccessorySetupKit", uses: ["HILPhone", "CoreBluetooth", "RadioModel", "UIKit"]),
        module("Host", "HILURLLoading", uses: ["HILPhone", "HILPOSIX", "Network"]),
        module(
            "Host", "AccessoryTransportExtension", uses: ["ExtensionFoundation", "HILAccessoryMessages", "HILPhone"]),
        module(
            "Host", "AccessoryNotifications",
            uses: [
                "HILNotificationParts", "HILPhone", "HILUniformTypes", "AccessorySetupKit",
                "AccessoryTransportExtension",
            ]),

        // Rig: what every rig is, then the virtual medium and the virtual boards.
        module("Rig", "RigModel", uses: ["HILFraming", "BoardProtocol", "HILPOSIX", "RadioModel", "HILTiming"]),
        module("Rig", "HILCapture"),
        module(
            "Rig", "HILAir",
            uses: [
                "BoardProtocol", "HILCapture", "HILFraming", "HILPlainText", "HILPOSIX", "RadioModel", "RigModel",
                "HILTiming",
                "VirtualRadio",
            ]),
        program("Rig", "hil-air", uses: ["BoardProtocol", "HILPOSIX", "RigModel", "HILAir"]),
        module(
            "Rig", "VirtualRig",
            uses: [
                "HILAir", "BoardProtocol", "HILCArchive", "HILCLinux", "HILCSeccomp", "HILFraming", "HILPlainText",
                "HILPOSIX",
                "RadioModel", "RigModel",
                "HILTiming",
            ]),
        program("Rig", "hil-rig", uses: ["VirtualRig"]),

        module(
            "Rig", "HILBench",
            uses: [
                "BoardProtocol", "HILBluetoothHost", "HILCapture", "HILFraming", "HILPlainText", "HILPOSIX",
                "RadioModel", "RigModel",
                "HILTiming",
            ]),
        module("Rig", "HILLabgrid", uses: ["HILBench", "HILFraming", "HILPOSIX", "RigModel", "HILTiming"]),

        // Runner: the scenarios' language, their execution, and the reports.
        module(
            "Runner", "HIL",
            uses: [
                "HILBluetoothHost", "BoardProtocol", "CryptoKit", "HILCSwiftRuntime", "HILFraming", "HostRadio",
                "HILPhone",
                "HILPictures", "HILPhoneRadio", "HILPOSIX", "HILTLS", "PeripheralModel", "RadioModel", "RigModel",
                "HILScreenDrawing",
                "AccessoryNotifications", "AccessorySetupKit", "CoreBluetooth",
                "Network",
                "NetworkExtension", "HILPlainText", "HILRecord", "HILTiming",
            ]),
        module(
            "Runner", "HILExecution",
            uses: [
                "BoardProtocol", "HILFoundation", "HILFraming", "HIL", "HILPhone", "RadioModel", "RigModel", "HILRules",
                "HILPlainText", "HILPOSIX", "HILRecord", "HILTiming",
            ]),
        module("Runner", "HILReports", uses: ["HILPlainText", "HILPOSIX", "HILRecord", "HILTiming"]),
        // The code of the page is files, which SwiftPM copies beside each program that uses the module.
        .target(
            name: "HILPage", dependencies: ["HILPlainText", "HILPOSIX", "HILRecord"], path: "Sources/Runner/Page",
            resources: [.copy("Web")], swiftSettings: strict),
        module("Runner", "HILHistory", uses: ["HILCSQLite", "HILPlainText", "HILPOSIX", "HILRecord"]),
        module(
            "Runner", "HILCommand",
            uses: [
                "HILAir", "HILBench", "BoardProtocol", "HILExecution", "HILFraming", "HIL", "HILHistory", "HILLabgrid",
                "HILLoopback", "HILPage", "HILPhone", "HILRecord", "HILReports", "RadioModel",
                "RigModel", "HILRules", "HILScreenDrawing", "HILSwiftSource", "VirtualRig", "HILPlainText", "HILPOSIX",
                "HILTiming",
            ]),
        module("Runner", "HILSwiftSource"),
        module("Runner", "ScenarioListing", uses: ["HILSwiftSource"]),
        program("Runner", "scenario-list", uses: ["ScenarioListing"]),
        .plugin(
            name: "ScenarioList", capability: .buildTool(), dependencies: ["scenario-list"],
            path: "Sources/Runner/ScenarioList"),
        module("Runner", "AppleSourceCopy", uses: ["HILSwiftSource"]),
        program("Runner", "apple-sources", uses: ["AppleSourceCopy"]),
        .plugin(
            name: "AppleSources", capability: .buildTool(), dependencies: ["apple-sources"],
            path: "Sources/Runner/AppleSources"),
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
                "HILBlueZ", "BoardAgent", "BoardProtocol", "DieControl", "DieInternet", "DieLogic", "DieProtocol",
                "InternetModel", "HILPOSIX", "RadioModel", "HILTiming",
            ]),
        module(
            "Die", "DieLab",
            uses: [
                "BoardProtocol", "DieControl", "DieProtocol", "HIL", "HILPlainText", "HILRecord", "RadioModel",
                "RigModel",
                "HILTiming",
            ]),
        module(
            "Die", "DiceApp",
            uses: [
                "DieProtocol", "AccessorySetupKit", "CoreBluetooth", "NetworkExtension", "AccessoryNotifications",
                "AccessoryTransportExtension", "Network", "CryptoKit", "HILPhone",
            ]),
        .target(
            name: "Scenarios",
            dependencies: [
                "AccessoryNotifications", "AccessorySetupKit", "AccessoryTransportExtension", "CoreBluetooth",
                "HILTiming",
                "HILURLLoading", "Network", "NetworkExtension", "CryptoKit", "HIL", "DiceApp", "DieLab", "DieProtocol",
                "Security",
            ], path: "Scenarios",
            swiftSettings: strict,
            plugins: ["ScenarioList"]),
        // Linked at each change of a scenario: the toolchain's own linker needs a third of the time of the system's. No package
        // depends on this program, so that its flags are nobody else's.
        .executableTarget(
            name: "hil", dependencies: ["HILCommand", "Scenarios"], path: "Sources/Runner/hil", swiftSettings: strict,
            linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]),
        program(
            "Runner", "hil-bench",
            uses: [
                "HILAir", "BoardProtocol", "HILCommand", "HILExecution", "HeadlessBrowser", "HIL", "HILHistory",
                "HILLabgrid", "HILPage", "HILRecord", "HILPhone", "HILPOSIX", "RigModel", "StockBench", "StubRig",
                "HILTiming",
                "VirtualRig",
            ]),

        program("Runner", "hil-core-bench", uses: ["CryptoKit", "MessageSealing", "HILPhone", "RadioModel"]),

        // Tests: one folder per module.
        .target(name: "BrokenPipes", path: "Tests/BrokenPipes"),
        tests("HILPlainText"),
        tests(
            "CoreBluetooth",
            uses: [
                "Combine", "Eventually", "HILFoundation", "HostRadio", "HILPhone", "PeripheralModel", "RadioModel",
                "RuleCoverage", "HILTiming", "UIKit",
            ]),
        tests(
            "NetworkExtension",
            uses: [
                "AccessorySetupKit", "SystemConfiguration", "BoardProtocol", "Eventually", "HostRadio", "HILPhone",
                "RadioModel", "RuleCoverage", "HILTiming",
            ]),
        tests("HILAvahi", uses: ["RadioModel"]),
        tests("HILTLS"),
        tests(
            "Network",
            uses: ["Eventually", "HILTLS", "HostRadio", "HILPhone", "RadioModel", "RuleCoverage", "HILTiming"]),
        tests(
            "HILURLLoading",
            uses: [
                "Combine", "Network", "HILPOSIX", "HILTiming", "HostRadio", "HILPhone", "RadioModel", "RuleCoverage",
            ]),
        tests(
            "DiceApp",
            uses: [
                "AccessorySetupKit", "DieProtocol", "Eventually", "HostRadio", "NetworkExtension", "HILPhone",
                "RadioModel", "RuleCoverage", "HILTiming",
            ]),
        tests("HILScreenDrawing", uses: ["HILPhone"]),
        tests("HILBluetoothHost", uses: ["CryptoKit", "RadioModel", "RuleCoverage", "SeededNumbers"]),
        tests(
            "HILPhoneRadio",
            uses: ["BoardProtocol", "HILBluetoothHost", "HILFraming", "HILPOSIX", "HILTiming", "RadioModel"]),
        tests("HILPictures", uses: ["HILCPNG", "HILCTurboJPEG", "RuleCoverage"]),
        tests("HILPOSIX", uses: ["BrokenPipes", "Eventually", "runner-probe", "HILTiming"]),
        tests("HILTiming", uses: ["Eventually"]),
        tests("HILFraming", uses: ["HILPOSIX"]),
        tests("HILLoopback", uses: ["HILPOSIX", "HILTiming"]),
        tests("CryptoKit"),
        tests("CommonCrypto"),
        tests("MessageSealing", uses: ["CryptoKit", "RuleCoverage", "SeededNumbers"]),
        tests("DieProtocol", uses: ["RuleCoverage", "SeededNumbers"]),
        tests(
            "HILPhone",
            uses: [
                "BoardProtocol", "HostRadio", "HILPOSIX", "PeripheralModel", "RadioModel", "RuleCoverage",
                "SeededNumbers", "HILTiming",
            ]),
        tests(
            "AccessorySetupKit",
            uses: [
                "BoardProtocol", "CoreBluetooth", "HostRadio", "HILPhone", "RadioModel", "RuleCoverage", "HILTiming",
            ]),
        tests("BoardKeeper", uses: ["BoardProtocol"]),
        tests(
            "HILBench",
            uses: ["BoardProtocol", "Eventually", "HILPlainText", "HILPOSIX", "HILTiming", "RadioModel", "RigModel"]),
        tests(
            "PeripheralProgram",
            uses: ["BoardAgent", "BoardProtocol", "HILBlueZ", "PeripheralModel", "RadioModel", "HILTiming"]),
        tests("InternetModel", uses: ["BoardProtocol", "HILFraming", "RuleCoverage"]),
        tests("DieInternet", uses: ["BoardProtocol", "DieProtocol", "HILFraming", "InternetModel", "RuleCoverage"]),
        tests(
            "DieProgram",
            uses: [
                "DieLogic",
                "HILBlueZ", "BoardAgent", "BoardProtocol", "DieControl", "DieInternet", "DieProtocol", "HILPOSIX",
                "RadioModel", "HILTiming",
            ]),
        tests(
            "DieLab",
            uses: [
                "BoardProtocol", "DieControl", "HIL", "HILPOSIX", "HILRecord", "RadioModel", "RigModel", "StubRig",
                "HILTiming",
            ]),
        tests(
            "VirtualRig",
            uses: [
                "HILAir", "BoardProtocol", "HILCLinux", "Eventually", "hil-air", "hil-rig", "HILFraming",
                "HILPlainText",
                "HILPOSIX", "RadioModel", "RigModel", "StubRig", "HILTiming",
            ]),
        tests(
            "HILLabgrid",
            uses: [
                "BrokenPipes", "HILBench", "HILFraming", "HILPOSIX", "places-probe", "RigModel", "StubRig", "HILTiming",
            ]),
        tests(
            "HILAir",
            uses: ["BoardProtocol", "HILFraming", "HILPOSIX", "RadioModel", "RigModel", "HILTiming", "VirtualRadio"]),
        tests("VirtualRadio", uses: ["HILFraming", "HILPOSIX", "RadioModel", "SeededNumbers"]),
        tests("HILDBus", uses: ["Eventually", "HILPOSIX", "PrivateBus", "HILTiming"]),
        tests("HILBlueZ", uses: ["HILPOSIX", "HILDBus", "PrivateBus", "RadioModel", "HILTiming"]),
        tests(
            "DieLogic",
            uses: [
                "BoardProtocol", "CryptoKit", "DieControl", "DieProtocol", "MessageSealing", "RadioModel",
                "RuleCoverage",
            ]),
        tests(
            "AccessoryNotifications",
            uses: [
                "CoreBluetooth",
                "AccessorySetupKit", "AccessoryTransportExtension", "BoardProtocol", "CryptoKit", "DiceApp",
                "DieControl", "DieInternet", "DieLogic", "DieProtocol", "HILFraming", "HostRadio", "InternetModel",
                "MessageSealing", "HILPhone", "HILPOSIX", "RadioModel", "RuleCoverage", "SeededNumbers", "HILTiming",
            ]),
        // Sources as apps have them, with the settings of a new Xcode project.
        .testTarget(
            name: "AppSourceTests",
            dependencies: [
                "AccessoryNotifications", "AccessorySetupKit", "AccessoryTransportExtension", "CoreBluetooth",
                "CryptoKit", "Network", "NetworkExtension",
            ], path: "Tests/AppSources",
            swiftSettings: strict + [.enableUpcomingFeature("MemberImportVisibility")]),
        // Apple's listings, in the language mode that they are written in; some of them warn, on Apple's systems as well.
        .testTarget(
            name: "SeedListingTests",
            dependencies: [
                "AccessoryNotifications", "AccessorySetupKit", "AccessoryTransportExtension", "CoreBluetooth",
                "CryptoKit", "HostRadio", "NetworkExtension", "HILPhone", "RadioModel", "RuleCoverage", "HILTiming",
            ], path: "Tests/SeedListings",
            swiftSettings: [
                .swiftLanguageMode(.v5), .enableUpcomingFeature("MemberImportVisibility"),
                .unsafeFlags(["-suppress-warnings"]),
            ]),
        tests("HILWiFi", uses: ["HILCNetlink", "HILNetlink", "HILPOSIX", "RadioModel", "HILTiming"]),
        tests(
            "BoardAgent",
            uses: [
                "BoardProtocol", "Eventually", "HILBlueZ", "HILDBus", "HILFraming", "HILPOSIX", "RadioModel",
                "HILTiming", "SeededNumbers",
            ]),
        tests("BoardProtocol", uses: ["HILFraming", "HILPOSIX", "RadioModel", "SeededNumbers", "HILTiming"]),
        tests(
            "HIL",
            uses: [
                "CoreBluetooth", "PeripheralModel", "os",
                "SeededNumbers", "StubRig", "runner-probe", "HILAir", "BoardProtocol", "Eventually", "HostRadio",
                "HILPOSIX", "HILPhone", "HILRecord",
                "RadioModel", "RigModel", "HILTiming", "VirtualRig",
            ]),
        tests(
            "HILExecution",
            uses: [
                "StubRig", "runner-probe", "BoardProtocol", "Eventually", "HILFraming", "HIL", "HILPhone", "HILPOSIX",
                "HILRecord", "RadioModel", "RigModel", "HILTiming",
            ]),
        tests("ScenarioListing"),
        tests("HILSwiftSource", uses: ["SeededNumbers"]),
        tests("HILFoundation"),
        tests("HILSelectors", uses: ["RuleCoverage", "HILTiming"]),
        tests("Security", uses: ["HostRadio", "HILPhone", "RuleCoverage"]),
        tests("Combine"),
        tests("SwiftUI", uses: ["HILFoundation"]),
        tests("os", uses: ["OSLog"]),
        tests("AppleSourceCopy", uses: ["HILSwiftSource", "SeededNumbers"]),
        tests("HILRecord", uses: ["BoardProtocol", "HILTiming", "RadioModel"]),
        tests("HILReports", uses: ["HILExecution", "HIL", "HILPOSIX", "HILRecord", "RigModel", "StubRig"]),
        tests("HILPage", uses: ["HeadlessBrowser", "HILPOSIX", "HILRecord"]),
        tests("HILHistory", uses: ["HILCSQLite", "HILPOSIX", "HILRecord"]),
        tests(
            "HILCommand",
            uses: [
                "BoardProtocol", "HILExecution", "HIL", "HILHistory", "HILLabgrid", "HILLoopback", "HILRecord",
                "HILPage", "HILPhone", "HILPOSIX", "HILReports", "HILRules", "RadioModel", "RigModel",
                "StubRig", "VirtualRig",
            ]),
        tests(
            "hil",
            uses: [
                "AccessorySetupKit", "HILFraming", "os",
                "Eventually", "HeadlessBrowser", "hil-host-stack-interop", "hil-host-stacks", "hil-programs", "hil-rig",
                "hil-seeded-faults", "hil-trials", "hil-two-agents", "SeededNumbers", "StockBench", "StubRig",
                "HILExecution", "HIL",
                "HILPOSIX", "HILRecord",
                "HILTiming",
            ]),
        // The listings of the articles in the modules' documentation.
        .testTarget(
            name: "DocumentationTests",
            dependencies: ["AccessorySetupKit", "CoreBluetooth", "DiceApp", "DieLab", "HIL"],
            path: "Tests/Documentation", swiftSettings: strict),
        // The plan of the house: which target may use which.
        .testTarget(
            name: "HouseTests",
            dependencies: ["AccessorySetupKit", "CoreBluetooth", "NetworkExtension", "StubRig"], path: "Tests/House",
            swiftSettings: strict),
        // Broken bytes for every reader of what comes from outside.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "StubRig", "HILAir", "HILBlueZ", "BoardAgent", "BoardProtocol", "CryptoKit", "DieControl",
                "DieInternet", "DieLogic", "DieProgram", "DieProtocol", "HILFraming", "HIL", "HILLoopback",
                "InternetModel", "MessageSealing", "HILPhone", "HILBench", "HILCapture", "BoardKeeper",
                "HILPictures", "HILPOSIX", "PeripheralModel", "PeripheralProgram", "RadioModel", "RigModel",
                "HILScreenDrawing", "SeededNumbers", "HILTiming",
                "VirtualRadio", "VirtualRig", "HILWiFi",
            ], path: "Tests/Fuzz", swiftSettings: strict),
        // Which rules of the phone a test covers.
        .target(name: "RuleCoverage", dependencies: ["HILRules"], path: "Tests/RuleCoverage", swiftSettings: strict),
        // Our ML-KEM on secrets that valgrind watches.
        .executableTarget(
            name: "hil-secret-flow", dependencies: ["CryptoKit"], path: "Tests/SecretFlow", swiftSettings: strict),
        // Waiting for what no event tells of.
        .target(name: "Eventually", dependencies: ["HILTiming"], path: "Tests/Eventually", swiftSettings: strict),
        // A message bus for one test.
        .target(
            name: "PrivateBus", dependencies: ["HILDBus", "HILPOSIX"], path: "Tests/PrivateBus", swiftSettings: strict),
        // Chromium without a window, for tests of pages.
        .target(
            name: "HeadlessBrowser", dependencies: ["HILPOSIX", "HILTiming"], path: "Tests/HeadlessBrowser",
            swiftSettings: strict),
        // Chance that comes again.
        .target(name: "SeededNumbers", path: "Tests/SeededNumbers", swiftSettings: strict),
        // Boards and air without either, for the runner's tests.
        .target(
            name: "StubRig",
            dependencies: [
                "HILAir", "BoardProtocol", "HILExecution", "HILFraming", "HIL", "HILPOSIX", "HILRecord", "RadioModel",
                "RigModel",
                "HILTiming",
            ],
            path: "Tests/StubRig", swiftSettings: strict),
        // The command on rigs of two agents and nothing more.
        .executableTarget(
            name: "hil-two-agents",
            dependencies: ["HILAir", "BoardProtocol", "HILCommand", "HIL", "RigModel", "Scenarios", "VirtualRig"],
            path: "Tests/TwoAgents", swiftSettings: strict),
        // Boards with Debian's own services, which are reached by SSH alone.
        .executableTarget(
            name: "hil-stock-boards", dependencies: ["HILAir", "BoardProtocol", "HILPOSIX", "RigModel", "VirtualRig"],
            path: "Tests/StockBoards", exclude: ["Image", "build"], swiftSettings: strict),
        // The same boards for tests and benchmarks, and a coordinator of labgrid that lends them.
        .target(
            name: "StockBench", dependencies: ["hil-stock-boards", "HILPOSIX", "RigModel", "StubRig", "HILTiming"],
            path: "Tests/StockBench", swiftSettings: strict),
        // The command with scenarios about programs on the accessory board.
        .executableTarget(
            name: "hil-programs",
            dependencies: [
                "AccessorySetupKit", "HILCommand", "CoreBluetooth", "HIL", "HILURLLoading", "Network",
                "NetworkExtension",
            ],
            path: "Tests/Programs", exclude: ["Accessory", "App"], swiftSettings: strict),
        // The command with accessories that have no board.
        .executableTarget(
            name: "hil-host-stacks",
            dependencies: [
                "AccessorySetupKit", "HILCommand", "CoreBluetooth", "DiceApp", "DieLab", "DieProtocol", "HIL",
            ],
            path: "Tests/HostStacks", exclude: ["App", "battery.py", "requirements.txt"], swiftSettings: strict),
        // The command with the host stacks of others as the phone's peers.
        .executableTarget(
            name: "hil-host-stack-interop", dependencies: ["HILCommand", "CoreBluetooth", "HIL"],
            path: "Tests/HostStackInterop",
            exclude: ["App", "README.md", "build", "bumble", "btstack", "common", "nimble"],
            swiftSettings: strict),
        // The command with trials of minutes.
        .executableTarget(
            name: "hil-trials", dependencies: ["HILCommand", "CoreBluetooth", "HIL", "HILTiming"], path: "Tests/Trials",
            exclude: ["App"], swiftSettings: strict),
        // Runs that hold places of a labgrid coordinator, and one of thousands of cases on them.
        .executableTarget(
            name: "places-probe",
            dependencies: [
                "BoardProtocol", "HILBench", "HILExecution", "HIL", "HILLabgrid", "HILPOSIX", "HILRecord",
                "HILReports", "RigModel",
                "HILTiming",
            ], path: "Tests/PlacesProbe", swiftSettings: strict),
        // The command with an accessory that has three faults, for the page of such a run.
        .executableTarget(
            name: "hil-seeded-faults",
            dependencies: ["AccessorySetupKit", "HILCommand", "DiceApp", "DieLab", "HIL"],
            path: "Tests/SeededFaults", swiftSettings: strict),
        .executableTarget(
            name: "runner-probe",
            dependencies: [
                "HILExecution", "HIL", "HILPhone", "HILPOSIX", "HILRecord", "HILReports", "RigModel", "StubRig",
            ],
            path: "Tests/RunnerProbe", swiftSettings: strict),
    ]
)

let dependencies = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0.dependencies) })

/// These targets, and all that are below them.
func whole(_ targets: some Sequence<String>) -> Set<String> {
    var (found, waiting) = (Set<String>(), Array(targets))
    while let name = waiting.popLast() {
        guard found.insert(name).inserted else { continue }
        for case .byNameItem(let used, _) in dependencies[name] ?? [] { waiting.append(used) }
    }
    return found
}

// SwiftPM rebuilds only the targets that name a changed one. A target that holds a type of it without naming it would keep the
// old size of that type, and crash. So each target names all that are below it. The tests of the house read the plan without.
if Context.environment["HIL_DEPENDENCIES"] != "named" {
    for target in package.targets where target.type != .plugin {
        let below = whole([target.name]).subtracting([target.name]).subtracting(
            target.dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } })
        target.dependencies += below.sorted().map { .byName(name: $0) }
    }
}

// SwiftPM builds one product or all of them. `Fixtures/Setup/build` needs the three programs of a rig, and nothing else.
if Context.environment["HIL_BUILD"] == "rig" {
    let programs: Set = ["hil-air", "hil-board", "hil-rig"]
    let needed = whole(programs)
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { !programs.contains($0.name) }
}

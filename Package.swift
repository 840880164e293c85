// swift-tools-version: 6.2
import PackageDescription

/// The folder of a target. Targets with a usual name have a prefix, because all packages of a graph share one name space; the
/// folders have no prefix.
func folder(of target: String) -> String {
    target.hasPrefix("HIL") && target != "HIL" ? String(target.dropFirst("HIL".count)) : target
}

/// The targets with these names, which spaces separate.
func targets(_ names: String) -> [Target.Dependency] { names.split(separator: " ").map { .byName(name: String($0)) } }

/// A library target on a floor, in its own folder there.
func module(_ floor: String, _ name: String, _ uses: String = "", resources: [Resource]? = nil) -> Target {
    .target(
        name: name, dependencies: targets(uses), path: "Sources/\(floor)/\(folder(of: name))", resources: resources)
}

/// A program: one main, where everything is put together.
func program(_ name: String, _ uses: String, linking: [LinkerSetting]? = nil) -> Target {
    .executableTarget(
        name: name, dependencies: targets(uses), path: "Sources/Programs/\(name)", linkerSettings: linking)
}

/// A plugin that runs `hil-sources` before a target is compiled.
func plugin(_ floor: String, _ name: String) -> Target {
    .plugin(
        name: name, capability: .buildTool(), dependencies: [.byName(name: "hil-sources")],
        path: "Sources/\(floor)/\(name)")
}

/// The unit tests of a floor, or others that need neither boards nor a browser.
func units(_ name: String, _ uses: String) -> Target {
    let folder = name.hasSuffix("Units") ? name.dropLast("Units".count) : name.dropLast("Tests".count)
    return .testTarget(name: name, dependencies: targets(uses), path: "Tests/Units/\(folder)")
}

/// Tests of the whole, in a folder of their own.
func tests(_ name: String, _ uses: String) -> Target {
    .testTarget(name: name, dependencies: targets(uses), path: "Tests/\(name.dropLast("Tests".count))")
}

/// What tests share.
func support(_ name: String, _ uses: String = "") -> Target {
    .target(name: name, dependencies: targets(uses), path: "Tests/Support/\(name)")
}

/// A program that tests run.
func trial(_ name: String, in folder: String, _ uses: String, exclude: [String] = []) -> Target {
    .executableTarget(name: name, dependencies: targets(uses), path: "Tests/Programs/\(folder)", exclude: exclude)
}

/// A C library of the system: a shim header and a module map, nothing else.
func system(_ name: String, pkgConfig: String? = nil, package: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Sources/System/\(folder(of: name))", pkgConfig: pkgConfig,
        providers: package.map { [.apt([$0])] })
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
                "NetworkExtension", "OSLog", "UIKit", "os",
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
        system("HILCArchive", pkgConfig: "libarchive", package: "libarchive-dev"),
        system("HILCBindSupervision"),
        system("HILCBluetooth", pkgConfig: "bluez", package: "libbluetooth-dev"),
        system("HILCDBus", pkgConfig: "dbus-1", package: "libdbus-1-dev"),
        system("HILCLinux"),
        system("HILCNetlink", pkgConfig: "libnl-genl-3.0", package: "libnl-genl-3-dev"),
        system("HILCOpenSSL", pkgConfig: "libcrypto", package: "libssl-dev"),
        system("HILCPNG", pkgConfig: "libpng", package: "libpng-dev"),
        system("HILCSeccomp", pkgConfig: "libseccomp", package: "libseccomp-dev"),
        system("HILCSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        system("HILCSSL", pkgConfig: "libssl", package: "libssl-dev"),
        system("HILCSwiftRuntime"),
        system("HILCTurboJPEG", pkgConfig: "libturbojpeg", package: "libturbojpeg0-dev"),
        module("System", "HILPOSIX", "HILCBindSupervision HILCLinux"),
        module("System", "HILTiming"),

        // Crypto: Apple's CryptoKit and TLS over OpenSSL, and messages sealed with it.
        module("Crypto", "CommonCrypto", "HILCOpenSSL"),
        module("Crypto", "CryptoKit", "HILCOpenSSL"),
        module("Crypto", "MessageSealing", "CryptoKit"),
        module("Crypto", "HILTLS", "HILCSSL HILTiming"),

        // Board: what runs on a board, and the words it shares with the runner.
        module("Board", "HILAvahi", "HILDBus HILTiming RadioModel"),
        module("Board", "HILBlueZ", "HILCBluetooth HILDBus HILPOSIX HILTiming RadioModel"),
        module(
            "Board", "BoardAgent",
            """
            BoardProtocol CryptoKit HILAvahi HILBlueZ HILCLinux HILDBus HILPOSIX HILTiming HILWiFi RadioModel
            """),
        module("Board", "BoardKeeper", "BoardAgent BoardProtocol HILBlueZ HILCLinux HILPOSIX HILTiming HILWiFi"),
        module("Board", "BoardProtocol", "HILPOSIX HILTiming RadioModel"),
        module("Board", "HILDBus", "HILCDBus HILPOSIX HILTiming"),
        module("Board", "PeripheralModel", "BoardProtocol HILPOSIX HILTLS RadioModel"),
        module(
            "Board", "PeripheralProgram",
            """
            BoardAgent BoardProtocol HILBlueZ HILPOSIX HILTiming HILTLS PeripheralModel RadioModel
            """),
        module("Board", "RadioModel"),
        module("Board", "VirtualRadio", "HILCLinux HILCNetlink HILPOSIX HILWiFi RadioModel"),
        module("Board", "HILWiFi", "HILCNetlink HILPOSIX HILTiming RadioModel"),

        // Record: what a run was. It knows neither phone nor rig nor the scenarios' language.
        .target(
            name: "HILRecord", dependencies: targets("BoardProtocol HILPOSIX HILTiming RadioModel"),
            path: "Sources/Record"),

        // Phone: the simulated phone, and Apple's accessory frameworks over it.
        .target(name: "_Testing_UIKit", path: "Sources/Phone/TestingUIKit"),
        module("Phone", "HILAccessoryMessages"),
        module(
            "Phone", "AccessoryNotifications",
            """
            AccessorySetupKit AccessoryTransportExtension HILNotificationParts HILPhone HILUniformTypes
            """),
        module("Phone", "AccessorySetupKit", "CoreBluetooth HILPhone RadioModel UIKit"),
        module("Phone", "AccessoryTransportExtension", "ExtensionFoundation HILAccessoryMessages HILPhone"),
        module("Phone", "HILBluetoothHost", "CryptoKit RadioModel"),
        module("Phone", "CoreBluetooth", "HILFoundation HILPhone HostRadio PeripheralModel RadioModel"),
        module("Phone", "ExtensionFoundation", "HILPhone"),
        module("Phone", "HILFoundation"),
        module("Phone", "HostRadio", "BoardProtocol HILPOSIX HILTiming PeripheralModel RadioModel"),
        module("Phone", "Network", "HILPhone HILTLS HILTrust HostRadio RadioModel"),
        module("Phone", "NetworkExtension", "AccessorySetupKit HILFoundation HILPhone HILTrust RadioModel"),
        module("Phone", "HILNotificationParts"),
        module(
            "Phone", "HILPhone",
            """
            BoardProtocol CryptoKit HILAccessoryMessages HILCPNG HILCTurboJPEG HILNotificationParts HILPOSIX HILTiming \
            HostRadio MessageSealing PeripheralModel RadioModel
            """),
        module(
            "Phone", "HILPhoneRadio",
            """
            BoardProtocol HILBluetoothHost HILPOSIX HILTiming HostRadio PeripheralModel RadioModel
            """),
        module("Phone", "HILRules"),
        module("Phone", "HILScreenDrawing", "HILPhone"),
        module("Phone", "HILTrust", "HILFoundation HILTLS"),
        module("Phone", "UIKit", "_Testing_UIKit HILFoundation HILPhone"),
        module("Phone", "HILUniformTypes"),

        // Apps: what other people's apps need beside these, so that they compile.
        module("Apps", "Combine", "HILFoundation HILURLLoading"),
        module("Apps", "os", "HILFoundation HILPhone"),
        module("Apps", "OSLog", "os"),
        module("Apps", "QuartzCore", "UIKit"),
        module("Apps", "Security", "HILFoundation HILPhone HILTrust"),
        module("Apps", "HILSelectors"),
        module("Apps", "HILSwiftSource"),
        module("Apps", "SwiftUI", "Combine UIKit"),
        module("Apps", "SystemConfiguration", "HILPhone Security"),
        module("Apps", "UniformTypeIdentifiers", "HILUniformTypes"),
        module("Apps", "HILURLLoading", "HILPhone HILPOSIX Network"),
        plugin("Apps", "AppleSources"),

        // Rig: what every rig is, then the virtual medium, the virtual boards, and benches.
        module("Rig", "HILAir", "BoardProtocol HILPOSIX HILTiming RadioModel RigModel VirtualRadio"),
        module("Rig", "HILBench", "BoardProtocol HILBluetoothHost HILPOSIX HILTiming RadioModel RigModel"),
        module("Rig", "HILHand", "BoardProtocol RigModel"),
        module("Rig", "HILLabgrid", "HILBench HILPOSIX HILTiming RigModel"),
        module("Rig", "RigModel", "BoardProtocol HILPOSIX HILTiming RadioModel"),
        module(
            "Rig", "VirtualRig",
            """
            BoardProtocol HILAir HILCArchive HILCLinux HILCSeccomp HILPOSIX HILTiming RadioModel RigModel
            """),

        // Runner: the scenarios' language, their execution, and the reports.
        module(
            "Runner", "HILCommand",
            """
            BoardProtocol CryptoKit HIL HILAir HILAudit HILBench HILBluetoothHost HILConversation HILExecution HILExploration \
            HILHand HILHistory HILLabgrid HILPhone HILPOSIX HILRecord HILReports HILRules HILScreenDrawing HILSwiftSource HILTiming \
            RadioModel RigModel VirtualRig
            """),
        module(
            "Runner", "HILExecution",
            """
            BoardProtocol HIL HILAudit HILExploration HILFoundation HILPhone HILPOSIX HILRecord HILRules HILTiming RadioModel \
            RigModel
            """),
        module("Runner", "HILConversation", "HILBluetoothHost RadioModel"),
        module("Runner", "HILExploration", "HILPOSIX HILRecord"),
        module("Runner", "HILAudit", "HILBluetoothHost HILRecord RadioModel"),
        module(
            "Runner", "HIL",
            """
            AccessorySetupKit BoardProtocol CommonCrypto CoreBluetooth CryptoKit HILAudit HILBluetoothHost HILCSwiftRuntime \
            HILExploration HILPhone HILPhoneRadio HILPOSIX HILRecord HILScreenDrawing HILTiming HILTLS HostRadio NetworkExtension PeripheralModel \
            RadioModel RigModel
            """),
        module("Runner", "HILHistory", "HILCSQLite HILPOSIX HILRecord"),
        module("Runner", "HILReports", "HILPOSIX HILRecord HILTiming", resources: [.copy("Page/Web")]),
        plugin("Runner", "ScenarioList"),

        // Die: the reference accessory, whole, as a client of all that is above.
        module(
            "Die", "DiceApp",
            """
            AccessoryNotifications AccessorySetupKit AccessoryTransportExtension CoreBluetooth DieProtocol HILPhone \
            Network NetworkExtension
            """),
        module("Die", "DieLab", "BoardProtocol DieProtocol HIL HILPOSIX HILTiming RadioModel RigModel"),
        module(
            "Die", "DieProgram",
            """
            BoardAgent BoardProtocol CryptoKit DieProtocol HILBlueZ HILPOSIX HILTiming MessageSealing RadioModel
            """),
        module("Die", "DieProtocol", "BoardProtocol HILPOSIX RadioModel"),

        // The scenarios, and above them the programs.
        .target(
            name: "Scenarios",
            dependencies: targets(
                """
                AccessoryNotifications AccessorySetupKit AccessoryTransportExtension CoreBluetooth CryptoKit DiceApp \
                DieLab DieProtocol HIL HILAudit HILTiming HILURLLoading Network NetworkExtension Security
                """),
            path: "Scenarios", plugins: ["ScenarioList"]),
        // Linked at each change of a scenario: the toolchain's own linker needs a third of the time of the system's. No package
        // depends on this program, so that its flags are nobody else's.
        program(
            "hil", "HILCommand Scenarios", linking: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]),
        program("hil-air", "BoardProtocol HILAir HILPOSIX RigModel"),
        program(
            "hil-bench",
            """
            BoardProtocol HIL HILAir HILCommand HILExecution HILHistory HILLabgrid HILPhone HILPOSIX HILRecord \
            HILReports HILTiming RigModel StockBench TestSupport VirtualRig
            """),
        program("hil-board", "BoardAgent BoardKeeper DieProgram HILPOSIX PeripheralProgram VirtualRadio"),
        program("hil-core-bench", "CryptoKit HILPhone MessageSealing RadioModel"),
        program("hil-rig", "VirtualRig"),
        program("hil-sources", "HILSwiftSource"),

        // What tests share: waiting and chance, boards and air without either, boards that are reached by SSH alone.
        support("BrokenPipes"),
        support("StockBench", "hil-probe HILPOSIX HILTiming RigModel StubRig TestSupport"),
        support("StubRig", "BoardProtocol HIL HILAir HILExecution HILPOSIX HILRecord HILTiming RadioModel RigModel"),
        support("TestSupport", "BrokenPipes HILCLinux HILDBus HILPOSIX HILRecord HILRules HILTiming"),

        // The programs that tests run.
        // What tests run beside themselves, without the command. A change of a scenario does not link it again.
        trial(
            "hil-probe", in: "Probe",
            """
            BoardProtocol HIL HILAir HILBench HILExecution HILLabgrid HILPhone HILPOSIX HILRecord HILReports HILTiming \
            RigModel StubRig VirtualRig
            """, exclude: ["StockBoards/Image", "StockBoards/build"]),
        // Our ML-KEM on secrets that valgrind watches: by itself, because it is built for release, with all that it links.
        trial("hil-secret-flow", in: "SecretFlow", "CryptoKit"),
        // Apps and accessories with a fault each, and the same mended.
        .target(
            name: "Explorations",
            dependencies: targets("AccessorySetupKit CoreBluetooth HIL NetworkExtension UIKit"),
            path: "Fixtures/Explorations",
            exclude: ["App", "README.md"]
                + ["CutOffWrite", "HalfCredentials", "LostAnswer", "SavedTooEarly", "Shared", "SilentAfterLoss"].map {
                    "\($0)/Firmware"
                }),
        // Accessories with a weakness each, and their hardened twins.
        .target(
            name: "WeakAccessories",
            dependencies: targets("AccessorySetupKit CoreBluetooth CryptoKit HIL NetworkExtension"),
            path: "Fixtures/WeakAccessories", exclude: ["Firmware", "README.md"]),
        // The command with scenarios that only tests run, a folder a room.
        trial(
            "hil-trials", in: "Trials",
            """
            AccessorySetupKit BoardProtocol CoreBluetooth DiceApp DieLab Explorations HIL HILAir HILCommand HILTiming \
            HILURLLoading Network NetworkExtension RigModel Scenarios VirtualRig WeakAccessories
            """,
            exclude: ["BoardPrograms/Accessory", "BoardPrograms/App", "Extremes/App", "LearnedPhones/App"]
                + ["App", "README.md", "build", "bumble", "btstack", "common", "nimble"].map {
                    "HostStackInterop/\($0)"
                }
                + ["App", "battery.py", "requirements.txt"].map { "HostStacks/\($0)" }),

        // Unit tests: a target a floor, in it a folder a module.
        units("SystemUnits", "hil-probe HILPOSIX HILTiming TestSupport"),
        units("CryptoUnits", "CommonCrypto CryptoKit HILTLS MessageSealing TestSupport"),
        units(
            "BoardUnits",
            """
            BoardAgent BoardKeeper BoardProtocol HILAvahi HILBlueZ HILCNetlink HILDBus HILPOSIX HILTiming HILWiFi \
            PeripheralModel PeripheralProgram RadioModel TestSupport VirtualRadio
            """),
        units("RecordUnits", "BoardProtocol HILRecord HILTiming RadioModel TestSupport"),
        units(
            "PhoneUnits",
            """
            AccessoryNotifications AccessorySetupKit AccessoryTransportExtension BoardProtocol Combine \
            CoreBluetooth CryptoKit DiceApp DieProgram DieProtocol HILBluetoothHost HILCPNG HILCTurboJPEG \
            HILFoundation HILPhone HILPhoneRadio HILPOSIX HILScreenDrawing HILTiming HILTLS HostRadio \
            MessageSealing Network NetworkExtension PeripheralModel RadioModel SystemConfiguration TestSupport \
            UIKit
            """),
        units("BluetoothHostUnits", "CryptoKit HILAudit HILBluetoothHost RadioModel TestSupport"),
        units(
            "AppsUnits",
            """
            Combine HILFoundation HILPhone HILPOSIX HILSelectors HILSwiftSource HILTiming HILURLLoading HostRadio \
            Network os OSLog RadioModel Security SwiftUI TestSupport
            """),
        units(
            "RigUnits",
            """
            BoardProtocol hil-air hil-probe hil-rig HILAir HILBench HILCLinux HILLabgrid HILPOSIX HILTiming RadioModel \
            RigModel StubRig TestSupport VirtualRadio VirtualRig
            """),
        units(
            "RunnerUnits",
            """
            BoardProtocol CoreBluetooth HIL hil-probe HILAir HILAudit HILBluetoothHost HILCommand HILConversation HILCSQLite HILExecution \
            HILExploration HILHistory HILLabgrid HILPhone HILPOSIX HILRecord HILReports HILRules HILTiming HostRadio PeripheralModel RadioModel RigModel \
            StubRig TestSupport VirtualRig
            """),
        units(
            "DieUnits",
            """
            AccessorySetupKit BoardAgent BoardProtocol CryptoKit DiceApp DieLab DieProgram DieProtocol HIL HILBlueZ \
            HILPhone HILPOSIX HILRecord HILTiming HostRadio MessageSealing NetworkExtension RadioModel RigModel \
            StubRig TestSupport
            """),
        units("DocumentationTests", "AccessorySetupKit CoreBluetooth DiceApp DieLab HIL TestSupport"),
        units(
            "FuzzTests",
            """
            BoardAgent BoardKeeper BoardProtocol CryptoKit DieProgram DieProtocol HIL HILAir HILBench HILBlueZ \
            HILConversation HILPhone HILPOSIX HILScreenDrawing HILTiming HILWiFi MessageSealing PeripheralModel PeripheralProgram \
            RadioModel RigModel StubRig TestSupport VirtualRadio VirtualRig
            """),
        units("HouseTests", "StubRig TestSupport"),
        // Sources as apps have them, with the settings of a new Xcode project.
        .testTarget(
            name: "AppSourceTests",
            dependencies: targets(
                """
                AccessoryNotifications AccessoryTransportExtension CoreBluetooth CryptoKit NetworkExtension
                """),
            path: "Tests/Units/AppSources", swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
        // Apple's listings, in the language mode that they are written in; some of them warn, on Apple's systems as well.
        .testTarget(
            name: "SeedListingTests",
            dependencies: targets(
                """
                AccessoryNotifications AccessorySetupKit AccessoryTransportExtension CoreBluetooth CryptoKit HILPhone \
                HILTiming HostRadio NetworkExtension RadioModel TestSupport
                """),
            path: "Tests/Units/SeedListings",
            swiftSettings: [
                .swiftLanguageMode(.v5), .enableUpcomingFeature("MemberImportVisibility"),
                .unsafeFlags(["-suppress-warnings"]),
            ]),

        // Tests that need boards or a browser, and those that need two boards over SSH.
        tests(
            "RigTests",
            """
            HIL hil hil-rig hil-trials HILExecution HILPOSIX HILRecord HILReports HILTiming RadioModel StubRig TestSupport
            """),
        tests("BenchTests", "hil hil-trials HILExecution HILPOSIX HILRecord RadioModel StockBench StubRig TestSupport"),
    ]
)

// Swift 6 mode is the default, and a warning is an error.
for target in package.targets where [.regular, .executable, .test].contains(target.type) {
    guard target.name != "SeedListingTests", target.name != "BrokenPipes" else { continue }
    target.swiftSettings = [.treatAllWarnings(as: .error)] + (target.swiftSettings ?? [])
}

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

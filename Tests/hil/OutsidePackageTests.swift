import Foundation
import StubRig
import Testing

/// A package of somebody else's depends on this one by its path, with targets named as everybody would name them.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["HIL_TESTS"] == "all", "building it takes minutes: run `make test`"),
    .timeLimit(.minutes(20)))
struct OutsidePackageTests {
    /// This package.
    private static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    private static let files: [String: String] = [
        "Package.swift": """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "lamps",
            dependencies: [.package(name: "hil", path: "\(checkout)")],
            targets: [
                .target(name: "LampApp", dependencies: [.product(name: "PhoneFrameworks", package: "hil")]),
                .target(
                    name: "Scenarios", dependencies: ["LampApp", .product(name: "HIL", package: "hil")], path: "Scenarios",
                    plugins: [.plugin(name: "ScenarioList", package: "hil")]),
                .executableTarget(name: "hil", dependencies: ["Scenarios", .product(name: "HIL", package: "hil")]),
            ])
        """,
        "Sources/LampApp/LampApp.swift": """
        import AccessorySetupKit
        import CoreBluetooth
        import Foundation

        /// Looks for lamps. These lines would be the same on an iPhone.
        @MainActor public final class LampApp {
            private let session = ASAccessorySession()
            public private(set) var events: [ASAccessoryEventType] = []

            public init() async throws {
                session.activate(on: .main) { [weak self] event in
                    MainActor.assumeIsolated { self?.events.append(event.eventType) }
                }
            }

            public func addLamp() async throws {
                let lamp = ASDiscoveryDescriptor()
                lamp.bluetoothServiceUUID = CBUUID(string: "1A3B0001-7C3A-4F6B-9B52-1A6F0C8E5D47")
                guard let picture = UIImage(named: "lamp") else { return }
                try await session.showPicker(
                    for: [ASPickerDisplayItem(name: "Lamp", productImage: picture, descriptor: lamp)])
            }
        }
        """,
        "Scenarios/LampApp+Bundle.swift": """
        import Foundation
        import HIL
        import LampApp

        extension LampApp: AppUnderTest {
            public nonisolated static var bundle: AppBundle {
                let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                return AppBundle(identifier: "com.example.lamps", folder: package.appendingPathComponent("App").path)
            }
        }
        """,
        "Scenarios/Lamps.swift": """
        import AccessorySetupKit
        import HIL
        import LampApp

        let noLampIsNear = Scenario("With no lamp near, a person cancels the picker", .tags(.discovery)) { lab in
            let app = try await lab.phone.launch(LampApp.self)
            lab.phone.person.will(.cancel)
            try await lab.expect(throwing: ASError.self, "the app hears that the person cancelled") {
                try await app.addLamp()
            }
            lab.expect(app.events.contains(.pickerDidPresent), "the app hears that the picker was shown")
        }
        """,
        "Sources/hil/Main.swift": """
        import Command
        import Scenarios

        @main enum Main {
            static func main() async { await Command.main(of: allScenarios) }
        }
        """,
        "App/Info.plist": """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>com.example.lamps</string>
            <key>NSAccessorySetupSupports</key><array><string>Bluetooth</string></array>
            <key>NSAccessorySetupBluetoothServices</key>
            <array><string>1A3B0001-7C3A-4F6B-9B52-1A6F0C8E5D47</string></array>
        </dict></plist>
        """,
    ]
    /// Outside of the checkout, so that nothing of it is found by going up.
    private struct Package: ~Copyable {
        let folder = NSTemporaryDirectory() + "hil-outside-\(UUID().uuidString)"

        init() throws {
            for (name, text) in OutsidePackageTests.files {
                let path = "\(folder)/\(name)"
                try FileManager.default.createDirectory(
                    at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
                try text.write(toFile: path, atomically: true, encoding: .utf8)
            }
            try FileManager.default.copyItem(
                atPath: "\(OutsidePackageTests.checkout)/Fixtures/DiceApp/die@2x.png",
                toPath: "\(folder)/App/lamp@2x.png")
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }
    }

    private static func run(_ words: [String]) async throws -> ProgramOutput {
        try await ProgramOutput(
            of: ["env", "-C", "/"] + words, environment: RunnerProcess.environment, withErrors: true)
    }

    @Test(
        "A package with an app and a scenario of its own is built, lists the scenario, and runs it on the virtual rig")
    func lamps() async throws {
        let package = try Package()
        let build = try await Self.run(
            [
                "swift", "build", "--quiet", "--disable-index-store", "-Xswiftc", "-gnone", "--package-path",
                package.folder,
            ])
        try #require(build.status.isSuccess, "\(build.text)")
        let hil = "\(package.folder)/.build/debug/hil"
        let list = try await Self.run([hil, "list"])
        #expect(list.status.isSuccess)
        #expect(list.text == "noLampIsNear  With no lamp near, a person cancels the picker #discovery\n")

        let run = try await Self.run([hil, "run"])
        #expect(run.status.isSuccess, "\(run.text)")
        #expect(run.text.contains("1 passed"))
        let report = try String(contentsOfFile: "\(package.folder)/results/latest/junit.xml", encoding: .utf8)
        #expect(report.contains("classname=\"Scenarios.Lamps\""), "files are named from the package's own folder")
    }
}

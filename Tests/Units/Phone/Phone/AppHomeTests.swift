import Foundation
import HostRadio
import TestSupport
import Testing

@testable import HILPhone

/// The folders, user defaults and bundle of the app that is running. A process has them once, so each test has a process.
@Suite("The app's own files")
struct AppHomeTests {

    final class Lamp: AppUnderTest {
        static let bundle = AppBundle(
            identifier: "com.example.lamp/../lamp", folder: fixture("GadgetApp"))
        init() {}
    }

    final class Other: AppUnderTest {
        static let bundle = AppBundle(
            identifier: "com.example.other", infoPlist: fixture("GadgetApp/LowerCase.plist"),
            resources: "/nonexistent")
        init() {}
    }

    /// Runs a body with a phone and the folder of its apps, which is removed.
    private static func withHome(_ body: (Phone, String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "hil-home-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try AppHome.use(folder)
        try await body(Phone(radio: InMemoryRadio(), clock: ContinuousClock()), folder)
    }

    @Test("Values of all types in user defaults are still there when an app is launched again", .covers("P10"))
    func defaults() async {
        await #expect(processExitsWith: .success) {
            try await Self.withHome { phone, _ in
                let values: [String: any Hashable & Sendable] = [
                    "text": "é", "number": 7, "fraction": 1.5, "flag": true, "bytes": Data([0, 255]),
                    "date": Date(timeIntervalSinceReferenceDate: 1), "list": ["a", "b"], "words": ["a": ["b": 1]],
                ]
                _ = try await phone.launch(Lamp.self)
                for (key, value) in values { UserDefaults.standard.set(value, forKey: key) }
                _ = try await phone.launch(Other.self)
                for key in values.keys { precondition(UserDefaults.standard.object(forKey: key) == nil, key) }
                _ = try await phone.launch(Lamp.self)
                let found = UserDefaults.standard
                precondition(found.string(forKey: "text") == "é" && found.integer(forKey: "number") == 7)
                precondition(found.double(forKey: "fraction") == 1.5 && found.bool(forKey: "flag"))
                precondition(found.data(forKey: "bytes") == Data([0, 255]))
                precondition(found.object(forKey: "date") as? Date == Date(timeIntervalSinceReferenceDate: 1))
                precondition(found.stringArray(forKey: "list") == ["a", "b"])
                precondition(found.dictionary(forKey: "words") as? [String: [String: Int]] == ["a": ["b": 1]])
            }
        }
    }

    @Test("The main bundle is that of the app that is running; files stay within the given folder", .covers("P10"))
    func bundle() async {
        await #expect(processExitsWith: .success) {
            try await Self.withHome { phone, folder in
                _ = try await phone.launch(Lamp.self)
                precondition(Bundle.main.bundleIdentifier == "com.example.lamp/../lamp")
                precondition(Bundle.main.path(forResource: "gadget@2x", ofType: "png") != nil)
                precondition(Bundle.main.bundlePath.hasPrefix(folder), Bundle.main.bundlePath)
                _ = try await phone.launch(Other.self)
                precondition(Bundle.main.bundleIdentifier == "com.example.other")
                precondition(Bundle.main.path(forResource: "gadget@2x", ofType: "png") == nil)
                let services = Bundle.main.object(forInfoDictionaryKey: "NSAccessorySetupBluetoothServices")
                precondition(services is [String])
                let document = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
                precondition(document.resolvingSymlinksInPath().path.hasPrefix(folder), document.path)
                precondition(NSTemporaryDirectory().hasPrefix(folder) && NSHomeDirectory().hasPrefix(folder))
            }
        }
    }

    @Test("Deleting the app that is running ends it; its files are gone, and those of others stay", .covers("P10"))
    func deletion() async {
        await #expect(processExitsWith: .success) {
            try await Self.withHome { phone, _ in
                var file: URL { FileManager.default.temporaryDirectory.appendingPathComponent("a") }
                _ = try await phone.launch(Other.self)
                try Data([1]).write(to: file)
                _ = try await phone.launch(Lamp.self)
                try Data([2]).write(to: file)
                phone.notifications.deleteApp(Lamp.bundle.identifier)
                precondition(phone.app == nil)
                _ = try await phone.launch(Lamp.self)
                precondition(!FileManager.default.fileExists(atPath: file.path))
                _ = try await phone.launch(Other.self)
                let kept = try Data(contentsOf: file)
                precondition(kept == Data([1]))
            }
        }
    }
}

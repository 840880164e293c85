import AccessorySetupKit
import HILPhone
import RadioModel
import Synchronization
import TestSupport
import Testing

/// An app that shows its picker without an action of the person: at launch, or on its session's first event.
private final class EagerApp: AppUnderTest {
    static let bundle = AppBundle(identifier: "com.example.dice", folder: fixture("DiceApp"))
    static let queue = DispatchQueue(label: "eager")
    static let showsAtLaunch = Mutex(true)
    let session = ASAccessorySession()

    init() async throws {
        guard let picture = UIImage(named: "die") else { return }
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = SetupStand.service
        let item = ASPickerDisplayItem(name: "Bluetooth Die", productImage: picture, descriptor: descriptor)
        let atLaunch = EagerApp.showsAtLaunch.withLock { $0 }
        session.activate(on: EagerApp.queue) { [weak session] event in
            if event.eventType == .activated, !atLaunch { session?.showPicker(for: [item]) { _ in } }
        }
        if atLaunch { session.showPicker(for: [item]) { _ in } }
    }
}

/// An app whose event handler holds the session strongly, weakly, or until invalidation.
private final class KeepingApp: AppUnderTest {
    static let bundle = AppBundle(identifier: "com.example.dice", folder: fixture("DiceApp"))
    static let mode = Mutex("cycle")
    let session = ASAccessorySession()

    init() async throws {
        let session = session
        switch KeepingApp.mode.withLock({ $0 }) {
        case "cycle": session.activate(on: .main) { _ in withExtendedLifetime(session) {} }
        case "weak": session.activate(on: .main) { [weak session] _ in withExtendedLifetime(session) {} }
        default:
            session.activate(on: .main) { _ in withExtendedLifetime(session) {} }
            session.invalidate()
        }
    }
}

/// An app as Xcode's templates make it: its name is a build setting, which the bundle gives or does not give.
private final class TemplateApp: AppUnderTest {
    static let settings = Mutex<[String: String]>([:])
    static let plist = NSTemporaryDirectory() + "hil-template-\(UUID().uuidString).plist"

    static var bundle: AppBundle {
        AppBundle(
            identifier: "com.example.template", infoPlist: plist, resources: fixture("DiceApp"),
            buildSettings: settings.withLock { $0 })
    }
}

/// Warnings about code that works but is bad practice: rules K15, E3, K17.
@Suite(.serialized, .timeLimit(.minutes(1))) struct DiagnosticsTests {
    @Test("A build setting without a value gives a warning; with a value, the app has its name", .covers("P1", "P7"))
    func buildSettings() async throws {
        let root = ["CFBundleName": "$(PRODUCT_NAME)", "CFBundleVersion": "$(CURRENT_PROJECT_VERSION)"]
        let data = try PropertyListSerialization.data(fromPropertyList: root, format: .xml, options: 0)
        try data.write(to: URL(fileURLWithPath: TemplateApp.plist))
        defer { try? FileManager.default.removeItem(atPath: TemplateApp.plist) }
        let stand = try await SetupStand()
        _ = try await stand.phone.launch(TemplateApp.self)
        #expect(stand.phone.app?.name == "com.example.template")
        #expect(stand.phone.warnings.map(\.rule) == ["P1"])
        #expect(stand.phone.warnings.first?.text.contains("$(PRODUCT_NAME)") == true)
        TemplateApp.settings.withLock { $0 = ["PRODUCT_NAME": "Lamps"] }
        _ = try await stand.phone.launch(TemplateApp.self)
        #expect(stand.phone.app?.name == "Lamps")
        #expect(stand.phone.warnings.count == 1)
    }

    @Test("A picker without an action of the person gives a warning", .covers("K15"), arguments: [true, false])
    func unaskedPicker(atLaunch: Bool) async throws {
        EagerApp.showsAtLaunch.withLock { $0 = atLaunch }
        let stand = try await SetupStand()
        stand.addDie()
        _ = try await stand.phone.launch(EagerApp.self)
        try await stand.screen(.picker)
        #expect(stand.phone.warnings.map(\.rule) == ["K15"])
        #expect(stand.phone.warnings.first?.text.contains("taps") == true, "the warning says what to change")
    }

    @Test("A picker after a tap, or by the scenario's own call, gives no warning", .covers("K15"))
    func askedPicker() async throws {
        EagerApp.showsAtLaunch.withLock { $0 = false }
        let stand = try await SetupStand()
        _ = try await stand.phone.person.taps("Add Die") { try await stand.phone.launch(EagerApp.self) }
        try await stand.screen(.picker)
        #expect(stand.phone.warnings.isEmpty)
        _ = try await stand.phone.launch(DiceTestApp.self)
        stand.addDie()
        _ = try await stand.authorized()
        #expect(stand.phone.warnings.isEmpty)
    }

    @Test(
        "A handler that keeps its session alive gives a warning when the app ends", .covers("E3"),
        arguments: ["cycle", "weak", "invalidated"])
    func retainCycle(mode: String) async throws {
        KeepingApp.mode.withLock { $0 = mode }
        let stand = try await SetupStand()
        _ = try await stand.phone.launch(KeepingApp.self)
        // Work that was queued on the main queue holds the handler until it has run.
        await MainActor.run {}
        stand.phone.switchOff()
        #expect(stand.phone.warnings.map(\.rule) == (mode == "cycle" ? ["E3"] : []))
        #expect(stand.phone.warnings.allSatisfy { $0.text.contains("[weak self]") })
    }
}

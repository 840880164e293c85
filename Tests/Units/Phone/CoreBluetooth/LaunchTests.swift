import HILTiming
import RadioModel
import Synchronization
import TestSupport
import Testing
import UIKit

@testable import CoreBluetooth
@testable import HILPhone

/// Apps that are not running: what launches them again, by each row of Apple's table, and what stays of them.
@Suite("Launches in the background", .timeLimit(.minutes(1)))
struct LaunchTests {
    /// An app that watches its die: it makes its manager at its launch, and keeps what is restored.
    final class Watcher: AppUnderTest {
        static let bundle = Bench.App.bundle
        let own = OwnCentral()
        init() {}
    }

    /// The same without AccessorySetupKit.
    final class OpenWatcher: AppUnderTest {
        static var bundle: AppBundle {
            AppBundle(
                identifier: "com.example.open",
                infoPlist: fixture("GadgetApp/Open.plist"),
                resources: Bench.App.bundle.resources)
        }
        let own = OwnCentral()
        init() {}
    }

    /// An app without a restore identifier.
    final class Forgetful: AppUnderTest {
        static let bundle = Bench.App.bundle
        let own = OwnCentral(restoreName: nil)
        init() {}
    }

    /// A central manager with its listener, which lives as long as its app.
    final class OwnCentral: Sendable {
        let listener = Listener()
        private let kept: Mutex<Kept>

        init(restoreName: String? = "dice") {
            let options = restoreName.map { [CBCentralManagerOptionRestoreIdentifierKey: $0] }
            let central = CBCentralManager(delegate: listener, queue: listener.queue, options: options)
            let kept = Kept(objects: [central])
            self.kept = Mutex(kept)
        }

        var central: CBCentralManager? { kept.withLock { $0.objects.first as? CBCentralManager } }

        /// Connects to the die, and subscribes to its rolls.
        func subscribe(to identifier: UUID) async throws {
            try await listener.next("state 5")
            let peripheral = try #require(central?.retrievePeripherals(withIdentifiers: [identifier]).first)
            let more = Kept(objects: [peripheral])
            kept.withLock { $0.objects += more.objects }
            peripheral.delegate = listener
            central?.connect(peripheral)
            try await listener.next("connected")
            peripheral.discoverServices(nil)
            try await listener.next("services nil")
            peripheral.discoverCharacteristics(nil, for: try #require(peripheral.services?.first))
            try await listener.next("characteristics 3 nil")
            peripheral.setNotifyValue(true, for: try peripheral.found(Bench.roll))
            try await listener.next("notifying 2A01 true nil")
        }
    }

    /// A phone with a die in reach and an app that is subscribed to it.
    private func stand<App: AppUnderTest>(
        _ type: App.Type, _ own: (App) -> OwnCentral
    ) async throws -> (bench: Bench, app: App) {
        let bench = try await Bench(isAuthorized: App.bundle.identifier == Bench.App.bundle.identifier)
        bench.addDie()
        let app = try await bench.phone.launch(type)
        try await own(app).subscribe(to: bench.identifier)
        return (bench, app)
    }

    /// The next app that the phone has launched by itself.
    private func launched<App: AppUnderTest>(_ type: App.Type, on bench: Bench, after count: Int = 0) async throws
        -> App
    {
        let found = try await bench.phone.backgroundLaunches.first(
            from: count, within: .seconds(300), waitingFor: "a launch in the background"
        ) { _ in true }
        return try #require(try found.event.app.get() as? App)
    }

    private func roll(_ face: UInt8, _ bench: Bench) {
        bench.radio.notify(Data([face]), from: Bench.roll.id, of: Bench.address)
    }

    // MARK: The table

    @Test("The table is Apple's", .covers("L3"))
    func table() {
        let rows: [(RelaunchCondition, RelaunchRules.Answer, RelaunchRules.Answer)] = [
            (.suspended, .wakes, .wakes), (.removedFromMemory, .yes, .yes), (.crashed, .yes, .yes),
            (.forceQuit, .no, .withAccessorySetup), (.bluetoothToggled, .no, .no),
            (.controlCenterToggled, .no, .withAccessorySetup), (.airplaneModeToggled, .yes, .withAccessorySetup),
            (.restarted, .yes, .yes),
        ]
        #expect(rows.map(\.0) == RelaunchCondition.allCases)
        for (condition, before, now) in rows {
            #expect(RelaunchRules.iOS11.answer(after: condition) == before, "\(condition)")
            #expect(RelaunchRules.iOS26.answer(after: condition) == now, "\(condition)")
        }
    }

    /// Lets something happen to an app, or to the phone after the system has ended the app.
    private func meet(_ condition: RelaunchCondition, on phone: Phone) async {
        switch condition {
        case .suspended: phone.suspendApp()
        case .removedFromMemory: phone.terminateApp(bySystem: true)
        case .crashed: phone.crashApp()
        case .forceQuit: phone.forceQuitApp()
        case .bluetoothToggled, .controlCenterToggled:
            phone.terminateApp(bySystem: true)
            let place = condition == .bluetoothToggled ? Phone.SwitchPlace.settings : .controlCenter
            await phone.switchBluetooth(false, in: place)
            await phone.switchBluetooth(true, in: place)
        case .airplaneModeToggled:
            phone.terminateApp(bySystem: true)
            await phone.switchAirplaneMode(true, keepsBluetooth: true)
            await phone.switchAirplaneMode(false, keepsBluetooth: true)
        case .restarted:
            phone.terminateApp(bySystem: true)
            await phone.restart()
        }
    }

    @Test(
        "Each row of the table, for an app with AccessorySetupKit and for one without", .covers("L3", "L5"),
        arguments: RelaunchCondition.allCases, [RelaunchRules.iOS11, .iOS26])
    func rows(condition: RelaunchCondition, rules: RelaunchRules) async throws {
        try await row(condition, rules, usesSetup: true, Watcher.self) { $0.own }
        try await row(condition, rules, usesSetup: false, OpenWatcher.self) { $0.own }
    }

    private func row<App: AppUnderTest>(
        _ condition: RelaunchCondition, _ rules: RelaunchRules, usesSetup: Bool, _ type: App.Type,
        _ own: (App) -> OwnCentral
    ) async throws {
        let (bench, app) = try await stand(type, own)
        bench.phone.policy.launches.rules = rules
        await meet(condition, on: bench.phone)
        let isLaunched = rules.launches(after: condition, usesAccessorySetup: usesSetup)
        let name: Comment = "\(condition), \(rules), \(usesSetup ? "with" : "without") AccessorySetupKit"
        if condition == .suspended {
            roll(6, bench)
            try await own(app).listener.next("value 2A01 [6] nil")
            #expect(bench.phone.backgroundLaunches.events.isEmpty, name)
        } else if isLaunched {
            if [.controlCenterToggled, .restarted].contains(condition) {
                _ = try await launched(type, on: bench)
            } else {
                roll(6, bench)
                let again = own(try await launched(type, on: bench))
                try await again.listener.next("state 5")
            }
            #expect(bench.phone.app?.isInForeground == false, name)
        } else {
            try await bench.radio.changes.wait(for: "the link to end") { bench.radio.connected.isEmpty }
            #expect(bench.phone.bluetooth.restoreNames(of: App.bundle.identifier).isEmpty, name)
            #expect(bench.phone.backgroundLaunches.events.isEmpty, name)
        }
    }

    // MARK: What the app hears

    @Test("It hears what is restored, then its state, then all that it missed, in order", .covers("L1", "C20"))
    func order() async throws {
        let (bench, old) = try await stand(Watcher.self) { $0.own }
        let before = old.own.listener.received.events
        // Another app keeps the phone busy, so that several events wait.
        _ = try await bench.phone.launch(Bench.OpenApp.self)
        roll(1, bench)
        roll(2, bench)
        bench.radio.remove(Bench.address)
        try await bench.phone.log.wait(for: "the phone to hear of the loss") {
            bench.phone.log.events.contains { if case .radio(.disconnected) = $0.kind { true } else { false } }
        }
        #expect(bench.phone.backgroundLaunches.events.isEmpty, "one app at a time")
        bench.phone.terminateApp(bySystem: true)
        let new = try await launched(Watcher.self, on: bench)
        try await new.own.listener.next("disconnected CBErrorDomain 6")
        #expect(
            new.own.listener.received.events == [
                "restored [\(bench.identifier)] 2", "state 5", "value 2A01 [1] nil", "value 2A01 [2] nil",
                "disconnected CBErrorDomain 6",
            ])
        #expect(old.own.listener.received.events == before, "the ended app hears nothing")
        #expect(bench.phone.warnings.isEmpty)
        #expect(
            bench.phone.log.events.contains {
                if case .app(_, let what) = $0.kind {
                    what.hasPrefix("was launched in the background for a value of")
                } else {
                    false
                }
            })
    }

    @Test("Of too many values the oldest are dropped, and the end of the link is not", .covers("L1"))
    func bounds() async throws {
        let (bench, _) = try await stand(Watcher.self) { $0.own }
        bench.phone.policy.launches.keptEvents = 3
        _ = try await bench.phone.launch(Bench.OpenApp.self)
        for face: UInt8 in 1...5 { roll(face, bench) }
        bench.radio.remove(Bench.address)
        try await bench.phone.log.wait(for: "the phone to hear of the loss") {
            bench.phone.log.events.contains { if case .radio(.disconnected) = $0.kind { true } else { false } }
        }
        bench.phone.terminateApp()
        let new = try await launched(Watcher.self, on: bench)
        try await new.own.listener.next("disconnected CBErrorDomain 6")
        #expect(
            new.own.listener.received.events.dropFirst(2) == [
                "value 2A01 [4] nil", "value 2A01 [5] nil", "disconnected CBErrorDomain 6",
            ])
    }

    @Test("An app that waits for its die is launched by the connection", .covers("L1"))
    func connection() async throws {
        let bench = try await Bench()
        let app = try await bench.phone.launch(Watcher.self)
        try await app.own.listener.next("state 5")
        let die = try #require(app.own.central?.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        app.own.central?.connect(die)
        bench.phone.terminateApp(bySystem: true)
        try await bench.radio.changes.wait(for: "the phone to listen for the die") { bench.radio.isDiscovering }
        #expect(bench.phone.backgroundLaunches.events.isEmpty)
        bench.addDie()
        let new = try await launched(Watcher.self, on: bench)
        try await new.own.listener.next("connected")
        #expect(new.own.listener.received.events.first == "restored [\(bench.identifier)] 1")
        withExtendedLifetime(die) {}
    }

    @Test("A scan finds each peripheral once, and nothing if it names no service", .covers("L1", "C13"))
    func scan() async throws {
        for services in [[CBUUID(Bench.service)], nil] {
            let bench = try await Bench()
            let app = try await bench.phone.launch(Watcher.self)
            try await app.own.listener.next("state 5")
            app.own.central?.scanForPeripherals(
                withServices: services, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
            try await bench.radio.changes.wait(for: "the phone to scan") { bench.radio.isDiscovering }
            bench.phone.terminateApp(bySystem: true)
            bench.addDie()
            bench.addDie { $0.advertisement.name = "Die 8" }
            try await bench.phone.log.wait(for: "the phone to hear the die twice") {
                bench.phone.log.events.count { if case .radio(.advertisement) = $0.kind { true } else { false } } >= 2
            }
            guard services != nil else {
                let reason = "the scan names no service, as a scan in the background must"
                try await bench.settle()
                #expect(bench.phone.bluetooth.nearMisses.contains { $0.reasons == [reason] })
                #expect(bench.phone.backgroundLaunches.events.isEmpty)
                continue
            }
            let new = try await launched(Watcher.self, on: bench)
            try await new.own.listener.next("discovered Die 7")
            #expect(new.own.central?.isScanning == true)
            #expect(new.own.listener.advertised.events.count == 1)
        }
    }

    @Test("An app without a restore identifier is not launched, and its link ends", .covers("L1"))
    func forgetful() async throws {
        let (bench, _) = try await stand(Forgetful.self) { $0.own }
        bench.phone.terminateApp(bySystem: true)
        try await bench.radio.changes.wait(for: "the link to end") { bench.radio.connected.isEmpty }
        #expect(bench.phone.bluetooth.restoreNames(of: Forgetful.bundle.identifier).isEmpty)
    }

    // MARK: Time in the background

    @Test("It runs for about 10 s in the background, is suspended, and woken by the next value", .covers("L1", "C13"))
    func time() async throws {
        let (bench, _) = try await stand(Watcher.self) { $0.own }
        bench.phone.terminateApp(bySystem: true)
        roll(6, bench)
        let new = try await launched(Watcher.self, on: bench)
        let clock = try #require(bench.phone.clock as? ManualClock)
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(4))
        #expect(bench.phone.app?.backgroundTimeLeft == .seconds(6))
        clock.advance(by: .seconds(6))
        try await bench.phone.log.wait(for: "the app to be suspended") { bench.phone.app?.isSuspended == true }
        #expect(bench.phone.app?.backgroundTimeLeft == nil)
        roll(3, bench)
        try await bench.phone.log.wait(for: "the app to be awake") { bench.phone.app?.isSuspended == false }
        #expect(bench.phone.app?.isInForeground == false)
        bench.phone.resumeApp()
        #expect(bench.phone.app?.isInForeground == true && bench.phone.app?.backgroundTimeLeft == nil)
        withExtendedLifetime(new) {}
    }

    // MARK: Restart

    @Test("Before the phone is unlocked nothing is launched; without a passcode it is at once", .covers("L5"))
    func locked() async throws {
        for hasPasscode in [true, false] {
            let (bench, _) = try await stand(Watcher.self) { $0.own }
            bench.phone.policy.launches.hasPasscode = hasPasscode
            await bench.phone.restart(unlocks: false)
            try await bench.radio.changes.wait(for: "the phone to connect again") {
                bench.radio.connected == [Bench.address]
            }
            if hasPasscode {
                try await bench.phone.log.wait(for: "the phone to say why not") {
                    bench.phone.log.events.contains {
                        if case .app(_, let what) = $0.kind {
                            what.contains("before the phone is unlocked")
                        } else {
                            false
                        }
                    }
                }
                #expect(bench.phone.app == nil && bench.phone.backgroundLaunches.events.isEmpty)
                bench.phone.unlock()
            }
            let new = try await launched(Watcher.self, on: bench)
            try await new.own.listener.next("connected")
            #expect(new.own.listener.received.events.prefix(2) == ["restored [\(bench.identifier)] 1", "state 5"])
        }
    }

    @Test("By the other policy, the end of the link launches the app, which has to connect itself", .covers("L5"))
    func lostLinks() async throws {
        let (bench, _) = try await stand(Watcher.self) { $0.own }
        bench.phone.policy.launches.lostLinks = .launchesApp
        await bench.phone.restart()
        let new = try await launched(Watcher.self, on: bench)
        try await new.own.listener.next("disconnected CBErrorDomain 7")
        #expect(new.own.listener.received.events.first == "restored [\(bench.identifier)] 2")
        #expect(bench.radio.connected.isEmpty)
    }

    @Test("Bluetooth that goes off unannounced ends everything, as a switch in Settings does", .covers("L3"))
    func unannounced() async throws {
        let (bench, _) = try await stand(Watcher.self) { $0.own }
        await bench.phone.switchBluetooth(false, in: .controlCenter)
        await bench.phone.switchBluetooth(true, in: .controlCenter)
        bench.phone.terminateApp(bySystem: true)
        try await bench.radio.setBluetoothPower(false)
        try await bench.settle()
        #expect(bench.phone.bluetooth.restoreNames(of: Watcher.bundle.identifier).isEmpty)
    }

    // MARK: Deletion

    @Test("A deleted app has nothing left: accessories, bonds, permissions, attempts to connect", .covers("L6"))
    func deletion() async throws {
        let (bench, _) = try await stand(Watcher.self) { $0.own }
        _ = try await bench.radio.pair(Bench.address)
        bench.phone.terminateApp(bySystem: true)
        await bench.phone.deleteApp(Watcher.bundle.identifier)
        #expect(bench.phone.store.accessories(of: Watcher.bundle.identifier).isEmpty && bench.radio.bonds.isEmpty)
        try await bench.radio.changes.wait(for: "the link to end") { bench.radio.connected.isEmpty }
        #expect(bench.phone.bluetooth.restoreNames(of: Watcher.bundle.identifier).isEmpty)

        _ = try await bench.phone.launch(OpenWatcher.self)
        try await bench.phone.log.wait(for: "the person to answer") {
            bench.phone.store.mayUseBluetooth(OpenWatcher.bundle.identifier) == true
        }
        await bench.phone.deleteApp(OpenWatcher.bundle.identifier)
        #expect(bench.phone.app == nil && bench.phone.store.mayUseBluetooth(OpenWatcher.bundle.identifier) == nil)
        let questions = bench.phone.shownScreens.count { $0.kind == .bluetoothPermission }
        _ = try await bench.phone.launch(OpenWatcher.self)
        try await bench.phone.log.wait(for: "the person to be asked again") {
            bench.phone.shownScreens.count { $0.kind == .bluetoothPermission } == questions + 1
        }
    }

    @Test("The policy keeps the accessories of a deleted app", .covers("L6"))
    func keptAccessories() async throws {
        let (bench, _) = try await stand(Watcher.self) { $0.own }
        bench.phone.policy.launches.deletionRemovesAccessories = false
        await bench.phone.deleteApp(Watcher.bundle.identifier)
        #expect(bench.phone.store.accessories(of: Watcher.bundle.identifier).count == 1)
    }

    // MARK: Mistakes

    @Test("An accessory that is removed while its app does not run launches nothing", .covers("L1"))
    func removal() async throws {
        let (bench, _) = try await stand(Watcher.self) { $0.own }
        bench.phone.terminateApp(bySystem: true)
        bench.phone.store.remove(bench.identifier, from: Watcher.bundle.identifier)
        try await bench.radio.changes.wait(for: "the link to end") { bench.radio.connected.isEmpty }
        #expect(bench.phone.backgroundLaunches.events.isEmpty && bench.phone.app == nil)
        let opened = try await bench.phone.launch(Watcher.self)
        try await opened.own.listener.next("state 4")
        #expect(opened.own.listener.received.events.first == "restored [] -1")
    }

    @Test("A launch that fails is a warning, and the phone goes on without the app", .covers("L1"))
    func failure() async throws {
        struct Broken: Error {}
        final class Failing: AppUnderTest {
            static let bundle = Bench.App.bundle
            static let isBroken = Mutex(false)
            let own = OwnCentral()
            init() throws { if Self.isBroken.withLock({ $0 }) { throw Broken() } }
        }
        let (bench, _) = try await stand(Failing.self) { $0.own }
        Failing.isBroken.withLock { $0 = true }
        bench.phone.terminateApp(bySystem: true)
        roll(6, bench)
        let found = try await bench.phone.backgroundLaunches.first(
            within: .seconds(300), waitingFor: "the failed launch"
        ) { _ in true }
        #expect(throws: Broken.self) { _ = try found.event.app.get() }
        try await bench.phone.log.wait(for: "the app to be gone") { bench.phone.app == nil }
        #expect(bench.phone.warnings.contains { $0.rule == "L1" })
    }

    @Test("A phone that is off launches nothing", .covers("L1"))
    func off() async throws {
        let (bench, _) = try await stand(Watcher.self) { $0.own }
        bench.phone.terminateApp(bySystem: true)
        bench.phone.switchOff()
        try await bench.radio.changes.wait(for: "the link to end") { bench.radio.connected.isEmpty }
        #expect(bench.phone.app == nil && bench.phone.backgroundLaunches.events.isEmpty)
    }

    @Test("A restore identifier without the background mode ends the app", .covers("L2"))
    func mode() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let bench = try await Bench(isAuthorized: false)
            _ = try await bench.phone.launch(BackgroundTests.AsleepApp.self)
            _ = bench.phone.asCurrent { OwnCentral() }
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.contains("L2 State restoration of CBCentralManager is only allowed"))
    }

    // MARK: The application's delegate

    @Test("The delegate hears of the launch with its reason, and of each move", .covers("L4"))
    func delegate() async {
        await #expect(processExitsWith: .success) {
            let bench = try await Bench()
            bench.phone.becomeCurrent()
            bench.addDie()
            let app = try await bench.phone.launch(DelegateApp.self)
            try await app.own.subscribe(to: bench.identifier)
            bench.phone.suspendApp()
            try await app.heard.wait(for: "the app to hear of the background") { app.heard.events.count == 3 }
            bench.phone.resumeApp()
            try await app.heard.wait(for: "the app to hear of the foreground") { app.heard.events.count == 5 }
            let heard = app.heard.events
            precondition(
                heard == ["launched [] active", "active", "background", "foreground", "active"], "\(heard)")
            bench.phone.terminateApp(bySystem: true)
            bench.radio.notify(Data([6]), from: Bench.roll.id, of: Bench.address)
            let found = try await bench.phone.backgroundLaunches.first(
                within: .seconds(300), waitingFor: "a launch"
            ) { _ in true }
            let again = try found.event.app.get() as! DelegateApp
            let first = again.heard.events
            precondition(first == ["launched [\"dice\"] background"], "\(first)")
            try await again.own.listener.next("state 5")
        }
    }
}

/// An app whose only object is its delegate, as Xcode's template makes it.
@MainActor
final class DelegateApp: UIResponder, UIApplicationDelegate, AppUnderTest {
    nonisolated static let bundle = Bench.App.bundle
    let heard = EventLog<String>()
    private var central: LaunchTests.OwnCentral?
    var own: LaunchTests.OwnCentral { central! }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        heard.append(
            "launched \(launchOptions?[.bluetoothCentrals] as? [String] ?? []) \(application.applicationState)")
        central = LaunchTests.OwnCentral()
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { heard.append("active") }
    func applicationDidEnterBackground(_ application: UIApplication) { heard.append("background") }
    func applicationWillEnterForeground(_ application: UIApplication) { heard.append("foreground") }
}

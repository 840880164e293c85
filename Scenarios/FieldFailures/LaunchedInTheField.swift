import CoreBluetooth
import HIL

/// An app that the system ends overnight. Without a restore identifier its link ends with it, and nothing brings it back.
///
/// Report: https://github.com/ryanbr/noop/pull/1215
let endedAppIsLaunchedForItsLamp = Scenario(
    "A value of its lamp launches an app that the system has ended", .tags("field"), .covers("L1", "L4"),
    over: AppVersion.axis
) { lab, version in
    let (lamp, app, _) = try await lab.connectedWatch(version == .broken ? .forgetful : .prompt)
    lab.phone.suspendApp()
    lab.phone.terminateApp(bySystem: true)
    if version == .broken {
        try await lab.step("lose the link", within: .seconds(10)) { try await lamp.events.next(.disconnected) }
    } else {
        try await lamp.notify([60], of: "FF01")
    }
    try await lab.expect(version, "the app is launched") {
        try await lab.phone.launches(WatchingApp.self, within: .seconds(3))
    }
    lab.expect(app.watch?.events.contains(.event(.value(Data([60])))), equals: false, "the ended app hears nothing")
    guard version == .mended else { return }
    let launched = try await lab.phone.launched(WatchingApp.self)
    let watch = try lab.require(launched.watch, "the app has made its central manager")
    try await lab.step("hear what was missed", within: .seconds(5)) {
        try await watch.events.next(.event(.value(Data([60]))))
    }
    lab.expect(
        watch.events.events.prefix(3), equals: [.restored([.connected]), .on, .value(Data([60]))],
        "first it is restored, then Bluetooth is on, then comes what it has missed")
    lab.expect(launched.launchedFor, equals: ["lamps"], "it knows which manager it was launched for")
    lab.expect(launched.stateAtLaunch, equals: .background, "it is in the background")
    lab.expect((0...10).contains(launched.timeAtLaunch), "and has some seconds")
}

/// An app that makes its central manager when its first screen appears: in the background there is none, and what launched
/// the app waits until the person opens it.
///
/// Report: https://github.com/Navideck/universal_ble/pull/247
let launchedAppMakesItsManager = Scenario(
    "An app that was launched in the background makes its manager at once, and hears its lamp", .tags("field"),
    .covers("L1", "L4"), over: AppVersion.axis
) { lab, version in
    let (lamp, _, _) = try await lab.connectedWatch(version == .broken ? .late : .prompt)
    lab.phone.policy.backgroundTime = .seconds(2)
    lab.phone.terminateApp(bySystem: true)
    try await lamp.notify([60], of: "FF01")
    let app = try await lab.step("be launched", within: .seconds(5)) {
        try await lab.phone.launched(WatchingApp.self)
    }
    try await lab.expect(version, "the app hears the value in the background") {
        try await app.watch?.hears(.value(Data([60])), within: .seconds(2)) ?? false
    }
    try await lab.becomes("the app is suspended", within: .seconds(5)) { lab.phone.app?.isSuspended == true }
    lab.phone.resumeApp()
    try await lab.becomes("the app has a manager when the person opens it", within: .seconds(5)) { app.watch != nil }
    let watch = try lab.require(app.watch, "the app has made its central manager")
    _ = try await watch.events.first(.event(.value(Data([60]))), since: .start, within: .seconds(5))
}

/// An app that the system ends while it waits for its accessory. The restored peripheral is connecting, and the broken app
/// goes on only with one that is connected: it lets go of the peripheral, and so of the attempt.
///
/// Report: https://github.com/LoopKit/CGMBLEKit/issues/75
let waitingAppIsLaunchedAndConnects = Scenario(
    "An app that the system has ended while it waited is launched when its lamp comes, and goes on", .tags("field"),
    .covers("L1", "C20"), over: AppVersion.axis
) { lab, version in
    let (lamp, app, identifier) = try await lab.watchedLamp(version == .broken ? .impatient : .prompt)
    let mark = lab.phone.log.mark
    try await lamp.powerOff()
    // The link of the picker is still there until the phone has noticed.
    try await lab.step("lose the link", within: .seconds(15)) {
        try await lab.phone.log.next(.disconnected, since: mark)
    }
    let waiting = try lab.require(app.watch, "the app watches its lamp")
    try await waiting.begin(with: identifier)
    lab.phone.terminateApp(bySystem: true)
    let again = try await lab.accessory.powerOn(.lamp())
    let launched = try await lab.step("be launched", within: .seconds(15)) {
        try await lab.phone.launched(WatchingApp.self)
    }
    let watch = try lab.require(launched.watch, "the app has made its central manager")
    _ = try await watch.events.first(.event(.restored([.connecting])), since: .start, within: .seconds(5))
    try await lab.expect(version, "the app hears its lamp") {
        guard try await watch.hears(.subscribed) else { return false }
        try await again.notify([70], of: "FF01")
        return try await watch.hears(.value(Data([70])))
    }
}

/// The person swipes the app away. From iOS 26 on, an app that has set up its accessory with AccessorySetupKit comes back by
/// itself; any other waits for the person.
///
/// Report: https://github.com/innoveit/react-native-ble-manager/issues/1386
let forceQuitAppComesBack = Scenario(
    "An app that the person has swiped away is launched by its lamp, because AccessorySetupKit set it up",
    .tags("field"), .covers("L3"), over: AppVersion.axis
) { lab, version in
    if version == .mended {
        let (lamp, _, _) = try await lab.connectedWatch()
        lab.phone.forceQuitApp()
        try await lamp.notify([60], of: "FF01")
        try await lab.expect(version, "the app comes back") {
            try await lab.phone.launched(WatchingApp.self, within: .seconds(5)).watch?.hears(.value(Data([60])))
                ?? false
        }
    } else {
        let lamp = try await lab.accessory.powerOn(.lamp())
        let app = try await lab.phone.launch(OpenWatchingApp.self)
        let identifier = lab.phone.identifiers.identifier(of: lamp.address)
        try await lab.step("subscribe", within: .seconds(10)) {
            try await app.watch.begin(with: identifier)
            try await app.watch.events.next(.event(.subscribed))
        }
        lab.phone.forceQuitApp()
        try await lab.step("lose the link", within: .seconds(10)) { try await lamp.events.next(.disconnected) }
        try await lab.expect(version, "the app comes back") {
            try await lab.phone.launches(OpenWatchingApp.self, within: .seconds(3))
        }
        let opened = try await lab.phone.launch(OpenWatchingApp.self)
        try await opened.watch.events.next(.event(.on), within: .seconds(5))
        lab.expect(opened.watch.events.events, equals: [.on], "nothing is restored when the person opens it")
    }
}

/// An app that scans for all peripherals, which finds nothing in the background: it has to name its services.
///
/// Report: https://github.com/steamclock/bluejay/issues/51
let endedAppFindsItsLamp = Scenario(
    "A scan of an app that the system has ended finds its lamp, because it names a service", .tags("field", .discovery),
    .covers("L1", "C13"), over: AppVersion.axis
) { lab, version in
    let (lamp, app, _) = try await lab.watchedLamp()
    try await lamp.powerOff()
    let scanning = try lab.require(app.watch, "the app watches its lamp")
    try await scanning.scan(for: version == .broken ? nil : [CBUUID(string: GadgetApp.service)])
    lab.phone.terminateApp(bySystem: true)
    let mark = lab.phone.log.mark
    try await lab.accessory.powerOn(.lamp())
    try await lab.expect(version, "the app is launched and finds its lamp") {
        do {
            let launched = try await lab.phone.launched(WatchingApp.self, within: .seconds(4))
            return try await launched.watch?.hears(.found) ?? false
        } catch is TimedOut { return false }
    }
    lab.expect(lab.phone.log.contains(.advertisement, since: mark), "the phone has heard the lamp")
}

/// An app that makes the phone a peripheral, and that the system ends. Without a restore identifier its services are gone.
///
/// Report: https://github.com/juliansteenbakker/flutter_ble_peripheral/pull/322
let endedPublisherAnswers = Scenario(
    "A read by its lamp launches an app that the system has ended, and the app answers", .tags("field"),
    .covers("L7", "C8"), over: AppVersion.axis
) { lab, version in
    _ = try await lab.phone.launch(OpenGadgetApp.self)
    UserDefaults.standard.set(version == .mended, forKey: "restores")
    let app = try await lab.phone.launch(PublishingGadgetApp.self)
    try await lab.step("publish", within: .seconds(10)) { try await app.publishing.publish() }
    let lamp = try await lab.accessory.powerOn(.lamp())
    try await lab.step("connect", within: .seconds(20)) { try await lamp.connect(toPhoneWith: PublishingApp.service) }
    lab.expect(try await lamp.readPhone("FF21"), equals: Data([7]), "the app answers while it runs")
    lab.phone.terminateApp(bySystem: true)
    try await lab.expect(version, "the lamp reads the value of the ended app") {
        do { return try await lamp.readPhone("FF21") == Data([7]) } catch is RadioError { return false }
    }
    guard version == .mended else { return }
    let launched = try await lab.phone.launched(PublishingGadgetApp.self)
    lab.expect(
        launched.publishing.events.events.prefix(2), equals: [.restored([PublishingApp.service]), .state(.poweredOn)],
        "the app was restored first")
}

/// An app that asks for restoration and whose Info.plist lacks the background mode.
///
/// Report: https://github.com/Navideck/universal_ble/issues/254
let restorationNeedsBackgroundMode = Scenario(
    "A restore identifier without the background mode for it ends the app", .tags("field"), .covers("L2"),
    .crashes(because: "is only allowed for applications that have specified the \"bluetooth-central\" background mode")
) { lab in
    _ = try await lab.phone.launch(AsleepApp.self)
    _ = CentralProbe(restoreName: "lamps")
}

/// An app that nothing wakes in the background.
private final class AsleepApp: AppUnderTest {
    static var bundle: AppBundle {
        let folder = GadgetApp.bundle.resources
        return AppBundle(identifier: "com.example.asleep", infoPlist: "\(folder)/Asleep.plist", resources: folder)
    }

    init() async throws {}
}

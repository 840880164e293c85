import AccessorySetupKit
import CoreBluetooth
import HIL

/// The part of an app that watches a lamp's brightness, also after the system has launched the app in the background.
final class LampWatch: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    // Unchecked because Core Bluetooth's objects are not Sendable, as on iOS. The queue is the main one, as is the scenario.
    enum Event: Sendable, Equatable {
        case on, found, connected, disconnected, subscribed
        /// How the restored peripherals are connected.
        case restored([CBPeripheralState])
        case value(Data)
    }

    let events = EventLog<Event>()
    private let kept: Set<CBPeripheralState>
    private var manager: CBCentralManager?
    private var peripherals: [CBPeripheral] = []

    /// - Parameters:
    ///   - restoreName: The restore identifier; nil for none.
    ///   - kept: Which restored peripherals it goes on with.
    init(restoreName: String?, keeping kept: Set<CBPeripheralState> = [.connected, .connecting]) {
        self.kept = kept
        super.init()
        let options = restoreName.map { [CBCentralManagerOptionRestoreIdentifierKey: $0] }
        manager = CBCentralManager(delegate: self, queue: nil, options: options)
    }

    /// Connects, or waits for the lamp to be there, and subscribes to its brightness.
    @MainActor
    func begin(with identifier: UUID) async throws {
        try await events.next(.event(.on))
        guard let lamp = manager?.retrievePeripherals(withIdentifiers: [identifier]).first else {
            throw CBError(.unknownDevice)
        }
        keep(lamp)
        manager?.connect(lamp)
    }

    @MainActor
    func scan(for services: [CBUUID]?) async throws {
        try await events.next(.event(.on))
        manager?.scanForPeripherals(withServices: services)
    }

    private func keep(_ lamp: CBPeripheral) {
        peripherals.append(lamp)
        lamp.delegate = self
    }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        let restored = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
        events.append(.restored(restored.map(\.state)))
        for lamp in restored where kept.contains(lamp.state) { keep(lamp) }
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { events.append(.on) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) { events.append(.found) }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        events.append(.connected)
        peripheral.discoverServices(nil)
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        events.append(.disconnected)
        central.connect(peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        for brightness in service.characteristics ?? [] where brightness.uuid == CBUUID(string: "FF01") {
            peripheral.setNotifyValue(true, for: brightness)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { if error == nil { events.append(.subscribed) } }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { events.append(.value(characteristic.value ?? Data())) }
}

/// The app with a lamp that was set up by AccessorySetupKit, as it watches the lamp. Its user defaults say how it is written,
/// so that its next launch does the same.
@MainActor
final class WatchingApp: UIResponder, UIApplicationDelegate, AppUnderTest {
    enum Style: String {
        /// It has no restore identifier.
        case forgetful
        /// It makes its central manager when its first screen appears.
        case late
        /// It goes on with restored peripherals that are connected, and not with those that are connecting.
        case impatient
        /// It makes its central manager at its launch.
        case prompt
    }

    nonisolated static var bundle: AppBundle { GadgetApp.bundle }

    /// What its next launches do.
    static func write(in style: Style) { UserDefaults.standard.set(style.rawValue, forKey: "style") }

    private(set) var watch: LampWatch?
    /// The restore identifiers that the phone has launched it for.
    private(set) var launchedFor: [String] = []
    private(set) var timeAtLaunch = TimeInterval.zero
    private(set) var stateAtLaunch = UIApplication.State.inactive

    private var style: Style { UserDefaults.standard.string(forKey: "style").flatMap(Style.init) ?? .prompt }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        launchedFor = launchOptions?[.bluetoothCentrals] as? [String] ?? []
        (timeAtLaunch, stateAtLaunch) = (application.backgroundTimeRemaining, application.applicationState)
        if style != .late { makeWatch() }
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { makeWatch() }

    private func makeWatch() {
        guard watch == nil else { return }
        watch = LampWatch(
            restoreName: style == .forgetful ? nil : "lamps",
            keeping: style == .impatient ? [.connected] : [.connected, .connecting])
    }
}

/// The same app without AccessorySetupKit.
@MainActor
final class OpenWatchingApp: AppUnderTest {
    nonisolated static var bundle: AppBundle { OpenGadgetApp.bundle }
    let watch = LampWatch(restoreName: "lamps")

    init() async throws {}
}

extension Lab {
    /// Switches a lamp on, lets the person set it up, and launches the app that watches it.
    func watchedLamp(
        _ style: WatchingApp.Style = .prompt
    ) async throws -> (lamp: RunningPeripheral, app: WatchingApp, identifier: UUID) {
        let lamp = try await accessory.powerOn(.lamp())
        let setup = try await phone.launch(GadgetApp.self)
        WatchingApp.write(in: style)
        phone.person.will(.pick("Lamp 7"))
        let accessory = try await step("pick", within: .seconds(10)) { try await setup.add() }
        let identifier = try require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
        return (lamp, try await phone.launch(WatchingApp.self), identifier)
    }

    /// The same, connected and subscribed to the lamp's brightness.
    func connectedWatch(
        _ style: WatchingApp.Style = .prompt
    ) async throws -> (lamp: RunningPeripheral, app: WatchingApp, identifier: UUID) {
        let (lamp, app, identifier) = try await watchedLamp(style)
        let watch = try require(app.watch, "the app watches its lamp")
        try await step("subscribe", within: .seconds(10)) {
            try await watch.begin(with: identifier)
            try await watch.events.next(.event(.subscribed))
        }
        return (lamp, app, identifier)
    }
}

extension LampWatch {
    /// Whether the app hears something within a time.
    func hears(_ event: Event, within limit: Duration = .seconds(5)) async throws -> Bool {
        do {
            try await events.next(.event(event), within: limit)
            return true
        } catch is TimedOut { return false }
    }
}

import AccessorySetupKit
import CoreBluetooth
import HILPhone
import HILTiming
import HostRadio
import RadioModel
import TestSupport
import Testing

/// The version of the dice app before AccessorySetupKit, which asks for all of Bluetooth.
private final class OldTestApp: NSObject, AppUnderTest, CBCentralManagerDelegate, @unchecked Sendable {
    // Unchecked because CoreBluetooth calls it on only one queue, and it only writes to a log.
    static let bundle = AppBundle(
        identifier: DiceTestApp.bundle.identifier, infoPlist: fixture("DiceApp") + "/Before.plist",
        resources: fixture("DiceApp"))

    /// The states and the discovered identifiers, in order.
    let heard = EventLog<String>()
    private(set) var central: CBCentralManager?

    override required init() {
        super.init()
        central = CBCentralManager(delegate: self, queue: DispatchQueue(label: "old app"))
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        heard.append("\(central.state)")
        if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        heard.append(peripheral.identifier.uuidString)
    }

    func next(from start: Int) async throws -> String {
        try await heard.first(from: start, within: .seconds(300), waitingFor: "an event of CoreBluetooth").event
    }
}

/// An app whose Info.plist has no usage description for Bluetooth.
private final class UnexplainedApp: AppUnderTest {
    static let bundle = AppBundle(
        identifier: "com.example.unexplained", infoPlist: fixture("DiceApp") + "/App.entitlements",
        resources: fixture("DiceApp"))
}

/// An app without AccessorySetupKit asks the person for all of Bluetooth. Rule C1 makes this prompt unnecessary, and
/// the identifiers for a migration (M4) come from such an app.
@Suite(.timeLimit(.minutes(1))) struct PermissionTests {
    @Test("With permission all devices in range are found, and the person is asked only once", .covers("C1", "M4"))
    func allowed() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        let old = try await stand.phone.launch(OldTestApp.self)
        #expect(try await old.next(from: 0) == "poweredOn")
        let identifier = try #require(UUID(uuidString: try await old.next(from: 1)))
        #expect(
            old.central?.retrievePeripherals(withIdentifiers: [identifier, UUID()]).map(\.identifier) == [identifier])
        #expect(stand.phone.asCurrent { CBManager.authorization } == .allowedAlways)
        let prompt = try #require(stand.phone.shownScreens.first)
        #expect(prompt.title == "“Dice” Would Like to Use Bluetooth", "the prompt shows the display name")
        #expect(prompt.kind == .bluetoothPermission && prompt.lines == ["Dice reads your rolls by Bluetooth."])
        let again = try await stand.phone.launch(OldTestApp.self)
        #expect(try await again.next(from: 0) == "poweredOn")
        #expect(stand.phone.shownScreens.count == 1)

        // The next version uses AccessorySetupKit: the permission no longer counts, and the die is migrated.
        _ = try await stand.phone.launch(DiceTestApp.self)
        let session = stand.session()
        let item = ASMigrationDisplayItem(
            name: "Old Die", productImage: try stand.picture(), descriptor: try stand.item().descriptor)
        item.peripheralIdentifier = identifier
        try await session.showPicker(for: [item])
        #expect(session.accessories.map(\.bluetoothIdentifier) == [identifier])
    }

    @Test("Without permission the state is unauthorized, also after the next launch", .covers("C1"))
    func refused() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        stand.phone.person.will(.deny)
        for _ in 1...2 {
            let old = try await stand.phone.launch(OldTestApp.self)
            #expect(try await old.next(from: 0) == "unauthorized")
            #expect(old.central?.retrievePeripherals(withIdentifiers: [UUID()]).isEmpty == true)
        }
        #expect(stand.phone.asCurrent { CBManager.authorization } == .denied)
        #expect(stand.phone.shownScreens.count == 1)
        #expect(stand.phone.allowWhatWasRefused())
        #expect(stand.phone.app == nil, "iOS ends an app whose permission changes")
        let old = try await stand.phone.launch(OldTestApp.self)
        #expect(try await old.next(from: 0) == "poweredOn")
    }

    @Test("Before the person answers, the app gets no state; when the app ends, the prompt is removed", .covers("C1"))
    func unanswered() async throws {
        let stand = try await SetupStand()
        stand.phone.person.isWilling = false
        let old = try await stand.phone.launch(OldTestApp.self)
        try await stand.screen(.bluetoothPermission)
        #expect(old.central?.state == .unknown && old.heard.count == 0)
        #expect(stand.phone.asCurrent { CBManager.authorization } == .notDetermined)
        let start = stand.phone.log.count
        stand.phone.terminateApp()
        _ = try await stand.phone.log.first(from: start, within: .seconds(300), waitingFor: "the question's end") {
            if case .screen(nil) = $0.kind { true } else { false }
        }
        #expect(stand.phone.store.mayUseBluetooth(OldTestApp.bundle.identifier) == nil)
    }

    @Test("An app without a usage description for Bluetooth is ended", .covers("C1"))
    func unexplained() async {
        let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
            let phone = Phone(radio: InMemoryRadio())
            _ = try await phone.launch(UnexplainedApp.self)
            _ = phone.asCurrent { CBCentralManager(delegate: nil, queue: nil) }
        }
        let reason = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(reason.contains("hil-app-crash: C1 ") && reason.contains("NSBluetoothAlwaysUsageDescription"))
    }
}

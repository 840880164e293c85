import Eventually
import HostRadio
import RadioModel
import RuleCoverage
import Testing

@testable import CoreBluetooth
@testable import HILPhone

@Suite("State that outlives an app", .timeLimit(.minutes(1)))
struct RestorationTests {
    private static let options = [CBCentralManagerOptionRestoreIdentifierKey: "dice"]

    /// A die whose rolls an app is subscribed to.
    private func subscribedDie(_ bench: Bench) async throws -> (CBCentralManager, Listener, CBPeripheral) {
        bench.addDie()
        let (central, listener) = try await bench.central(options: Self.options)
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        peripheral.delegate = listener
        central.connect(peripheral)
        try await listener.next("connected")
        peripheral.discoverServices(nil)
        try await listener.next("services nil")
        let service = try #require(peripheral.services?.first)
        peripheral.discoverCharacteristics(nil, for: service)
        try await listener.next("characteristics 3 nil")
        peripheral.setNotifyValue(true, for: try peripheral.found(Bench.roll))
        try await listener.next("notifying 2A01 true nil")
        return (central, listener, peripheral)
    }

    @Test(
        "A restored peripheral has its services, characteristics and subscriptions, and values come without a discovery",
        .covers("C20"))
    func contents() async throws {
        let bench = try await Bench()
        let (_, old, gone) = try await subscribedDie(bench)
        bench.phone.terminateApp(bySystem: true)
        _ = try await bench.phone.launch(Bench.App.self)
        let (central, listener) = try await bench.central(options: Self.options)
        let restored = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        #expect(restored !== gone && restored.state == .connected)
        #expect(restored.services?.map(\.uuid.value) == [Bench.service])
        #expect(restored.services?.first?.characteristics?.count == 3)
        #expect(try restored.found(Bench.roll).isNotifying)
        #expect(try !restored.found(Bench.owner).isNotifying)
        #expect(restored.services?.first?.includedServices == nil, "they were not discovered")
        #expect(try restored.found(Bench.roll).descriptors == nil, "nor were these")
        restored.delegate = listener
        bench.radio.notify(Data([6]), from: Bench.roll.id, of: Bench.address)
        try await listener.next("value 2A01 [6] nil")
        #expect(!old.received.events.contains("value 2A01 [6] nil"), "the app that was ended hears nothing")
        #expect(bench.phone.warnings.isEmpty)
    }

    @Test("What was discovered over a link that has ended is not restored", .covers("C20"))
    func otherLink() async throws {
        let bench = try await Bench()
        let (central, listener, peripheral) = try await subscribedDie(bench)
        central.cancelPeripheralConnection(peripheral)
        try await listener.next("disconnected nil")
        central.connect(peripheral)
        try await listener.next("connected")
        bench.phone.terminateApp(bySystem: true)
        _ = try await bench.phone.launch(Bench.App.self)
        let (next, _) = try await bench.central(options: Self.options)
        let restored = try #require(next.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        #expect(restored.state == .connected && restored.services == nil)
    }
}

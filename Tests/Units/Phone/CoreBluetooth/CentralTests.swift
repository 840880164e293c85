import RadioModel
import TestSupport
import Testing

@testable import CoreBluetooth
@testable import HILPhone

@Suite("CBCentralManager")
struct CentralTests {
    @Test("Powered on only with an accessory and with Bluetooth on; changes are reported", .covers("C1"))
    func state() async throws {
        let bench = try await Bench(isAuthorized: false)
        let (central, listener) = try await bench.central(.poweredOff)
        bench.authorize()
        try await listener.next("state 5")
        #expect(central.state == .poweredOn)
        try await bench.radio.setBluetoothPower(false)
        try await listener.next("state 4")
        try await bench.radio.setBluetoothPower(true)
        try await listener.next("state 5")
        bench.phone.store.remove(bench.identifier, from: Bench.App.bundle.identifier)
        try await listener.next("state 4")
        #expect(bench.phone.bluetooth.hasCentral(try #require(bench.phone.app)))
    }

    @Test("A scan reports only the authorised accessory, and again only when its advertisement changes", .covers("C2"))
    func scan() async throws {
        let bench = try await Bench()
        bench.addDie()
        let stranger = try #require(DeviceAddress("9C:5A:81:00:00:02"))
        bench.radio.add(.init(Advertisement(address: stranger, name: "Die 8", serviceUUIDs: [Bench.service])))
        let (central, listener) = try await bench.central()
        central.scanForPeripherals(withServices: [CBUUID(Bench.service)])
        try await listener.next("discovered Die 7")
        bench.addDie()
        bench.addDie { $0.advertisement.name = "Seven" }
        try await listener.next("discovered Seven")
        #expect(
            listener.received.events.filter { $0.hasPrefix("discovered") } == ["discovered Die 7", "discovered Seven"])

        let discovery = try #require(listener.advertised.events.first)
        #expect(discovery.peripheral.identifier == bench.identifier)
        #expect(discovery.rssi == -40)
        #expect(discovery.data[CBAdvertisementDataLocalNameKey] as? String == "Die 7")
        #expect(discovery.data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [CBUUID(Bench.service)])
        #expect(discovery.data[CBAdvertisementDataManufacturerDataKey] as? Data == Data([0x4C, 0x00, 7]))
        #expect(central.isScanning)
        central.stopScan()
        #expect(!central.isScanning)
    }

    @Test("A scan that allows duplicates reports every advertisement", .covers("C2"))
    func scanWithDuplicates() async throws {
        let bench = try await Bench()
        let (central, listener) = try await bench.central()
        central.scanForPeripherals(withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        try await bench.radio.changes.wait(for: "discovery to start") { bench.radio.isDiscovering }
        for _ in 0..<3 {
            bench.addDie()
            try await listener.next("discovered Die 7")
        }
    }

    @Test(
        "An authorised identifier gives the same object each time; before the first state it gives nothing",
        .covers("C3"))
    func retrieve() async throws {
        let bench = try await Bench()
        let suspendedQueue = DispatchQueue(label: "suspended")
        suspendedQueue.suspend()
        let early = bench.phone.asCurrent { CBCentralManager(delegate: nil, queue: suspendedQueue) }
        #expect(early.retrievePeripherals(withIdentifiers: [bench.identifier]).isEmpty)
        suspendedQueue.resume()
        #expect(bench.phone.warnings.contains { $0.text.contains("API MISUSE") })
        let (central, _) = try await bench.central()
        let first = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        let second = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        #expect(first === second)
        #expect(first.name == "Die" && first.state == .disconnected)
    }

    @Test("An identifier that the app is not authorised for ends the app with a reason", .covers("C3"))
    func foreignIdentifier() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let bench = try await Bench()
            let (central, _) = try await bench.central()
            _ = central.retrievePeripherals(withIdentifiers: [UUID()])
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let crash = errors.split(separator: "\n").compactMap { AppCrash.parse(String($0)) }
        #expect(crash.map(\.rule) == ["C3"])
    }

    @Test("An attempt to connect waits as long as the accessory is silent", .covers("C4"))
    func noTimeout() async throws {
        let bench = try await Bench()
        let (central, listener) = try await bench.central()
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        central.connect(peripheral)
        #expect(peripheral.state == .connecting)
        // The in-memory radio fails at once. Then the phone waits for an advertisement.
        try await bench.radio.changes.wait(for: "discovery to start") { bench.radio.isDiscovering }
        bench.addDie()
        try await listener.next("connected")
        #expect(peripheral.state == .connected)
    }

    @Test("Connecting to an accessory that advertises but refuses connections fails", .covers("C4"))
    func unconnectable() async throws {
        let bench = try await Bench()
        bench.addDie { $0.isConnectable = false }
        let (central, listener) = try await bench.central()
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        central.connect(peripheral)
        // Discovery reports the device again for each try.
        try await listener.next("failed CBErrorDomain 10")
        #expect(peripheral.state == .disconnected)
    }

    @Test("A disconnection by the app, a lost link and a removal are reported as CoreBluetooth does", .covers("C6"))
    func ends() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (central, listener, peripheral) = try await bench.connectedDie()
        central.cancelPeripheralConnection(peripheral)
        try await listener.next("disconnected nil")
        #expect(peripheral.state == .disconnected && peripheral.services == nil)

        central.connect(peripheral)
        try await listener.next("connected")
        bench.radio.remove(Bench.address)
        try await listener.next("disconnected CBErrorDomain 6")

        bench.addDie()
        central.connect(peripheral)
        try await listener.next("connected")
        bench.phone.store.remove(bench.identifier, from: Bench.App.bundle.identifier)
        try await listener.next("disconnected CBErrorDomain 7")
        try await listener.next("state 4")
    }

    @Test("Releasing the last reference to a peripheral ends its connection, with a warning")
    func unusedPeripheral() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (central, listener) = try await bench.central()
        try await {
            let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
            central.connect(peripheral)
            try await listener.next("connected")
        }()
        try await bench.radio.changes.wait(for: "the link to end") { bench.radio.connected.isEmpty }
        #expect(bench.phone.warnings.contains { $0.text.contains("keep a reference") })
    }
}

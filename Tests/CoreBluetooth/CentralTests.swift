import Eventually
import RadioModel
import RuleCoverage
import Testing

@testable import CoreBluetooth
@testable import Phone

@Suite("CBCentralManager")
struct CentralTests {
    @Test("Powered on only with an accessory and with Bluetooth on, and told when that changes", .covers("C1"))
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

    @Test("A scan finds the authorised accessory and no other, once until it says something new", .covers("C2"))
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
        #expect(listener.told.events.filter { $0.hasPrefix("discovered") } == ["discovered Die 7", "discovered Seven"])

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

    @Test("A scan that allows duplicates tells every advertisement", .covers("C2"))
    func scanWithDuplicates() async throws {
        let bench = try await Bench()
        let (central, listener) = try await bench.central()
        central.scanForPeripherals(withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        try await eventually("the radio to look") { bench.radio.isDiscovering }
        for _ in 0..<3 {
            bench.addDie()
            try await listener.next("discovered Die 7")
        }
    }

    @Test("An authorised identifier is found, as one object; before the state is told nothing is", .covers("C3"))
    func retrieve() async throws {
        let bench = try await Bench()
        let still = DispatchQueue(label: "still")
        still.suspend()
        let early = bench.phone.asCurrent { CBCentralManager(delegate: nil, queue: still) }
        #expect(early.retrievePeripherals(withIdentifiers: [bench.identifier]).isEmpty)
        still.resume()
        #expect(bench.phone.warnings.contains { $0.text.contains("API MISUSE") })
        let (central, _) = try await bench.central()
        let first = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        let second = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        #expect(first === second)
        #expect(first.name == "Die" && first.state == .disconnected)
    }

    @Test("A foreign identifier ends the app and says why", .covers("C3"))
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

    @Test("A connection waits for the accessory however long it is silent", .covers("C4"))
    func patience() async throws {
        let bench = try await Bench()
        let (central, listener) = try await bench.central()
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        central.connect(peripheral)
        #expect(peripheral.state == .connecting)
        // The in-memory radio fails at once; then the phone listens.
        try await eventually("the radio to look") { bench.radio.isDiscovering }
        bench.addDie()
        try await listener.next("connected")
        #expect(peripheral.state == .connected)
    }

    @Test("An accessory that is heard and takes no connection is a failure", .covers("C4"))
    func unconnectable() async throws {
        let bench = try await Bench()
        bench.addDie { $0.isConnectable = false }
        let (central, listener) = try await bench.central()
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        central.connect(peripheral)
        // Discovery tells again what is there, once per try.
        try await listener.next("failed CBErrorDomain 10")
        #expect(peripheral.state == .disconnected)
    }

    @Test("Asked for, lost, removed: each end of a connection is told as CoreBluetooth does", .covers("C6"))
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

    @Test("The last reference to a peripheral takes its connection along, and a warning says so")
    func unusedPeripheral() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (central, listener) = try await bench.central()
        try await {
            let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
            central.connect(peripheral)
            try await listener.next("connected")
        }()
        try await eventually("the link to end") { bench.radio.connected.isEmpty }
        #expect(bench.phone.warnings.contains { $0.text.contains("keep a reference") })
    }
}

import HILTiming
import HostRadio
import RadioModel
import TestSupport
import Testing

@testable import CoreBluetooth
@testable import HILPhone

@Suite("Less common parts of CoreBluetooth")
struct CoreBluetoothSurfaceTests {
    @Test("Descriptors are discovered, written, and read as values of their own types", .covers("C4"))
    func descriptors() async throws {
        let bench = try await Bench()
        let label = GATTDescriptor(uuid: BluetoothUUID("2901")!, id: DescriptorID(handle: 4))
        let configuration = GATTDescriptor(uuid: BluetoothUUID("2902")!, id: DescriptorID(handle: 5))
        bench.addDie { die in
            die.services[0].characteristics[0].descriptors = [label, configuration]
            die.descriptorValues = [label.id: Data("Roll".utf8), configuration.id: Data([1, 0])]
        }
        let (_, listener, peripheral) = try await bench.connectedDie()
        let roll = try peripheral.found(Bench.roll)
        #expect(roll.descriptors == nil)
        peripheral.discoverDescriptors(for: roll)
        try await listener.next("descriptors 2 nil")
        let found = try #require(roll.descriptors)
        #expect(found.allSatisfy { $0.characteristic === roll })
        for descriptor in found { peripheral.readValue(for: descriptor) }
        try await listener.next("descriptor 2901 Roll nil")
        try await listener.next("descriptor 2902 1 nil")
        peripheral.writeValue(Data([0xC3, 0x28]), for: found[0])
        try await listener.next("descriptor written 2901 nil")
        peripheral.readValue(for: found[0])
        try await listener.next("descriptor 2901 \(Data([0xC3, 0x28])) nil")
    }

    @Test("Writing a Client Characteristic Configuration descriptor ends the app", .covers("C4"))
    func configuration() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let bench = try await Bench()
            let configuration = GATTDescriptor(uuid: BluetoothUUID("2902")!, id: DescriptorID(handle: 5))
            bench.addDie { $0.services[0].characteristics[0].descriptors = [configuration] }
            let (_, listener, peripheral) = try await bench.connectedDie()
            let roll = try peripheral.found(Bench.roll)
            peripheral.discoverDescriptors(for: roll)
            try await listener.next("descriptors 1 nil")
            peripheral.writeValue(Data([1, 0]), for: roll.descriptors![0])
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.contains("setNotifyValue"))
    }

    @Test("The signal strength is read, and included services are found by their handles", .covers("C4"))
    func signalAndIncluded() async throws {
        let bench = try await Bench()
        bench.addDie { die in
            die.services[0].included = [30]
            die.services.append(
                GATTService(uuid: BluetoothUUID("180F")!, handle: 30, isPrimary: false, characteristics: []))
        }
        let (_, listener, peripheral) = try await bench.connectedDie()
        peripheral.readRSSI()
        try await listener.next("signal -40 nil")
        let service = try #require(peripheral.services?.first)
        #expect(service.includedServices == nil)
        peripheral.discoverIncludedServices([CBUUID(string: "180A")], for: service)
        try await listener.next("included 0 nil")
        peripheral.discoverIncludedServices(nil, for: service)
        try await listener.next("included 1 nil")
        #expect(service.includedServices?.map(\.uuid) == [CBUUID(string: "180F")])
        #expect(!peripheral.ancsAuthorized)
    }

    @Test("Values of every length are written and read back unchanged", .covers("C4"))
    func everyLength() async throws {
        let bench = try await Bench()
        bench.addDie { $0.protected = [] }
        let (_, listener, peripheral) = try await bench.connectedDie()
        let owner = try peripheral.found(Bench.owner)
        for length in 0...512 {
            let value = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            peripheral.writeValue(value, for: owner, type: .withResponse)
            peripheral.readValue(for: owner)
            try await listener.next("written 2A02 nil")
            try await listener.next("value 2A02 \(Array(value)) nil")
        }
    }

    @Test(
        "Connected peripherals are found by service, and a registered manager gets connection events",
        .covers("C4", "C6"))
    func connectedPeripherals() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (watcher, heard) = try await bench.central()
        // The phone knows the services from the advertisement.
        watcher.scanForPeripherals(withServices: nil)
        try await heard.next("discovered Die 7")
        watcher.stopScan()
        watcher.registerForConnectionEvents(options: [.serviceUUIDs: [CBUUID(Bench.service)]])
        let (other, silent) = try await bench.central()
        other.registerForConnectionEvents(options: [.peripheralUUIDs: [UUID()]])
        #expect(watcher.retrieveConnectedPeripherals(withServices: [CBUUID(Bench.service)]).isEmpty)
        let (central, listener, peripheral) = try await bench.connectedDie()
        try await heard.next("event 1")
        let found = watcher.retrieveConnectedPeripherals(withServices: [CBUUID(Bench.service)])
        #expect(found.map(\.identifier) == [bench.identifier])
        #expect(found.first?.state == .disconnected, "connected to the phone, but not by this manager")
        #expect(watcher.retrieveConnectedPeripherals(withServices: [CBUUID(string: "180F")]).isEmpty)
        central.cancelPeripheralConnection(peripheral)
        try await listener.next("disconnected nil")
        try await heard.next("event 0")
        #expect(!silent.received.events.contains { $0.hasPrefix("event") })
    }

    @Test("With auto-reconnect, the phone connects again when the peripheral is back", .covers("C6"))
    func autoReconnect() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (central, listener) = try await bench.central()
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        central.connect(peripheral, options: [CBConnectPeripheralOptionEnableAutoReconnect: true])
        try await listener.next("connected")
        bench.radio.remove(Bench.address)
        try await listener.next("disconnected CBErrorDomain 6")
        #expect(peripheral.state == .connecting)
        try await bench.radio.changes.wait(for: "discovery to start") { bench.radio.isDiscovering }
        bench.addDie()
        try await listener.next("connected")
        // A connection that the app itself ends is not made again.
        central.cancelPeripheralConnection(peripheral)
        try await listener.next("disconnected nil")
        #expect(peripheral.state == .disconnected)
    }

    @Test(
        "After the system ends an app, a new manager with the same restore identifier gets the old state",
        .covers("C4", "A1"))
    func restoration() async throws {
        let bench = try await Bench()
        bench.addDie()
        let options = [CBCentralManagerOptionRestoreIdentifierKey: "dice"]
        let (central, listener) = try await bench.central(options: options)
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        central.connect(peripheral)
        try await listener.next("connected")
        bench.phone.terminateApp(bySystem: true)
        #expect(bench.radio.connected == [Bench.address], "the link stays up without the app")

        _ = try await bench.phone.launch(Bench.App.self)
        let (_, heard) = try await bench.central(options: options)
        #expect(heard.received.events == ["restored [\(bench.identifier)] 2", "state 5"])
        #expect(listener.received.events.last == "connected", "the app that was ended gets no more events")

        // If the person ends the app, AccessorySetupKit keeps its state, from iOS 26 on (L3).
        bench.phone.forceQuitApp()
        #expect(bench.radio.connected == [Bench.address])
        _ = try await bench.phone.launch(Bench.App.self)
        let (_, again) = try await bench.central(options: options)
        #expect(again.received.events == ["restored [\(bench.identifier)] 2", "state 5"])
        bench.phone.policy.launches.rules = .iOS11
        bench.phone.forceQuitApp()
        try await bench.radio.changes.wait(for: "the link to end") { bench.radio.connected.isEmpty }
        _ = try await bench.phone.launch(Bench.App.self)
        let (_, fresh) = try await bench.central(options: options)
        #expect(fresh.received.events == ["state 5"])
    }

    @Test("Releasing the manager of an app that the system ended does not affect the next launch", .covers("C4"))
    func staleManager() async throws {
        let bench = try await Bench()
        bench.addDie()
        let options = [CBCentralManagerOptionRestoreIdentifierKey: "dice"]
        let listener = Listener()
        var central: CBCentralManager? = bench.phone.asCurrent {
            CBCentralManager(delegate: listener, queue: listener.queue, options: options)
        }
        try await listener.next("state 5")
        var peripheral = central?.retrievePeripherals(withIdentifiers: [bench.identifier]).first
        if let peripheral { central?.connect(peripheral) }
        try await listener.next("connected")
        bench.phone.terminateApp(bySystem: true)
        _ = try await bench.phone.launch(Bench.App.self)
        let (next, _) = try await bench.central(options: options)
        peripheral = nil
        central = nil
        let restored = try #require(next.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        #expect(peripheral == nil && central == nil)
        #expect(restored.state == .connected && bench.radio.connected == [Bench.address])
        #expect(bench.phone.warnings.isEmpty)
    }

    @Test("An unknown option ends the app; the power alert option shows an alert", .covers("C4"))
    func options() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let bench = try await Bench()
            _ = bench.phone.asCurrent { CBCentralManager(delegate: nil, queue: nil, options: ["Unknown": true]) }
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.contains("Unknown"))
        let bench = try await Bench()
        await bench.phone.switchBluetooth(false)
        bench.phone.person.isWilling = false
        _ = try await bench.central(.poweredOff, options: [CBCentralManagerOptionShowPowerAlertKey: true])
        _ = try await bench.phone.log.first(within: .seconds(300), waitingFor: "the alert") {
            if case .screen(let screen?) = $0.kind { screen.kind == .bluetoothIsOff } else { false }
        }
        await bench.phone.switchBluetooth(true)
        _ = try await bench.phone.log.first(within: .seconds(300), waitingFor: "the alert to go") {
            if case .screen(nil) = $0.kind { true } else { false }
        }
        #expect(bench.phone.asCurrent { CBManager.authorization } == .allowedAlways)
    }
}

import Foundation
import HILTiming
import HostRadio
import RadioModel
import Synchronization
import TestSupport
import Testing

@testable import CoreBluetooth
@testable import HILPhone

/// An attribute server that the test stops, lets go on, or lets refuse.
private final class Gate: Sendable {
    /// The requests so far.
    let asked = EventLog<InMemoryRadio.AttributeRequest>()
    private let held = Mutex<Set<InMemoryRadio.AttributeRequest>>([])
    private let refusals = Mutex<[InMemoryRadio.AttributeRequest: UInt8]>([:])
    private let released = EventLog<InMemoryRadio.AttributeRequest>()

    init(holding requests: [InMemoryRadio.AttributeRequest] = []) { held.withLock { $0 = Set(requests) } }

    func release(_ request: InMemoryRadio.AttributeRequest) {
        held.withLock { _ = $0.remove(request) }
        released.append(request)
    }

    /// - Parameter code: The error; nil to answer again.
    func refuse(_ request: InMemoryRadio.AttributeRequest, with code: UInt8?) {
        refusals.withLock { $0[request] = code }
    }

    func pass(_ request: InMemoryRadio.AttributeRequest) async throws {
        asked.append(request)
        if held.withLock({ $0.contains(request) }) { _ = try await released.first(from: 0) { $0 == request } }
        if let code = refusals.withLock({ $0[request] }) { throw RadioError.attribute(code: code) }
    }
}

@Suite("Discovery on demand")
struct OnDemandTests {
    private static let other = BluetoothUUID("180F")!
    private static let nameID = CharacteristicID(handle: 42)

    /// A die with a name, a second service, and an attribute server behind a gate.
    private func bench(_ gate: Gate, _ change: (inout InMemoryRadio.Device) -> Void = { _ in }) async throws -> Bench {
        let bench = try await Bench()
        bench.addDie { die in
            let name = GATTCharacteristic(uuid: BluetoothUUID("2A00")!, id: Self.nameID, properties: [.read])
            die.services.append(
                GATTService(uuid: Self.other, handle: 20, isPrimary: true, characteristics: []))
            die.services.append(
                GATTService(uuid: BluetoothUUID("1800")!, handle: 40, isPrimary: true, characteristics: [name]))
            die.values[Self.nameID] = Data("Seven".utf8)
            die.beforeAttributes = { try await gate.pass($0) }
            change(&die)
        }
        return bench
    }

    private func connect(_ bench: Bench) async throws -> (CBCentralManager, Listener, CBPeripheral) {
        let (central, listener) = try await bench.central()
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        peripheral.delegate = listener
        central.connect(peripheral)
        try await listener.next("connected")
        return (central, listener, peripheral)
    }

    @Test("An app is connected before anything is discovered; the phone asks for what the app asks for", .covers("C4"))
    func nothingUnasked() async throws {
        let gate = Gate()
        let bench = try await bench(gate)
        bench.phone.policy.readsNameWhenConnected = false
        let (_, listener, peripheral) = try await connect(bench)
        #expect(gate.asked.events.isEmpty && peripheral.services == nil)
        peripheral.discoverServices([CBUUID(Bench.service)])
        try await listener.next("services nil")
        #expect(gate.asked.events == [.services])
        let service = try #require(peripheral.services?.first)
        #expect(service.characteristics == nil && service.includedServices == nil)
        peripheral.discoverCharacteristics([CBUUID(Bench.roll.uuid)], for: service)
        try await listener.next("characteristics 1 nil")
        let roll = try peripheral.found(Bench.roll)
        #expect(roll.descriptors == nil)
        peripheral.discoverDescriptors(for: roll)
        try await listener.next("descriptors 0 nil")
        peripheral.discoverIncludedServices(nil, for: service)
        try await listener.next("included 0 nil")
        #expect(
            gate.asked.events == [
                .services, .characteristics(1), .descriptors(Bench.roll.id), .includedServices(1),
            ])
    }

    @Test("The phone reads the name after the app is connected, beside the app's requests", .covers("C11"))
    func nameBesideRequests() async throws {
        let gate = Gate(holding: [.name])
        let bench = try await bench(gate)
        let (_, listener, peripheral) = try await connect(bench)
        _ = try await gate.asked.first(from: 0) { $0 == .name }
        peripheral.discoverServices(nil)
        try await listener.next("services nil")
        #expect(peripheral.name == "Die")
        gate.release(.name)
        try await listener.next("named Seven")
        #expect(peripheral.name == "Seven" && bench.phone.bluetooth.heardName(of: bench.identifier) == "Seven")
    }

    @Test("A name that comes after the end of its connection does not count", .covers("C11"))
    func lateName() async throws {
        let gate = Gate(holding: [.name])
        let bench = try await bench(gate)
        let (central, listener, peripheral) = try await connect(bench)
        _ = try await gate.asked.first(from: 0) { $0 == .name }
        central.cancelPeripheralConnection(peripheral)
        try await listener.next("disconnected nil")
        gate.release(.name)
        central.connect(peripheral)
        try await listener.next("connected")
        try await listener.next("named Seven")
        #expect(listener.received.events.count { $0.hasPrefix("named") } == 1)
    }

    @Test(
        "A slow attribute server delays only the answer; the request is named with its place until then",
        .covers("C4"))
    func slow() async throws {
        let gate = Gate(holding: [.services, .characteristics(1)])
        let bench = try await bench(gate)
        let (_, listener, peripheral) = try await connect(bench)
        peripheral.discoverServices([CBUUID(Bench.service)])
        _ = try await gate.asked.first(from: 0) { $0 == .services }
        #expect(peripheral.state == .connected && peripheral.services == nil)
        let waiting = bench.phone.bluetooth.unanswered
        #expect(waiting.contains { $0.hasPrefix("discovery of the services D1CE0001") }, "\(waiting)")
        gate.release(.services)
        try await listener.next("services nil")
        peripheral.discoverCharacteristics(nil, for: try #require(peripheral.services?.first))
        peripheral.readRSSI()
        _ = try await gate.asked.first(from: 0) { $0 == .characteristics(1) }
        let now = try #require(bench.phone.bluetooth.unanswered.first { $0.contains("characteristics") })
        #expect(now.contains("in D1CE0001") && now.contains("(handle 1) not answered for"), "\(now)")
        gate.release(.characteristics(1))
        try await listener.next("characteristics 3 nil")
        try await listener.next("signal -40 nil")
        #expect(!bench.phone.bluetooth.unanswered.contains { $0.contains("characteristics") })
    }

    @Test(
        "An attribute server that never answers does not prevent the connection, which ends with the link",
        .covers("C6"))
    func silent() async throws {
        let gate = Gate(holding: [.name, .services])
        let bench = try await bench(gate)
        let (_, listener, peripheral) = try await connect(bench)
        peripheral.discoverServices(nil)
        _ = try await gate.asked.first(from: 0) { $0 == .services }
        bench.radio.remove(Bench.address)
        try await listener.next("disconnected CBErrorDomain 6")
        gate.release(.services)
        try await bench.phone.log.wait(for: "the request to end") {
            !bench.phone.bluetooth.unanswered.contains { $0.contains("services") }
        }
        #expect(!listener.received.events.contains("services nil"), "an answer of an earlier link")
    }

    @Test("The error of each discovery reaches the delegate, and a later try may succeed", .covers("C4"))
    func refused() async throws {
        let gate = Gate()
        let bench = try await bench(gate)
        let (_, listener, peripheral) = try await connect(bench)
        gate.refuse(.services, with: 0x0E)
        peripheral.discoverServices(nil)
        try await listener.next("services CBATTErrorDomain 14")
        #expect(peripheral.services == nil)
        gate.refuse(.services, with: nil)
        peripheral.discoverServices([CBUUID(Bench.service)])
        try await listener.next("services nil")
        let service = try #require(peripheral.services?.first)
        gate.refuse(.characteristics(1), with: 0x11)
        peripheral.discoverCharacteristics(nil, for: service)
        try await listener.next("characteristics 0 CBATTErrorDomain 17")
        #expect(service.characteristics == nil)
        gate.refuse(.includedServices(1), with: 0x11)
        peripheral.discoverIncludedServices(nil, for: service)
        try await listener.next("included -1 CBATTErrorDomain 17")
        gate.refuse(.characteristics(1), with: nil)
        peripheral.discoverCharacteristics(nil, for: service)
        try await listener.next("characteristics 3 nil")
        let roll = try peripheral.found(Bench.roll)
        gate.refuse(.descriptors(Bench.roll.id), with: 0x0A)
        peripheral.discoverDescriptors(for: roll)
        try await listener.next("descriptors -1 CBATTErrorDomain 10")
        gate.refuse(.descriptors(Bench.roll.id), with: nil)
        peripheral.discoverDescriptors(for: roll)
        try await listener.next("descriptors 0 nil")
    }

    @Test("What was discovered stays while more is discovered, in the same objects", .covers("C4"))
    func parts() async throws {
        let bench = try await bench(Gate())
        let (_, listener, peripheral) = try await connect(bench)
        peripheral.discoverServices([CBUUID(Self.other)])
        try await listener.next("services nil")
        let battery = try #require(peripheral.services?.first)
        peripheral.discoverServices([CBUUID(Bench.service)])
        try await listener.next("services nil")
        #expect(peripheral.services?.map(\.uuid.value) == [Bench.service, Self.other])
        #expect(peripheral.services?.last === battery)
        let service = try #require(peripheral.services?.first)
        peripheral.discoverCharacteristics([CBUUID(Bench.owner.uuid)], for: service)
        try await listener.next("characteristics 1 nil")
        let owner = try peripheral.found(Bench.owner)
        peripheral.discoverCharacteristics([CBUUID(Bench.roll.uuid)], for: service)
        try await listener.next("characteristics 2 nil")
        peripheral.discoverCharacteristics(nil, for: service)
        try await listener.next("characteristics 3 nil")
        #expect(service.characteristics?.map(\.uuid.value) == [Bench.roll, Bench.owner, Bench.screen].map(\.uuid))
        #expect(try peripheral.found(Bench.owner) === owner)
        peripheral.discoverServices(nil)
        try await listener.next("services nil")
        #expect(peripheral.services?.first === service && service.characteristics?.count == 3)
    }

    @Test(
        "A discovery that is under way when the services change ends with an error, on the old object", .covers("C7"))
    func changedMeanwhile() async throws {
        let gate = Gate(holding: [.characteristics(1)])
        let bench = try await bench(gate)
        let (_, listener, peripheral) = try await connect(bench)
        peripheral.discoverServices([CBUUID(Bench.service)])
        try await listener.next("services nil")
        let service = try #require(peripheral.services?.first)
        peripheral.discoverCharacteristics(nil, for: service)
        _ = try await gate.asked.first(from: 0) { $0 == .characteristics(1) }
        bench.radio.emit(.servicesChanged(Bench.address))
        try await listener.next("modified 1")
        gate.refuse(.characteristics(1), with: 0x01)
        gate.release(.characteristics(1))
        try await listener.next("characteristics 0 CBATTErrorDomain 1")
        #expect(peripheral.services == nil)
    }

    @Test("A longer MTU counts as soon as it is agreed on, at the latest when services are discovered", .covers("C4"))
    func growingMTU() async throws {
        let gate = Gate(holding: [.services])
        let bench = try await bench(gate) { $0.mtu = 23 }
        let (_, listener, peripheral) = try await connect(bench)
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 20)
        bench.radio.emit(.mtuChanged(Bench.address, 100))
        try await bench.settle()
        await listener.settle()
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 97)
        peripheral.discoverServices(nil)
        _ = try await gate.asked.first(from: 0) { $0 == .services }
        bench.radio.setMTU(185, of: Bench.address)
        gate.release(.services)
        try await listener.next("services nil")
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 182)
    }

    @Test("Without Service Changed the phone keeps the services over links, unless its policy differs", .covers("C12"))
    func keptServices() async throws {
        for (reports, keeps) in [(false, true), (true, true), (false, false)] {
            let bench = try await bench(Gate()) { if reports { $0.services.append(Self.generic) } }
            bench.phone.policy.keepsTables = keeps
            let (central, listener, peripheral) = try await connect(bench)
            peripheral.discoverServices(nil)
            try await listener.next("services nil")
            #expect(peripheral.services?.count == 2)
            central.cancelPeripheralConnection(peripheral)
            try await listener.next("disconnected nil")
            bench.addDie { if reports { $0.services.append(Self.generic) } }
            central.connect(peripheral)
            try await listener.next("connected")
            peripheral.discoverServices(nil)
            try await listener.next("services nil")
            #expect(peripheral.services?.count == (!reports && keeps ? 2 : 1), "\(reports) \(keeps)")
        }
    }

    /// Generic Attribute with Service Changed.
    private static let generic = GATTService(
        uuid: BluetoothUUID("1801")!, handle: 60, isPrimary: true,
        characteristics: [
            GATTCharacteristic(
                uuid: BluetoothUUID("2A05")!, id: CharacteristicID(handle: 62), properties: [.indicate])
        ])
}

import HILTiming
import HostRadio
import RadioModel
import TestSupport
import Testing

@testable import CoreBluetooth
@testable import HILPhone

@Suite("Private addresses")
struct PrivateAddressTests {
    private static let first = DeviceAddress("41:00:00:00:00:01")!
    private static let second = DeviceAddress("42:00:00:00:00:02")!

    /// A die with private addresses. The app is authorised for it but has not paired with it yet.
    private func bench() async throws -> Bench {
        let bench = try await Bench(isAuthorized: false)
        bench.phone.identifiers.move(Bench.address, to: Self.first)
        bench.authorize()
        bench.addDie { die in
            die.advertisement.address = Self.first
            die.identity = Bench.address
        }
        return bench
    }

    @Test(
        "A device keeps its identifier when pairing reveals its identity, and under each later address", .covers("C5"))
    func rotation() async throws {
        let bench = try await bench()
        let (central, listener, peripheral) = try await bench.connectedDie()
        peripheral.readValue(for: try peripheral.found(Bench.owner))
        try await listener.next("value 2A02 \(Array("Kim".utf8)) nil")
        #expect(bench.radio.bonds.keys.map { $0 } == [Bench.address], "the bond is with the identity")
        #expect(bench.phone.identifiers.identifier(of: Self.first) == bench.identifier)
        #expect(bench.phone.identifiers.identifier(of: Bench.address) == bench.identifier)

        // The link that was up during pairing stays up, and the app is told when it ends.
        peripheral.readValue(for: try peripheral.found(Bench.roll))
        try await listener.next("value 2A01 [4] nil")
        central.cancelPeripheralConnection(peripheral)
        try await listener.next("disconnected nil")

        bench.radio.rotate(Bench.address, to: Self.second)
        central.scanForPeripherals(withServices: nil)
        try await listener.next("discovered Die 7")
        let found = try #require(listener.advertised.events.last?.peripheral)
        #expect(found === peripheral)
        central.connect(peripheral)
        try await listener.next("connected")
    }

    @Test("The loss of a link is reported although the link was made under another address", .covers("C5", "C6"))
    func loss() async throws {
        let bench = try await bench()
        let (_, listener, peripheral) = try await bench.connectedDie()
        peripheral.readValue(for: try peripheral.found(Bench.owner))
        try await listener.next("value 2A02 \(Array("Kim".utf8)) nil")
        bench.radio.remove(Bench.address)
        try await listener.next("disconnected CBErrorDomain 6")
    }

    @Test("Without a bond the address cannot be resolved: it counts as another device", .covers("C5"))
    func stranger() async throws {
        let bench = try await bench()
        let (_, listener) = try await bench.central()
        bench.radio.rotate(Self.first, to: Self.second)
        #expect(bench.phone.identifiers.identifier(of: Self.second) != bench.identifier)
        #expect(listener.advertised.events.isEmpty)
    }

    @Test("When two identifiers become one device, the one that an app uses is kept", .covers("C5"))
    func knownIdentity() {
        let map = IdentifierMap()
        let known = map.identifier(of: Bench.address)
        let fresh = map.identifier(of: Self.first)
        #expect(known != fresh)
        map.move(Self.first, to: Bench.address) { $0 == known }
        #expect(map.identifier(of: Self.first) == known && map.address(of: known) == Bench.address)
        // If both are in use, the identifier of the address under which it was set up is kept.
        let other = map.identifier(of: Self.second)
        map.move(Self.second, to: Bench.address) { _ in true }
        #expect(map.identifier(of: Bench.address) == other)
    }

    @Test("A device that pairs under its identity address keeps its identifier", .covers("C5"))
    func identityFromTheStart() {
        let map = IdentifierMap()
        let known = map.identifier(of: Bench.address)
        map.move(DeviceAddress(bytes: [0, 0, 0, 0, 0, 0])!, to: Bench.address) { _ in false }
        #expect(map.identifier(of: Bench.address) == known && map.address(of: known) == Bench.address)
    }

    @Test("The system hides the HID service from apps", .covers("C4"))
    func hiddenService() async throws {
        let bench = try await Bench()
        bench.addDie { die in
            die.services.append(
                GATTService(uuid: BluetoothUUID("1812")!, handle: 20, isPrimary: true, characteristics: []))
        }
        let (_, listener, peripheral) = try await bench.connectedDie()
        peripheral.discoverServices(nil)
        try await listener.next("services nil")
        #expect(peripheral.services?.map(\.uuid) == [CBUUID(Bench.service)])
        bench.phone.policy.hiddenServices = []
        peripheral.discoverServices(nil)
        try await listener.next("services nil")
        #expect(peripheral.services?.count == 2)
    }
}

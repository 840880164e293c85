import HostRadio
import RadioModel
import TestSupport
import Testing

@testable import CoreBluetooth
@testable import HILPhone

@Suite("Peripherals that are connected to the phone", .timeLimit(.minutes(1)))
struct WatchingTests {
    @Test(
        "An app that may use all of Bluetooth finds what others have connected, and hears of each connection",
        .covers("C21"))
    func allOfBluetooth() async throws {
        let bench = try await Bench(isAuthorized: false)
        bench.addDie()
        _ = try await bench.phone.launch(Bench.OpenApp.self)
        let (watcher, heard) = try await bench.central()
        watcher.scanForPeripherals(withServices: nil)
        try await heard.next("discovered Die 7")
        watcher.stopScan()
        watcher.registerForConnectionEvents(options: [.serviceUUIDs: [CBUUID(Bench.service)]])
        #expect(watcher.retrieveConnectedPeripherals(withServices: [CBUUID(Bench.service)]).isEmpty)
        let (central, listener, peripheral) = try await bench.connectedDie()
        try await heard.next("event 1")
        let found = watcher.retrieveConnectedPeripherals(withServices: [CBUUID(Bench.service)])
        #expect(found.map(\.identifier) == [bench.identifier] && found.first?.name == "Die 7")
        central.cancelPeripheralConnection(peripheral)
        try await listener.next("disconnected nil")
        try await heard.next("event 0")
        #expect(watcher.retrieveConnectedPeripherals(withServices: [CBUUID(Bench.service)]).isEmpty)
    }

    @Test("A link that no app has asked for counts as well, and one link is reported once", .covers("C21"))
    func linkOfThePhone() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (watcher, heard) = try await bench.central()
        watcher.scanForPeripherals(withServices: nil)
        try await heard.next("discovered Die 7")
        watcher.registerForConnectionEvents()
        // As the picker does when it pairs.
        try await bench.radio.connect(Bench.address)
        try await heard.next("event 1")
        let peripheral = try #require(
            watcher.retrieveConnectedPeripherals(withServices: [CBUUID(Bench.service)]).first)
        watcher.connect(peripheral)
        try await heard.next("connected")
        bench.radio.remove(Bench.address)
        try await heard.next("disconnected CBErrorDomain 6")
        try await heard.next("event 0")
        #expect(heard.received.events.count { $0.hasPrefix("event") } == 2)
    }

    @Test("An advertisement says whether its peripheral accepts connections", .covers("C2"))
    func connectable() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (central, listener) = try await bench.central()
        central.scanForPeripherals(withServices: nil)
        try await listener.next("discovered Die 7")
        bench.addDie { $0.isConnectable = false }
        try await listener.next("discovered Die 7")
        let said = listener.advertised.events.map { $0.data[CBAdvertisementDataIsConnectable] as? Bool }
        #expect(said == [true, false])
    }
}

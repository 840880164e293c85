import HostRadio
import RadioModel
import TestSupport
import Testing

@testable import CoreBluetooth
@testable import HILPhone

@Suite("State that outlives an app", .timeLimit(.minutes(1)))
struct RestorationTests {
    private static let options = [CBCentralManagerOptionRestoreIdentifierKey: "dice"]

    /// A die whose rolls an app is subscribed to.
    private func subscribedDie(
        _ bench: Bench, _ options: [String: Any] = RestorationTests.options
    ) async throws -> (CBCentralManager, Listener, CBPeripheral) {
        bench.addDie()
        let (central, listener) = try await bench.central(options: options)
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

    @Test(
        "An extension's central manager ends with its process; only a restore identifier keeps its link for the next one",
        .covers("T6", "C20"), arguments: [true, false])
    func extensionEnds(isRestored: Bool) async throws {
        let bench = try await Bench()
        let options = isRestored ? Self.options : [:]
        func run() -> ExtensionRun { ExtensionRun(.transport(.bluetooth), for: UUID(), supervisor: nil) }
        let first = run()
        let (central, old, peripheral) = try await Phone.$host.withValue(first) {
            try await subscribedDie(bench, options)
        }
        #expect(first.end())
        if isRestored {
            let (next, listener) = try await Phone.$host.withValue(run()) { try await bench.central(options: options) }
            let restored = try #require(next.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
            #expect(restored !== peripheral && restored.state == .connected)
            restored.delegate = listener
            bench.radio.notify(Data([6]), from: Bench.roll.id, of: Bench.address)
            try await listener.next("value 2A01 [6] nil")
        } else {
            _ = try await bench.phone.log.first(within: .seconds(30), waitingFor: "the end of the link") {
                if case .radio(.disconnected) = $0.kind { true } else { false }
            }
        }
        #expect(!old.received.events.contains("value 2A01 [6] nil"))
        #expect(!old.received.events.contains { $0.hasPrefix("disconnected") }, "no code is called for the end")
        for _ in 1...2 { central.cancelPeripheralConnection(peripheral) }
        let notes = bench.phone.log.events.filter {
            if case .note("extensions", let text) = $0.kind { text.contains("static objects end") } else { false }
        }
        #expect(notes.count == 1, "an object that outlives its process is named once")
        if isRestored {
            #expect(
                !bench.phone.log.events.contains { if case .radio(.disconnected) = $0.kind { true } else { false } })
        }
    }
}

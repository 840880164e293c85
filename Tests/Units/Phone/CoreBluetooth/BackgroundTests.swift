import HILTiming
import RadioModel
import TestSupport
import Testing

@testable import CoreBluetooth
@testable import HILPhone

@Suite("An app in the background")
struct BackgroundTests {
    /// The same app, which nothing wakes in the background.
    final class AsleepApp: AppUnderTest {
        static var bundle: AppBundle {
            AppBundle(
                identifier: Bench.App.bundle.identifier,
                infoPlist: fixture("GadgetApp/Asleep.plist"),
                resources: Bench.App.bundle.resources)
        }
        init() {}
    }

    @Test("Its requests and the events for it wait until it is in the foreground again", .covers("C13"))
    func suspension() async throws {
        let bench = try await Bench()
        bench.addDie()
        _ = try await bench.phone.launch(AsleepApp.self)
        let (central, listener) = try await bench.central()
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        bench.phone.suspendApp()
        central.connect(peripheral)
        bench.radio.remove(Bench.address)
        #expect(bench.phone.app?.isSuspended == true && bench.radio.connected.isEmpty)
        bench.addDie()
        bench.phone.resumeApp()
        try await listener.next("connected")
        bench.phone.suspendApp()
        bench.radio.remove(Bench.address)
        try await bench.phone.log.wait(for: "the phone to hear of the loss") {
            bench.phone.log.events.contains { if case .radio(.disconnected) = $0.kind { true } else { false } }
        }
        #expect(!listener.received.events.contains { $0.hasPrefix("disconnected") })
        bench.phone.resumeApp()
        try await listener.next("disconnected CBErrorDomain 6")
    }

    @Test("With the mode for it, an event of its peripheral wakes it for a while", .covers("C13"))
    func waking() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (central, listener) = try await bench.central()
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        peripheral.delegate = listener
        central.connect(peripheral)
        try await listener.next("connected")
        bench.phone.suspendApp()
        bench.radio.remove(Bench.address)
        try await listener.next("disconnected CBErrorDomain 6")
        #expect(bench.phone.app?.isSuspended == false && bench.phone.app?.isInForeground == false)
        let clock = try #require(bench.phone.clock as? ManualClock)
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(10))
        try await bench.phone.log.wait(for: "the app to be suspended again") { bench.phone.app?.isSuspended == true }
    }
}

import HILTiming
import RuleCoverage
import Synchronization
import Testing

@testable import CoreBluetooth
@testable import HILPhone

/// Apps that wait for a state by key-value observing, as Foundation on Linux cannot.
@Suite("Key-value observing")
struct KeyValueObservingTests {
    @Test("A peripheral's state is observed from connecting to the end, with old and new values", .covers("C4"))
    func state() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (central, listener) = try await bench.central()
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        let seen = Mutex<[String]>([])
        let observation = peripheral.observe(\.state, options: [.old, .new, .initial]) { peripheral, change in
            let (old, new) = (change.oldValue.map { "\($0)" } ?? "-", change.newValue.map { "\($0)" } ?? "-")
            seen.withLock { $0.append("\(old) \(new) \(peripheral.state)") }
        }
        central.connect(peripheral)
        try await listener.next("connected")
        central.cancelPeripheralConnection(peripheral)
        try await listener.next("disconnected nil")
        #expect(
            seen.withLock { $0 } == [
                "- disconnected disconnected", "disconnected connecting connecting", "connecting connected connected",
                "connected disconnecting disconnecting", "disconnecting disconnected disconnected",
            ])
        observation.invalidate()
        central.connect(peripheral)
        try await listener.next("connected")
        #expect(seen.withLock { $0.count } == 5)
    }

    @Test("Scanning is observed, before and after; a released observation ends")
    func scanning() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (central, _) = try await bench.central()
        let seen = Mutex<[Bool]>([])
        do {
            let observation = central.observe(\.isScanning, options: [.prior]) { _, change in
                #expect(change.newValue == nil && change.oldValue == nil)
                seen.withLock { $0.append(change.isPrior) }
            }
            central.scanForPeripherals(withServices: nil)
            withExtendedLifetime(observation) {}
        }
        central.stopScan()
        #expect(seen.withLock { $0 } == [true, false])
    }
}

import Combine
import Foundation
import HILTiming
import Synchronization
import TestSupport
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

    /// An app's own object, with the central manager as one of its properties.
    private final class Scanner: NSObject {
        var central: CBCentralManager?
        init(_ central: CBCentralManager?) { self.central = central }
    }

    @Test("A property of Core Bluetooth is observed through the app's own objects, whether optional or not")
    func throughOwnObject() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (central, _) = try await bench.central()
        let scanner = Scanner(central)
        let seen = Mutex<[String]>([])
        let observation = scanner.observe(\.central?.isScanning, options: [.old, .new, .initial, .prior]) { _, change in
            seen.withLock {
                $0.append(
                    "\(change.isPrior) \(change.oldValue ?? nil, default: "-") \(change.newValue ?? nil, default: "-")")
            }
        }
        central.scanForPeripherals(withServices: nil)
        central.stopScan()
        #expect(
            seen.withLock { $0 } == [
                "false - false", "true false -", "false false true", "true true -", "false true false",
            ])
        observation.invalidate()
        central.scanForPeripherals(withServices: nil)
        #expect(seen.withLock { $0.count } == 5)
    }

    @Test("A key path that ends at nothing of Core Bluetooth ends the app, and says why")
    func nothingToObserve() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Scanner(nil).observe(\.central?.isScanning) { _, _ in }
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.contains("the observed key path does not end at"))
    }

    @Test("A peripheral's values have names, and the MTU is that of its connection")
    func values() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (central, listener) = try await bench.central()
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        #expect(peripheral.value(forKey: "mtuLength") as? NSNumber == 23)
        central.connect(peripheral)
        try await listener.next("connected")
        #expect(peripheral.value(forKey: "identifier") as? UUID == bench.identifier)
        #expect(peripheral.value(forKey: "state") as? NSNumber == 2)
        let length = try #require(peripheral.value(forKey: "mtuLength") as? NSNumber).intValue
        #expect(length == peripheral.maximumWriteValueLength(for: .withoutResponse) + 3)
    }

    @Test("A peripheral's state is a publisher, from the state that it has until it is cancelled")
    func publisher() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (central, listener) = try await bench.central()
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        let seen = Mutex<[String]>([])
        let task = peripheral.publisher(for: \.state).sink { state in seen.withLock { $0.append("\(state)") } }
        central.connect(peripheral)
        try await listener.next("connected")
        task.cancel()
        central.cancelPeripheralConnection(peripheral)
        try await listener.next("disconnected nil")
        #expect(seen.withLock { $0 } == ["disconnected", "connecting", "connected"])
    }
}

import Foundation
import HILDBus
import HILTiming
import RadioModel
import Synchronization
import TestSupport
import Testing

@testable import HILBlueZ

/// A bluetoothd with one device and one characteristic.
private final class FakeDaemon: Sendable {
    static let device = "/org/bluez/hci0/dev_02_00_00_00_02_B0"
    static let characteristic = "\(device)/service001a/char001b"

    /// The methods that were called.
    let calls = Mutex<[String]>([])
    /// The errors with which it fails the next calls; then it answers.
    private let failures: Mutex<[String]>

    /// Puts it on the bus.
    init(on bus: BusConnection, isPaired: Bool, failing messages: [String]) async throws {
        failures = Mutex(messages)
        let answer: @Sendable (BusCall) -> Void = { [self] call in
            calls.withLock { $0.append(call.member) }
            if let message = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                call.fail(BlueZ.ErrorName.failed, message)
            } else {
                call.reply(call.member == "ReadValue" ? [.bytes([7])] : [])
            }
        }
        let methods = ["ReadValue": answer, "WriteValue": answer]
        bus.export(BusObject([:], managesObjects: true), at: "/")
        bus.export(
            BusObject([BlueZ.Interface.device: .init(properties: { ["Paired": .boolean(isPaired)] })]),
            at: Self.device)
        bus.export(BusObject([BlueZ.Interface.characteristic: .init(methods: methods)]), at: Self.characteristic)
        try await bus.call(
            "RequestName", of: "org.freedesktop.DBus", on: "/org/freedesktop/DBus", at: "org.freedesktop.DBus",
            [.string(BlueZ.service), .uint32(0)], within: .seconds(300))
    }
}

@Suite("A request that bluetoothd loses when the pairing begins", .enabled(if: PrivateBus.isAvailable))
struct RepeatedRequestTests {
    private static let lost = "Operation failed with ATT error: 0x0e"

    /// Runs `body` with a client of a device whose bluetoothd fails the first calls.
    ///
    /// - Returns: The methods that were called.
    private func calls(
        isPaired: Bool = false, failing messages: [String], _ body: (BoardGATTClient) async throws -> Void
    ) async throws -> [String] {
        var calls: [String] = []
        try await PrivateBus.with { _, client, server in
            let fake = try await FakeDaemon(on: server, isPaired: isPaired, failing: messages)
            let daemon = BluetoothDaemon(client) { _ in }
            try await daemon.start(within: .seconds(300))
            _ = try await daemon.objects.first(within: .seconds(300), waitingFor: "the device") {
                $0[FakeDaemon.device]
            }
            try await body(BoardGATTClient(Device(daemon: daemon, path: FakeDaemon.device)))
            calls = fake.calls.withLock { $0 }
        }
        return calls
    }

    @Test("is made once more: a read or a write")
    func again() async throws {
        let limit = Duration.seconds(10)
        let reads = try await calls(failing: [Self.lost]) { client in
            let value = try await client.read(FakeDaemon.characteristic, within: limit)
            #expect(value == Data([7]))
        }
        #expect(reads == ["ReadValue", "ReadValue"])
        let writes = try await calls(failing: [Self.lost]) {
            try await $0.write(Data([1]), to: FakeDaemon.characteristic, withResponse: true, within: limit)
        }
        #expect(writes == ["WriteValue", "WriteValue"])
    }

    @Test("is not made a third time")
    func twice() async throws {
        let reads = try await calls(failing: [Self.lost, Self.lost]) { client in
            let error = await #expect(throws: BusError.self) {
                try await client.read(FakeDaemon.characteristic, within: .seconds(300))
            }
            #expect(error.map { RadioError(attribute: $0) } == .attribute(code: 0x0E))
        }
        #expect(reads == ["ReadValue", "ReadValue"])
    }

    @Test(
        "differs from an error of the peer: of a paired one, or another error",
        arguments: [
            (true, "Operation failed with ATT error: 0x0e"), (false, "Operation failed with ATT error: 0x80"),
            (false, "Operation failed"), (false, "Not connected"),
        ])
    func errorOfPeer(isPaired: Bool, message: String) async throws {
        let reads = try await calls(isPaired: isPaired, failing: [message]) { client in
            let error = await #expect(throws: BusError.self) {
                try await client.read(FakeDaemon.characteristic, within: .seconds(300))
            }
            #expect(error?.message == message)
        }
        #expect(reads == ["ReadValue"])
    }

    @Test("is not a write without response, which needs no answer")
    func command() async throws {
        let writes = try await calls(failing: [Self.lost]) { client in
            await #expect(throws: BusError.self) {
                try await client.write(
                    Data([1]), to: FakeDaemon.characteristic, withResponse: false, within: .seconds(300))
            }
        }
        #expect(writes == ["WriteValue"])
    }
}

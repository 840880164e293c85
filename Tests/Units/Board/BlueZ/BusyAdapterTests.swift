import HILDBus
import HILTiming
import Synchronization
import TestSupport
import Testing

@testable import HILBlueZ

/// A bluetoothd that changes its adapter by its own policy, and answers `Busy` meanwhile.
private final class BusyDaemon: Sendable {
    static let adapter = "/org/bluez/hci0"

    /// The values that were ordered.
    let orders = EventLog<BusValue>()
    private let isOn = Mutex(false)
    private let isBusy = Mutex(true)
    private let bus: BusConnection

    /// Puts it on the bus.
    init(on bus: BusConnection) async throws {
        self.bus = bus
        bus.export(BusObject([:], managesObjects: true), at: "/")
        let set: @Sendable (BusCall) -> Void = { [self] call in
            if !isBusy.withLock({ $0 }) {
                isOn.withLock { $0 = true }
                call.reply([])
                tell(["Powered": true])
            } else {
                call.fail(BlueZ.ErrorName.busy, "In progress")
            }
            orders.append(call.arguments.last ?? false)
        }
        bus.export(
            BusObject([
                BlueZ.Interface.adapter: .init(properties: { [self] in
                    ["Address": "02:00:00:00:02:B0", "Powered": .boolean(isOn.withLock { $0 })]
                }),
                "org.freedesktop.DBus.Properties": .init(methods: ["Set": set]),
            ]), at: Self.adapter)
        try await bus.call(
            "RequestName", of: "org.freedesktop.DBus", on: "/org/freedesktop/DBus", at: "org.freedesktop.DBus",
            [.string(BlueZ.service), .uint32(0)], within: .seconds(300))
    }

    /// Gives its own change up, which shows in another property than the one that is ordered.
    func giveUp() {
        isBusy.withLock { $0 = false }
        tell(["PowerState": "off"])
    }

    private func tell(_ properties: [String: BusValue]) {
        try? bus.emit(
            "PropertiesChanged", of: "org.freedesktop.DBus.Properties", on: Self.adapter,
            [.string(BlueZ.Interface.adapter), .properties(properties), .strings([])])
    }
}

@Suite("An adapter that bluetoothd is busy with", .enabled(if: PrivateBus.isAvailable))
struct BusyAdapterTests {
    private func with(_ body: @Sendable (BusyDaemon, Adapter) async throws -> Void) async throws {
        try await PrivateBus.with { _, client, server in
            let fake = try await BusyDaemon(on: server)
            let daemon = BluetoothDaemon(client) { _ in }
            try await daemon.start(within: .seconds(300))
            try await body(fake, try await daemon.adapter(within: .seconds(300)))
        }
    }

    @Test("is ordered again when that has changed something, whatever it was")
    func again() async throws {
        try await with { fake, adapter in
            async let done: Void = adapter.setPowered(true, within: .seconds(300))
            _ = try await fake.orders.first(within: .seconds(300), waitingFor: "the first order")
            fake.giveUp()
            try await done
            #expect(adapter.isPowered && fake.orders.count == 2)
        }
    }

    @Test("and stays so is an error that says it")
    func forEver() async throws {
        try await with { _, adapter in
            let error = await #expect(throws: TimedOut.self) {
                try await adapter.setPowered(true, within: .milliseconds(300))
            }
            #expect(error?.description.contains("busy with Powered") == true)
        }
    }
}

import Foundation
import HILDBus
import RadioModel
import TestSupport
import Testing

@testable import HILBlueZ

/// A bluetoothd that calls its services resolved before it tells of them. As the real one does, it tells everything
/// before it answers a call.
private enum LateDaemon {
    static let device = "/org/bluez/hci0/dev_02_00_00_00_02_B0"
    static let level = "00002a19-0000-1000-8000-00805f9b34fb"

    static func start(on bus: BusConnection) async throws {
        bus.export(BusObject([:], managesObjects: true), at: "/")
        let resolved: [String: BusValue] = ["Connected": true, "ServicesResolved": true]
        let answer: @Sendable (BusCall) -> Void = { call in
            let interfaces: BusValue = .dictionary(
                key: "s", value: "a{sv}",
                [.init(.string(BlueZ.Interface.characteristic), .properties(["UUID": .string(level)]))])
            try? bus.emit(
                "InterfacesAdded", of: "org.freedesktop.DBus.ObjectManager", on: "/",
                [.path("\(device)/service000e/char000f"), interfaces])
            call.reply([.properties(resolved)])
        }
        bus.export(
            BusObject([
                BlueZ.Interface.device: .init(properties: { resolved }, methods: ["Connect": { $0.reply([]) }]),
                "org.freedesktop.DBus.Properties": .init(methods: ["GetAll": answer]),
            ]), at: device)
        try await bus.call(
            "RequestName", of: "org.freedesktop.DBus", on: "/org/freedesktop/DBus", at: "org.freedesktop.DBus",
            [.string(BlueZ.service), .uint32(0)], within: .seconds(300))
    }
}

@Suite("Services that bluetoothd tells after it has called them resolved", .enabled(if: PrivateBus.isAvailable))
struct LateServicesTests {
    @Test("are there when a connection is made")
    func connect() async throws {
        try await PrivateBus.with { _, client, server in
            try await LateDaemon.start(on: server)
            let daemon = BluetoothDaemon(client) { _ in }
            try await daemon.start(within: .seconds(300))
            _ = try await daemon.objects.first(within: .seconds(300), waitingFor: "the device") {
                $0[LateDaemon.device]
            }
            let device = Device(daemon: daemon, path: LateDaemon.device)
            try await device.connect(isLinked: true, within: .seconds(300))
            let level = try #require(BluetoothUUID(LateDaemon.level))
            #expect(BoardGATTClient(device).path(of: level) == "\(LateDaemon.device)/service000e/char000f")
        }
    }
}

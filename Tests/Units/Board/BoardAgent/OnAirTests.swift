import BoardProtocol
import Foundation
import HILBlueZ
import HILDBus
import HILPOSIX
import RadioModel
import Synchronization
import TestSupport
import Testing

@testable import BoardAgent
@testable import HILTiming

@Suite("What an accessory has on the air", .enabled(if: PrivateBus.isAvailable))
struct OnAirTests {
    private static let lamp = AdvertisedContent(name: "Lamp", serviceUUIDs: [BluetoothUUID(short: 0xFF00)])

    /// Runs `body` with a board whose accessory is switched on.
    private func with(_ body: @Sendable (StubDaemon, BluetoothBoard) async throws -> Void) async throws {
        try await PrivateBus.with { _, client, server in
            let daemon = try await StubDaemon(on: server)
            let (near, far) = try UnixSocket.packetPair()
            let kernel = try PacketThread("kernel", reading: far, upTo: 4096) { command in
                // Command Complete with the command's code and the status for success.
                try? far.write([1, 0] + command[2..<4] + [3, 0] + command[..<2] + [0])
            }
            defer { kernel.stop() }
            let board = BluetoothBoard(accessories: [Lamp.self]) { _ in }
            try await board.start(
                on: client, management: ManagementChannel(on: near) { _, _ in }, beside: board)
            try await board.applyTransports(AdapterTransports())
            try await body(daemon, board)
        }
    }

    @Test("is restored after bonds were forgotten, if bluetoothd starts again meanwhile")
    func turns() async throws {
        try await with { daemon, board in
            try await board.advertise(Self.lamp)
            daemon.holdsEnd.withLock { $0 = true }
            async let forgotten: Void = board.forgetBonds()
            let held = try await daemon.held.first(within: .seconds(300), waitingFor: "the end of advertising") { _ in
                true
            }
            async let restored: Void = board.restoreOnAir()
            // Out of turn, it would switch the adapter off now.
            while board.airGate.waiters == 0, !daemon.orders.events.contains("off") { await Task.yield() }
            daemon.holdsEnd.withLock { $0 = false }
            held.event.reply()
            try await forgotten
            try await restored
            #expect(
                daemon.orders.events == [
                    "on", "offer", "end", "begin", "end", "offer", "end", "begin", "off", "on", "offer", "end",
                    "begin",
                ])
        }
    }

    @Test("is restored if bluetoothd ended while it was changed for a moment")
    func cutOff() async throws {
        try await with { daemon, board in
            try await board.advertise(Self.lamp)
            daemon.isDying.withLock { $0 = true }
            await #expect(throws: BusError.self) { try await board.forgetBonds() }
            daemon.isDying.withLock { $0 = false }
            let mark = daemon.orders.count
            try await board.restoreOnAir()
            #expect(daemon.orders.events.dropFirst(mark).last == "begin")
        }
    }

    @Test("is silent after a restart if it was, and still has its services")
    func silent() async throws {
        try await with { daemon, board in
            try await board.advertise(Self.lamp)
            try await board.pauseAdvertising()
            let mark = daemon.orders.count
            try await board.restoreOnAir()
            #expect(Array(daemon.orders.events.dropFirst(mark)) == ["off", "on", "offer"])
            try await board.stopAdvertising()
            let end = daemon.orders.count
            try await board.restoreOnAir()
            #expect(daemon.orders.count == end)
        }
    }
}

/// An accessory with one service.
private final class Lamp: AgentAccessory {
    enum Call: Codable, Sendable { case dim(Reply<Done>) }

    static let kind = "lamp"
    let attributes = AccessoryAttributes(
        services: [LocalService(uuid: BluetoothUUID(short: 0xFF00), characteristics: [])],
        handler: GATTServerHandler(read: { _, _ in }, write: { _, _, _ in }, subscribe: { _, _ in }))

    init(_ radio: any AccessoryRadio) {}

    func perform(_ call: Call) async throws -> Answer { throw RadioError.invalid("it cannot be dimmed") }
    func take(_ input: AccessoryInput) {}
    func answer(_ question: PairingQuestion, of phone: DeviceAddress?, _ answer: @escaping @Sendable (Bool) -> Void) {}
    func serve(on address: String) throws -> any Sendable { 0 }
}

/// A bluetoothd with one adapter, which records what it is told to do.
private final class StubDaemon: Sendable {
    private static let adapter = "/org/bluez/hci0"

    /// `on` and `off`: the adapter; `offer`: services; `begin` and `end`: advertising.
    let orders = EventLog<String>()
    /// Whether the end of advertising waits for the test's answer.
    let holdsEnd = Mutex(false)
    let held = EventLog<BusCall>()
    /// Whether it ends with each call.
    let isDying = Mutex(false)
    /// The adapter's properties.
    private let settings = Mutex<[String: BusValue]>(["Powered": false, "Discoverable": false])
    private let bus: BusConnection

    /// Puts it on the bus.
    init(on bus: BusConnection) async throws {
        self.bus = bus
        bus.export(BusObject([:], managesObjects: true), at: "/")
        bus.export(
            BusObject([
                BlueZ.Interface.agentManager: .init(methods: [
                    "RegisterAgent": { $0.reply() }, "RequestDefaultAgent": { $0.reply() },
                ])
            ]), at: "/org/bluez")
        bus.export(
            BusObject([
                BlueZ.Interface.adapter: .init(properties: { [self] in
                    settings.withLock { $0 }.merging(["Address": "02:00:00:00:02:B0"]) { $1 }
                }),
                "org.freedesktop.DBus.Properties": .init(methods: ["Set": { [self] in set($0) }]),
                BlueZ.Interface.gattManager: .init(methods: ["RegisterApplication": { [self] in take($0, as: "offer") }]
                ),
                BlueZ.Interface.advertisingManager: .init(methods: [
                    "RegisterAdvertisement": { [self] in take($0, as: "begin") },
                    "UnregisterAdvertisement": { [self] in take($0, as: "end") },
                ]),
            ]), at: Self.adapter)
        try await bus.call(
            "RequestName", of: "org.freedesktop.DBus", on: "/org/freedesktop/DBus", at: "org.freedesktop.DBus",
            [.string(BlueZ.service), .uint32(0)], within: .seconds(300))
    }

    private func take(_ call: BusCall, as order: String) {
        orders.append(order)
        if isDying.withLock({ $0 }) { return call.fail("org.freedesktop.DBus.Error.NoReply", "the peer has left") }
        if order == "end", holdsEnd.withLock({ $0 }) { return held.append(call) }
        call.reply()
    }

    private func set(_ call: BusCall) {
        guard call.arguments.count == 3, let property = call.arguments[1].asString else {
            return call.fail("org.freedesktop.DBus.Error.InvalidArgs", "a property and its value")
        }
        let value = call.arguments[2]
        if property == "Powered" { orders.append(value.asBool == true ? "on" : "off") }
        settings.withLock { $0[property] = value }
        call.reply()
        try? bus.emit(
            "PropertiesChanged", of: "org.freedesktop.DBus.Properties", on: Self.adapter,
            [.string(BlueZ.Interface.adapter), .properties([property: value]), .strings([])])
    }
}

import Foundation
import HILPOSIX
import HILTiming
import Synchronization
import TestSupport
import Testing

@testable import HILDBus

@Suite(.enabled(if: PrivateBus.isAvailable, "dbus-daemon is not installed"))
struct DBusTests {
    private static let echo = BusObject(["hil.Echo": .init(methods: ["Echo": { $0.reply($0.arguments) }])])

    @Test(
        "Values of every type are received as they were sent",
        arguments: [
            [.boolean(true), .byte(255), .int16(-2), .uint16(65535), .int32(.min), .uint32(.max)],
            [.int64(.min), .uint64(.max), .double(-0.5), "ä\u{1F3B2}", .path("/org/bluez/hci0"), .signature("a{sv}")],
            [.bytes([]), .bytes([UInt8](repeating: 7, count: 300)), .strings([]), .strings(["a", ""])],
            [
                .structure([.byte(1), .structure(["x"])]),
                .variant(.variant(.array(of: "ay", [.bytes([1]), .bytes([])]))),
            ],
            [.properties(["Type": "request", "MTU": .uint16(517)]), .properties([:])],
            [
                .dictionary(
                    key: "o", value: "a{sa{sv}}", [.init(.path("/a"), .dictionary(key: "s", value: "a{sv}", []))])
            ],
            [.array(of: "(qv)", [.structure([.uint16(1), .variant(.bytes([9]))])]), .array(of: "(qv)", [])],
        ] as [[BusValue]])
    func valuesComeBack(_ values: [BusValue]) async throws {
        try await PrivateBus.with { _, client, server in
            server.export(DBusTests.echo, at: "/echo")
            let back = try await client.call(
                "Echo", of: "hil.Echo", on: "/echo", at: server.uniqueName, values, within: .seconds(300))
            #expect(back == values)
        }
    }

    @Test("A received descriptor refers to the same open file")
    func descriptorIsPassed() async throws {
        try await PrivateBus.with { _, client, server in
            let (read, write) = try Descriptor.pipe()
            server.export(DBusTests.echo, at: "/echo")
            let back = try await client.call(
                "Echo", of: "hil.Echo", on: "/echo", at: server.uniqueName, [.descriptor(write)], within: .seconds(300))
            let copy = try #require(back.first?.asDescriptor)
            #expect(copy.raw != write.raw)
            try copy.write([1, 2, 3])
            #expect(try read.read() == [1, 2, 3])
        }
    }

    @Test(
        "A value that a message cannot hold is refused with a reason, and the connection stays open",
        arguments: [
            .string("a\0b"), .path("no/slash"), .path("/trailing/"), .signature("a"), .structure([]),
            .array(of: "s", [.byte(1)]), .array(of: "{sv}", []), .dictionary(key: "v", value: "s", []),
            (0..<40).reduce(BusValue.byte(1)) { value, _ in .variant(value) },
        ] as [BusValue])
    func invalidValueIsRefused(_ value: BusValue) async throws {
        try await PrivateBus.with { _, client, server in
            server.export(DBusTests.echo, at: "/echo")
            let error = await #expect(throws: BusError.self) {
                try await client.call(
                    "Echo", of: "hil.Echo", on: "/echo", at: server.uniqueName, [value], within: .seconds(300))
            }
            #expect(error?.name == BusError.Name.invalidArguments)
            #expect(error?.action == "calling hil.Echo.Echo of /echo")
            try await client.call("Echo", of: "hil.Echo", on: "/echo", at: server.uniqueName, within: .seconds(300))
        }
    }

    @Test("Errors have D-Bus names: the peer's own, unknown service, no reply in time, connection closed")
    func errorsAreNamed() async throws {
        try await PrivateBus.with { _, client, server in
            let forgotten = EventLog<BusCall>()
            server.export(
                BusObject([
                    "hil.Bad": .init(methods: [
                        "Fail": { $0.fail("org.bluez.Error.Failed", "as told") },
                        "Forget": { forgotten.append($0) },
                        "Drop": { _ in },
                    ])
                ]), at: "/bad")
            func name(_ member: String, at service: String, within limit: Duration = .seconds(10)) async -> String? {
                do { try await client.call(member, of: "hil.Bad", on: "/bad", at: service, within: limit) } catch {
                    return error.name
                }
                return nil
            }
            #expect(await name("Fail", at: server.uniqueName) == "org.bluez.Error.Failed")
            #expect(await name("Drop", at: server.uniqueName) == "org.freedesktop.DBus.Error.Failed")
            #expect(await name("Nothing", at: server.uniqueName) == BusError.Name.unknownMethod)
            #expect(await name("Fail", at: "hil.nobody") == BusError.Name.serviceUnknown)
            #expect(await name("Forget", at: server.uniqueName, within: .zero) == BusError.Name.noReply)
            async let waiting = name("Forget", at: server.uniqueName)
            _ = try await forgotten.first(from: 1, within: .seconds(300), waitingFor: "the second call")
            client.close()
            #expect(await waiting == BusError.Name.disconnected)
            #expect(await name("Fail", at: server.uniqueName) == BusError.Name.disconnected)
        }
    }

    @Test("Signals are handled in order, and before a later reply resumes its caller")
    func signalsComeBeforeReply() async throws {
        try await PrivateBus.with { _, client, server in
            server.export(
                BusObject([
                    "hil.Count": .init(methods: [
                        "Count": { call in
                            for number in 0..<100 {
                                try? server.emit("Counted", of: "hil.Count", on: "/count", [.int32(Int32(number))])
                            }
                            call.reply()
                        }
                    ])
                ]), at: "/count")
            let seen = Mutex<[Int]>([])
            try await client.subscribe(to: .init(interface: "hil.Count")) { signal in
                seen.withLock { $0 += signal.arguments.compactMap(\.asInt) }
            }
            try await client.call("Count", of: "hil.Count", on: "/count", at: server.uniqueName, within: .seconds(300))
            #expect(seen.withLock { $0 } == Array(0..<100))
        }
    }

    @Test("The copy of a service's objects follows its signals, its end and its restart")
    func treeFollows() async throws {
        try await PrivateBus.with { bus, client, server in
            let interface = BusObject.Interface(properties: { ["Powered": true] })
            server.export(BusObject([:], managesObjects: true), at: "/")
            server.export(BusObject(["hil.Adapter": interface]), at: "/hci0")
            let changes = EventLog<BusObjectTree.Change>()
            let tree = BusObjectTree(of: "hil.service", on: client) { changes.append($0) }
            try await tree.start(within: .seconds(300))
            #expect(tree.objects.isEmpty)
            async let adapter = tree.first(within: .seconds(300), waitingFor: "an adapter") { $0.keys.first }
            try await own("hil.service", server)
            let found = try await adapter
            #expect(found == "/hci0")
            var next = try await changes.first(within: .seconds(300), waitingFor: "the snapshot") {
                if case .added("/hci0", _) = $0 { true } else { false }
            }.next
            #expect(tree.properties(of: "/hci0", "hil.Adapter") == ["Powered": true])
            try server.emit(
                "PropertiesChanged", of: "org.freedesktop.DBus.Properties", on: "/hci0",
                ["hil.Adapter", .properties(["Alias": "x"]), .strings(["Powered"])])
            next = try await changes.first(from: next, within: .seconds(300), waitingFor: "the change").next
            #expect(tree.properties(of: "/hci0", "hil.Adapter") == ["Alias": "x"])
            server.close()
            _ = try await changes.first(from: next, within: .seconds(300), waitingFor: "the loss") {
                if case .serviceLost = $0 { true } else { false }
            }
            #expect(tree.objects.isEmpty)
            let clock = ManualClock()
            let wait = Task {
                try await tree.first(within: .seconds(1), waitingFor: "nothing", clock: clock) { $0.keys.first }
            }
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(1))
            await #expect(throws: TimedOut(waitingFor: "nothing", limit: .seconds(1))) { try await wait.value }
            let other = try BusConnection.open(address: bus.address)
            defer { other.close() }
            other.export(BusObject([:], managesObjects: true), at: "/")
            other.export(BusObject(["hil.Adapter": interface]), at: "/hci1")
            try await own("hil.service", other)
            _ = try await changes.first(within: .seconds(300), waitingFor: "the new objects") {
                if case .added("/hci1", _) = $0 { true } else { false }
            }
            #expect(Array(tree.objects.keys) == ["/hci1"])
        }
    }

    @Test("A change that follows the first list of objects at once is not lost")
    func changeAfterSnapshot() async throws {
        try await PrivateBus.with { _, client, server in
            let adapter = BusObject.Interface(properties: { ["Powered": false] })
            let manager = BusObject.Interface(methods: [
                "GetManagedObjects": { call in
                    let interfaces = BusValue.dictionary(
                        key: "s", value: "a{sv}", [.init(.string("hil.Adapter"), .properties(adapter.properties()))])
                    call.reply([.dictionary(key: "o", value: "a{sa{sv}}", [.init(.path("/hci0"), interfaces)])])
                    try? server.emit(
                        "PropertiesChanged", of: "org.freedesktop.DBus.Properties", on: "/hci0",
                        ["hil.Adapter", .properties(["Powered": true]), .strings([])])
                }
            ])
            server.export(BusObject(["org.freedesktop.DBus.ObjectManager": manager]), at: "/")
            try await own("hil.service", server)
            for _ in 0..<50 {
                let changes = EventLog<BusObjectTree.Change>()
                let tree = BusObjectTree(of: "hil.service", on: client) { changes.append($0) }
                try await tree.start(within: .seconds(300))
                _ = try await changes.first(within: .seconds(300), waitingFor: "the change") {
                    if case .changed = $0 { true } else { false }
                }
                #expect(tree.properties(of: "/hci0", "hil.Adapter") == ["Powered": true])
            }
        }
    }

    @Test("A change that the service does not report is in the copy after reading it")
    func treeReads() async throws {
        try await PrivateBus.with { _, client, server in
            let isConnected = Mutex(false)
            let device = BusObject.Interface(properties: { ["Connected": .boolean(isConnected.withLock { $0 })] })
            server.export(BusObject([:], managesObjects: true), at: "/")
            server.export(BusObject(["hil.Device": device]), at: "/device")
            try await own("hil.service", server)
            let changes = EventLog<BusObjectTree.Change>()
            let tree = BusObjectTree(of: "hil.service", on: client) { changes.append($0) }
            try await tree.start(within: .seconds(300))
            let place = try await changes.first(within: .seconds(300), waitingFor: "the snapshot") {
                if case .added("/device", _) = $0 { true } else { false }
            }.next
            isConnected.withLock { $0 = true }
            #expect(tree.properties(of: "/device", "hil.Device") == ["Connected": false])
            try await tree.read("/device", "hil.Device", within: .seconds(300))
            #expect(tree.properties(of: "/device", "hil.Device") == ["Connected": true])
            let change = try await changes.first(from: place, within: .seconds(300), waitingFor: "the change").event
            guard case .changed("/device", "hil.Device", ["Connected": true]) = change else {
                Issue.record("told \(change)")
                return
            }
            await #expect(throws: BusError.self) { try await tree.read("/nothing", "hil.Device", within: .seconds(10)) }
        }
    }

    private func own(_ name: String, _ connection: BusConnection) async throws {
        try await connection.call(
            "RequestName", of: "org.freedesktop.DBus", on: "/org/freedesktop/DBus", at: "org.freedesktop.DBus",
            [.string(name), .uint32(0)], within: .seconds(300))
    }

    @Test("A monitor hears calls and answers of others, and signals that match")
    func overhears() async throws {
        try await PrivateBus.with { bus, client, server in
            let monitor = try BusConnection.open(address: bus.address)
            defer { monitor.close() }
            let heard = EventLog<OverheardMessage>()
            try await monitor.monitor(["interface='hil.Echo'", "type='method_return',sender='\(server.uniqueName)'"]) {
                heard.append($0)
            }
            server.export(DBusTests.echo, at: "/echo")
            _ = try await client.call(
                "Echo", of: "hil.Echo", on: "/echo", at: server.uniqueName, ["x"], within: .seconds(300))
            try server.emit("Told", of: "hil.Echo", on: "/echo", ["y"])
            try server.emit("Told", of: "hil.Other", on: "/echo", ["z"])
            try server.emit("Ended", of: "hil.Echo", on: "/echo")
            _ = try await heard.first(within: .seconds(300), waitingFor: "the last signal") { $0.member == "Ended" }
            let events = heard.events
            #expect(events.map(\.kind) == [.call, .reply(to: events[0].serial), .signal, .signal])
            #expect(events.map(\.arguments) == [["x"], ["x"], ["y"], []])
            #expect(events[0].sender == client.uniqueName && events[1].destination == client.uniqueName)
        }
    }
}

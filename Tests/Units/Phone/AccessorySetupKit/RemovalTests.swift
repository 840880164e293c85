import AccessorySetupKit
import CoreBluetooth
import HILPhone
import HostRadio
import RadioModel
import TestSupport
import Testing

/// What an app still has of an accessory that is gone, or has changed meanwhile.
@Suite(.timeLimit(.minutes(1))) struct RemovalTests {
    private static let eight = DeviceAddress("9C:5A:81:00:00:08")!

    private func record(_ accessory: ASAccessory, on stand: SetupStand) throws -> AccessoryRecord {
        let all = stand.phone.store.accessories(of: DiceTestApp.bundle.identifier)
        return try #require(all.first { $0.bluetoothIdentifier == accessory.bluetoothIdentifier })
    }

    @Test("Until the app has handled accessoryRemoved, the removed identifier does not end it", .covers("C3"))
    func identifier() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        let (_, accessory) = try await stand.authorized()
        stand.addDie("Die 8", Self.eight)
        stand.phone.person.will(.pick("Die 8"))
        _ = try await stand.authorized()
        let queue = DispatchQueue(label: "central")
        let central = stand.phone.asCurrent { CBCentralManager(delegate: nil, queue: queue) }
        queue.sync {}
        #expect(central.state == .poweredOn)
        let identifier = try #require(accessory.bluetoothIdentifier)
        let record = try record(accessory, on: stand)
        stand.queue.suspend()
        await stand.phone.part(AccessorySetup.self).remove(record, from: DiceTestApp.bundle.identifier)
        queue.sync {}
        #expect(central.state == .poweredOn, "the app has another accessory")
        #expect(central.retrievePeripherals(withIdentifiers: [identifier]).isEmpty)
        #expect(stand.phone.store.isLeaving(identifier, from: DiceTestApp.bundle.identifier))
        stand.queue.resume()
        _ = try await stand.received(until: "accessoryRemoved Bluetooth Die")
        stand.queue.sync {}
        #expect(!stand.phone.store.isLeaving(identifier, from: DiceTestApp.bundle.identifier))
    }

    @Test("An object that the app holds keeps its values; a new authorization is another accessory", .covers("A8"))
    func objects() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        let (session, first) = try await stand.authorized()
        stand.phone.person.will(.rename("Lucky"))
        try await session.renameAccessory(first)
        let renamed = try #require(session.accessories.first)
        #expect(first == renamed && first.hash == renamed.hash && first !== renamed)
        #expect(first.displayName == "Bluetooth Die" && renamed.displayName == "Lucky")
        // The old object still names the accessory in later calls.
        try await session.removeAccessory(first)
        #expect(first.state == .authorized && session.accessories.isEmpty)
        let (_, second) = try await stand.authorized()
        #expect(second != first && second.bluetoothIdentifier == first.bluetoothIdentifier)
        await #expect { try await session.renameAccessory(first) } throws: { ASError.invalidRequest ~= $0 }
    }

    @Test("A name that comes after the removal changes nothing", .covers("A5", "A6"))
    func lateName() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        let (session, accessory) = try await stand.authorized()
        let record = try record(accessory, on: stand)
        let setup = stand.phone.part(AccessorySetup.self)
        await setup.remove(record, from: DiceTestApp.bundle.identifier)
        setup.rename(record, to: "Lucky", renamesSSID: false, for: DiceTestApp.bundle.identifier)
        #expect(session.accessories.isEmpty)
        stand.queue.sync {}
        #expect(!stand.received.events.contains { $0.hasPrefix("accessoryChanged") })
    }

    @Test("An upgrade adds to the accessory as it is by then, and fails if it is gone", .covers("A4"))
    func lateUpgrade() async throws {
        for isGone in [false, true] {
            let stand = try await SetupStand()
            stand.addNetwork("Die-7")
            let (session, accessory) = try await stand.authorized([stand.wifiItem(prefix: "Die-")])
            let setup = stand.phone.part(AccessorySetup.self)
            let app = DiceTestApp.bundle.identifier
            let record = try #require(stand.phone.store.accessories(of: app).first)
            let descriptor = ASDiscoveryDescriptor()
            descriptor.bluetoothServiceUUID = SetupStand.service
            let update = Task { try await session.updateAuthorization(for: accessory, descriptor: descriptor) }
            try await stand.screen(.settingUp)
            if isGone {
                await setup.remove(record, from: app)
            } else {
                setup.rename(record, to: "Lucky", renamesSSID: false, for: app)
            }
            stand.addDie()
            if isGone {
                await #expect { try await update.value } throws: { ASError.invalidRequest ~= $0 }
                #expect(session.accessories.isEmpty)
            } else {
                try await update.value
                let now = try #require(session.accessories.first)
                #expect(now.displayName == "Lucky" && now.ssid == "Die-7" && now.bluetoothIdentifier != nil)
                #expect(
                    now.descriptor.bluetoothServiceUUID == SetupStand.service && accessory.bluetoothIdentifier == nil)
            }
        }
    }

    @Test("finishAuthorization and failAuthorization return when they have had their effect", .covers("A2", "A3"))
    func conclusions() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        let session = stand.session()
        for isFinished in [true, false] {
            let start = stand.received.count
            try stand.show(session, [stand.item(setup: .confirmAuthorization)])
            _ = try await stand.received(from: start, until: "accessoryAdded Bluetooth Die")
            let waiting = try #require(session.accessories.first)
            if isFinished {
                try await session.finishAuthorization(for: waiting, settings: .default)
                #expect(session.accessories.map(\.state) == [.authorized])
            } else {
                try await session.failAuthorization(for: waiting)
                #expect(session.accessories.isEmpty)
            }
            await #expect { try await session.failAuthorization(for: waiting) } throws: { ASError.invalidRequest ~= $0 }
            _ = try await stand.received(from: start, until: isFinished ? "done" : "connectionFailed")
            if isFinished { try await session.removeAccessory(waiting) }
        }
    }
}

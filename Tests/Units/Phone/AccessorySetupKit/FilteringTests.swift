import AccessorySetupKit
import HILPhone
import HILTiming
import RadioModel
import Synchronization
import TestSupport
import Testing

/// Custom filtering: the app gets each discovered accessory before it is shown. Rules F1 to F4.
@Suite(.timeLimit(.minutes(1))) struct FilteringTests {
    /// A session with custom filtering, and the accessories from its `accessoryDiscovered` events.
    private final class Filter: Sendable {
        let stand: SetupStand
        let session: ASAccessorySession
        let found = EventLog<ASDiscoveredAccessory>()

        init(timeout: ASPickerDisplaySettings.DiscoveryTimeout = .unbounded) async throws {
            stand = try await SetupStand()
            session = stand.phone.asCurrent { ASAccessorySession() }
            session.activate(on: stand.queue) { [received = stand.received, found] event in
                received.append("\(event.eventType)")
                if let accessory = event.accessory as? ASDiscoveredAccessory { found.append(accessory) }
            }
            let settings = ASPickerDisplaySettings.default
            settings.discoveryTimeout = timeout
            settings.options.insert(.filterDiscoveryResults)
            session.pickerDisplaySettings = settings
        }

        func next(from start: Int = 0) async throws -> ASDiscoveredAccessory {
            try await found.first(from: start, within: .seconds(300), waitingFor: "accessoryDiscovered").event
        }

        /// Waits until the phone has handled all events of the radio so far.
        func waitForHandling() async throws {
            let start = stand.received.count
            session.finishPickerDiscovery { [received = stand.received] _ in received.append("handled") }
            _ = try await stand.received(from: start, until: "handled")
        }
    }

    @Test("A match is given to the app with its advertisement, and is not shown", .covers("F1", "E2"))
    func discovered() async throws {
        let filter = try await Filter()
        filter.stand.phone.person.isWilling = false
        filter.stand.addDie()
        try filter.stand.show(filter.session, [filter.stand.item()])
        let accessory = try await filter.next()
        #expect(accessory.bluetoothRSSI == -50)
        #expect(accessory.bluetoothAdvertisementData?[CBAdvertisementDataLocalNameKey] as? String == "Die 7")
        let services = accessory.bluetoothAdvertisementData?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
        #expect(services == [SetupStand.service])
        #expect(accessory.state == .unauthorized && accessory.bluetoothIdentifier == nil)
        #expect(accessory.displayName == "Bluetooth Die")
        #expect(filter.stand.phone.screen.first?.entries == [])
        filter.stand.addDie("Die 7 again")
        filter.stand.addDie("Die 8", DeviceAddress("9C:5A:81:00:00:08")!)
        #expect(try await filter.next(from: 1) != accessory, "each accessory is reported once")
        #expect(filter.session.accessories.isEmpty)
    }

    @Test("An accessory that the app accepts is shown and set up with the app's name and picture for it", .covers("F2"))
    func shown() async throws {
        let filter = try await Filter()
        filter.stand.addDie()
        filter.stand.addDie("Die 8", DeviceAddress("9C:5A:81:00:00:08")!)
        filter.stand.phone.person.will(.pick("Lucky Die"))
        try filter.stand.show(filter.session, [filter.stand.item()])
        let (seven, eight) = (try await filter.next(), try await filter.next(from: 1))
        let item = ASDiscoveredDisplayItem(
            name: "Lucky Die", productImage: try filter.stand.picture(), accessory: eight)
        let other = ASDiscoveredDisplayItem(
            name: "Sad Die", productImage: try filter.stand.picture(), accessory: seven)
        try await filter.session.updatePicker(showing: [other])
        try await filter.session.updatePicker(showing: [item])
        _ = try await filter.stand.received(until: "done")
        let accessory = try #require(filter.session.accessories.first)
        #expect(accessory.displayName == "Lucky Die" && accessory == eight)
        let id = filter.stand.phone.identifiers.identifier(of: DeviceAddress("9C:5A:81:00:00:08")!)
        #expect(accessory.bluetoothIdentifier == id)
        let shown = filter.stand.phone.shownScreens.filter { $0.kind == .picker }.map { $0.entries.map(\.title) }
        #expect(shown == [[], ["Sad Die"], ["Sad Die", "Lucky Die"]])
    }

    @Test(
        "updatePicker is refused without filtering, without a picker, or with an accessory of another picker",
        .covers("F2"))
    func refusals() async throws {
        let filter = try await Filter()
        filter.stand.phone.person.isWilling = false
        filter.stand.addDie()
        try filter.stand.show(filter.session, [filter.stand.item()])
        let accessory = try await filter.next()
        let item = ASDiscoveredDisplayItem(
            name: "Lucky Die", productImage: try filter.stand.picture(), accessory: accessory)
        filter.stand.phone.person.will(.cancel)
        _ = try await filter.stand.received(until: "userCancelled")
        let session = filter.session
        await #expect { try await session.updatePicker(showing: [item]) } throws: { ASError.invalidRequest ~= $0 }
        let start = filter.found.count
        try filter.stand.show(session, [filter.stand.item()])
        _ = try await filter.next(from: start)
        await #expect("the accessory is from another picker") {
            try await session.updatePicker(showing: [item])
        } throws: {
            ASError.invalidRequest ~= $0
        }
        let before = filter.stand.received.count
        filter.stand.phone.person.will(.cancel)
        _ = try await filter.stand.received(from: before, until: "userCancelled")
        session.pickerDisplaySettings = nil
        try filter.stand.show(session, [filter.stand.item()])
        await #expect { try await session.updatePicker(showing: [item]) } throws: { ASError.invalidRequest ~= $0 }
    }

    @Test("An unbounded discovery ends only when the app ends it, with the timeout message", .covers("F3"))
    func finish() async throws {
        let filter = try await Filter()
        filter.stand.addDie()
        try filter.stand.show(filter.session, [filter.stand.item()])
        _ = try await filter.next()
        filter.stand.clock.advance(by: .seconds(86_400))
        #expect(filter.stand.phone.screen.map(\.kind) == [.picker])
        try await filter.session.finishPickerDiscovery()
        let received = try await filter.stand.received(until: "discoveryTimeout")
        #expect(received.suffix(2) == ["pickerDidDismiss", "discoveryTimeout"])
        try await filter.stand.screen(.discoveryTimeout)
    }

    @Test("Ending the discovery after an update has no effect", .covers("F3"))
    func finishAfterUpdate() async throws {
        let filter = try await Filter()
        filter.stand.phone.person.isWilling = false
        filter.stand.addDie()
        try filter.stand.show(filter.session, [filter.stand.item()])
        let item = ASDiscoveredDisplayItem(
            name: "Lucky Die", productImage: try filter.stand.picture(), accessory: try await filter.next())
        try await filter.session.updatePicker(showing: [item])
        try await filter.session.finishPickerDiscovery()
        filter.stand.phone.person.will(.pick("Lucky Die"), .done)
        #expect(try await filter.stand.received(until: "done").contains("accessoryAdded"))
        #expect(!filter.stand.phone.shownScreens.contains { $0.kind == .discoveryTimeout })
    }

    @Test("At most twenty accessories are reported in one discovery", .covers("F4"))
    func limit() async throws {
        let filter = try await Filter()
        filter.stand.phone.person.isWilling = false
        for number in 1...25 {
            filter.stand.addDie("Die \(number)", DeviceAddress(bytes: [2, 0, 0, 0, 0, UInt8(number)])!)
        }
        try filter.stand.show(filter.session, [filter.stand.item()])
        _ = try await filter.next(from: 19)
        try await filter.waitForHandling()
        #expect(filter.found.count == 20)
        filter.stand.phone.person.will(.done)
        _ = try await filter.stand.received(until: "discoveryTimeout")
        try filter.stand.show(filter.session, [filter.stand.item()])
        _ = try await filter.next(from: 20)
    }

    @Test("An accessory found by Wi-Fi is reported without an advertisement", .covers("F1"))
    func wifi() async throws {
        let filter = try await Filter()
        filter.stand.phone.person.isWilling = false
        filter.stand.addNetwork("Die-7")
        try filter.stand.show(filter.session, [filter.stand.wifiItem(prefix: "Die-")])
        let accessory = try await filter.next()
        #expect(accessory.bluetoothAdvertisementData == nil && accessory.bluetoothRSSI == nil)
        #expect(accessory.ssid == "Die-7")
    }
}

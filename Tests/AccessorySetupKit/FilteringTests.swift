import AccessorySetupKit
import Phone
import RadioModel
import RuleCoverage
import Synchronization
import Testing
import Timing

/// A picker whose app sees what is found before the person does: rules F1 to F4.
@Suite(.timeLimit(.minutes(1))) struct FilteringTests {
    /// A session that filters, and the accessories that it told of.
    private final class Filter: Sendable {
        let stand: Stand
        let session: ASAccessorySession
        let found = EventLog<ASDiscoveredAccessory>()

        init(timeout: ASPickerDisplaySettings.DiscoveryTimeout = .unbounded) async throws {
            stand = try await Stand()
            session = stand.phone.asCurrent { ASAccessorySession() }
            session.activate(on: stand.queue) { [told = stand.told, found] event in
                told.append("\(event.eventType)")
                if let accessory = event.accessory as? ASDiscoveredAccessory { found.append(accessory) }
            }
            let settings = ASPickerDisplaySettings.default
            settings.discoveryTimeout = timeout
            settings.options.insert(.filterDiscoveryResults)
            session.pickerDisplaySettings = settings
        }

        func next(from place: Int = 0) async throws -> ASDiscoveredAccessory {
            try await found.first(from: place, within: .seconds(10), waitingFor: "accessoryDiscovered").event
        }

        /// Waits until the radio's events so far have been dealt with.
        func settle() async throws {
            let place = stand.told.count
            session.finishPickerDiscovery { [told = stand.told] _ in told.append("settled") }
            _ = try await stand.told(from: place, until: "settled")
        }
    }

    @Test("A match is told with what it advertised, and is not shown", .covers("F1", "E2"))
    func discovered() async throws {
        let filter = try await Filter()
        filter.stand.phone.person.isWilling = false
        filter.stand.addDie()
        try filter.stand.show(filter.session, [filter.stand.item()])
        let accessory = try await filter.next()
        #expect(accessory.bluetoothRSSI == -50)
        #expect(accessory.bluetoothAdvertisementData?[CBAdvertisementDataLocalNameKey] as? String == "Die 7")
        let services = accessory.bluetoothAdvertisementData?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
        #expect(services == [Stand.service])
        #expect(accessory.state == .unauthorized && accessory.bluetoothIdentifier == nil)
        #expect(accessory.displayName == "Bluetooth Die")
        #expect(filter.stand.phone.screen.first?.entries == [])
        filter.stand.addDie("Die 7 again")
        filter.stand.addDie("Die 8", DeviceAddress("9C:5A:81:00:00:08")!)
        #expect(try await filter.next(from: 1) != accessory, "each accessory is told once")
        #expect(filter.session.accessories.isEmpty)
    }

    @Test("What the app lets through is shown with its name and picture, and set up under that name", .covers("F2"))
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
        _ = try await filter.stand.told(until: "done")
        let accessory = try #require(filter.session.accessories.first)
        #expect(accessory.displayName == "Lucky Die" && accessory == eight)
        let id = filter.stand.phone.identifiers.identifier(of: DeviceAddress("9C:5A:81:00:00:08")!)
        #expect(accessory.bluetoothIdentifier == id)
        let shown = filter.stand.phone.shownScreens.filter { $0.kind == .picker }.map { $0.entries.map(\.title) }
        #expect(shown == [[], ["Sad Die"], ["Sad Die", "Lucky Die"]])
    }

    @Test("Updates without filtering, with strangers, or with no picker are refused", .covers("F2"))
    func refusals() async throws {
        let filter = try await Filter()
        filter.stand.phone.person.isWilling = false
        filter.stand.addDie()
        try filter.stand.show(filter.session, [filter.stand.item()])
        let accessory = try await filter.next()
        let item = ASDiscoveredDisplayItem(
            name: "Lucky Die", productImage: try filter.stand.picture(), accessory: accessory)
        filter.stand.phone.person.will(.cancel)
        _ = try await filter.stand.told(until: "userCancelled")
        let session = filter.session
        await #expect { try await session.updatePicker(showing: [item]) } throws: { ASError.invalidRequest ~= $0 }
        let place = filter.found.count
        try filter.stand.show(session, [filter.stand.item()])
        _ = try await filter.next(from: place)
        await #expect("it is of another picker") { try await session.updatePicker(showing: [item]) } throws: {
            ASError.invalidRequest ~= $0
        }
        filter.stand.phone.person.will(.cancel)
        _ = try await filter.stand.told(from: filter.stand.told.count, until: "userCancelled")
        session.pickerDisplaySettings = nil
        try filter.stand.show(session, [filter.stand.item()])
        await #expect { try await session.updatePicker(showing: [item]) } throws: { ASError.invalidRequest ~= $0 }
    }

    @Test("Unbounded never ends by itself; the app ends it with the timeout message", .covers("F3"))
    func finish() async throws {
        let filter = try await Filter()
        filter.stand.addDie()
        try filter.stand.show(filter.session, [filter.stand.item()])
        _ = try await filter.next()
        filter.stand.clock.advance(by: .seconds(86_400))
        #expect(filter.stand.phone.screen.map(\.kind) == [.picker])
        try await filter.session.finishPickerDiscovery()
        let told = try await filter.stand.told(until: "discoveryTimeout")
        #expect(told.suffix(2) == ["pickerDidDismiss", "discoveryTimeout"])
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
        #expect(try await filter.stand.told(until: "done").contains("accessoryAdded"))
        #expect(!filter.stand.phone.shownScreens.contains { $0.kind == .discoveryTimeout })
    }

    @Test("No more than twenty accessories are told of in one discovery", .covers("F4"))
    func limit() async throws {
        let filter = try await Filter()
        filter.stand.phone.person.isWilling = false
        for number in 1...25 {
            filter.stand.addDie("Die \(number)", DeviceAddress(bytes: [2, 0, 0, 0, 0, UInt8(number)])!)
        }
        try filter.stand.show(filter.session, [filter.stand.item()])
        _ = try await filter.next(from: 19)
        try await filter.settle()
        #expect(filter.found.count == 20)
        filter.stand.phone.person.will(.done)
        _ = try await filter.stand.told(until: "discoveryTimeout")
        try filter.stand.show(filter.session, [filter.stand.item()])
        _ = try await filter.next(from: 20)
    }

    @Test("An accessory found by Wi-Fi is told without an advertisement", .covers("F1"))
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

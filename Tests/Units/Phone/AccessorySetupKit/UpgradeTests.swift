import AccessorySetupKit
import HILPhone
import HostRadio
import RadioModel
import TestSupport
import Testing

/// An accessory gets another technology later (rule A4), or several during set-up (rules A2, O2).
@Suite(.timeLimit(.minutes(1))) struct UpgradeTests {
    private let publication = WiFiAwareService(
        address: DeviceAddress("02:00:00:00:00:0A")!, name: "_die._tcp", vendorName: "Dice Works", modelName: "Die 7")

    private func wifi(_ change: (ASDiscoveryDescriptor) -> Void) -> ASDiscoveryDescriptor {
        let descriptor = ASDiscoveryDescriptor()
        change(descriptor)
        return descriptor
    }

    @Test("The person allows a network by its name, and the app gets accessoryChanged", .covers("A4"))
    func ssid() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        let (session, accessory) = try await stand.authorized()
        let descriptor = wifi { ($0.bluetoothServiceUUID, $0.ssid) = (SetupStand.service, "Die-7") }
        stand.phone.person.will(.deny)
        await #expect { try await session.updateAuthorization(for: accessory, descriptor: descriptor) } throws: {
            ASError.userCancelled ~= $0
        }
        #expect(session.accessories.first?.ssid == nil)
        try await session.updateAuthorization(for: accessory, descriptor: descriptor)
        let received = try await stand.received(until: "accessoryChanged Bluetooth Die")
        #expect(received.last == "accessoryChanged Bluetooth Die")
        #expect(session.accessories.first?.ssid == "Die-7")
        #expect(session.accessories.first?.bluetoothIdentifier == accessory.bluetoothIdentifier)
        #expect(stand.phone.shownScreens.last { $0.kind == .upgrade }?.title.contains("Wi-Fi") == true)
        await #expect("the accessory already has this network") {
            try await session.updateAuthorization(for: accessory, descriptor: descriptor)
        } throws: { ASError.invalidRequest ~= $0 }
    }

    @Test("An accessory set up by Wi-Fi gets Wi-Fi Aware when it is found there", .covers("A4", "D10"))
    func wifiAware() async throws {
        let stand = try await SetupStand()
        stand.addNetwork("Die-7")
        let (session, accessory) = try await stand.authorized([stand.wifiItem(prefix: "Die-")])
        #expect(accessory.wifiAwarePairedDeviceID == 0)
        let descriptor = wifi { ($0.ssidPrefix, $0.wifiAwareServiceName) = ("Die-", "_die._tcp") }
        let update = Task { try await session.updateAuthorization(for: accessory, descriptor: descriptor) }
        try await stand.screen(.settingUp)
        stand.radio.add(publication)
        try await update.value
        #expect(session.accessories.first?.wifiAwarePairedDeviceID != 0)
        #expect(session.accessories.first?.ssid == "Die-7")
        #expect(!stand.radio.isDiscoveringWiFiAware)
    }

    @Test("A search that fails because of the rig is recorded as a fault of the rig")
    func rigFailure() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        let (session, accessory) = try await stand.authorized()
        stand.radio.breakWiFi("wpa_supplicant is gone")
        let descriptor = wifi { $0.ssidPrefix = "Die-" }
        await #expect { try await session.updateAuthorization(for: accessory, descriptor: descriptor) } throws: {
            ASError.unknown ~= $0
        }
        #expect(stand.phone.rigFaults == ["looking for Wi-Fi networks: wpa_supplicant is gone"])
    }

    @Test("A search that times out, is cancelled or is invalidated ends with the matching error", .covers("A4", "K8"))
    func notFound() async throws {
        let stand = try await SetupStand()
        stand.addNetwork("Die-7")
        let (session, accessory) = try await stand.authorized([stand.wifiItem(prefix: "Die-")])
        let descriptor = wifi { $0.bluetoothServiceUUID = SetupStand.service }
        func update(_ end: () async throws -> Void) async throws -> (any Error)? {
            let start = stand.phone.log.count
            let update = Task { try await session.updateAuthorization(for: accessory, descriptor: descriptor) }
            _ = try await stand.phone.log.first(from: start, within: .seconds(300), waitingFor: "the search") {
                if case .screen(let screen?) = $0.kind { screen.kind == .settingUp } else { false }
            }
            try await end()
            do { try await update.value } catch { return error }
            return nil
        }
        let late = try await update {
            await stand.clock.sleepers(atLeast: 1)
            stand.clock.advance(by: .seconds(30))
        }
        #expect(SetupStand.text(late) == "discoveryTimeout")
        #expect(SetupStand.text(try await update { stand.phone.person.will(.cancel) }) == "userCancelled")
        #expect(SetupStand.text(try await update { session.invalidate() }) == "invalidated")
        #expect(!stand.radio.isDiscovering && stand.phone.screen.isEmpty)
    }

    @Test(
        "Bluetooth first, then the network by finishAuthorization; joining it shows no prompt",
        .covers("A2", "O2", "W1"))
    func twoTechnologies() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        let session = stand.session()
        let item = try stand.item(setup: .confirmAuthorization)
        let descriptor = wifi {
            ($0.bluetoothServiceUUID, $0.ssidPrefix) = (SetupStand.service, "Die-")
        }
        let both = ASPickerDisplayItem(name: item.name, productImage: item.productImage, descriptor: descriptor)
        both.setupOptions = [.confirmAuthorization, .finishInApp]
        stand.show(session, [both])
        _ = try await stand.received(until: "accessoryAdded Bluetooth Die")
        let waiting = try #require(session.accessories.first)
        #expect(waiting.state == .awaitingAuthorization && waiting.ssid == nil)
        let settings = ASAccessorySettings.default
        for bad in ["", String(repeating: "x", count: 33)] {
            settings.ssid = bad
            await #expect { try await session.finishAuthorization(for: waiting, settings: settings) } throws: {
                ASError.invalidRequest ~= $0
            }
        }
        settings.ssid = "Die-7"
        try await session.finishAuthorization(for: waiting, settings: settings)
        #expect(try await stand.received(until: "done").contains("accessoryChanged Bluetooth Die"))
        try await stand.screen(.setupComplete) { $0.lines == ["Finish the setup in the app."] }
        stand.addNetwork("Die-7")
        let request = HotspotRequest(name: .exact("Die-7"))
        let failure = await withCheckedContinuation { done in
            stand.phone.network.apply(request) { done.resume(returning: $0) }
        }
        #expect(failure == nil)
        #expect(!stand.phone.shownScreens.contains { $0.kind == .joinNetwork })
    }
}

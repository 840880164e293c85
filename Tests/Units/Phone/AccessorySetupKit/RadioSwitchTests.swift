import AccessorySetupKit
import HILPhone
import HostRadio
import RadioModel
import TestSupport
import Testing

/// The person switches Bluetooth and Wi-Fi off and on in Settings: rules K18, A4.
@Suite(.timeLimit(.minutes(1))) struct RadioSwitchTests {
    @Test("A picker shown while Bluetooth is off finds the accessory when Bluetooth is on", .covers("K18"))
    func offBefore() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        await stand.phone.switchBluetooth(false)
        let session = stand.session()
        try stand.show(session, [stand.item(supports: .bluetoothPairingLE)])
        try await stand.screen(.picker) { !$0.lines.isEmpty }
        #expect(!stand.radio.isDiscovering)
        stand.phone.person.will(.switchBluetoothOn)
        #expect(try await stand.received(until: "done").contains("accessoryAdded Bluetooth Die"))
        #expect(stand.phone.rigFaults.isEmpty, "Bluetooth that is off is not an error of the rig")
    }

    @Test(
        "Switching Bluetooth off while the passkey is shown cancels the pairing without a confirmation",
        .covers("K18", "K10"))
    func offAtThePasskey() async throws {
        let stand = try await SetupStand()
        stand.addDie(pairing: .compares(passkey: 123_456))
        stand.phone.person.will(.switchBluetoothOff, at: .passkey)
        let session = stand.session()
        try stand.show(session, [stand.item(supports: .bluetoothPairingLE)])
        let received = try await stand.received(until: "connectionFailed")
        #expect(
            received.contains("pickerSetupFailed connectionFailed")
                && !received.contains("accessoryAdded Bluetooth Die"))
        #expect(stand.radio.bonds.isEmpty && session.accessories.isEmpty)
        let done = stand.phone.log.events.compactMap {
            if case .person(let action, _) = $0.kind { action } else { nil }
        }
        #expect(done == [.pick("Die 7"), .switchBluetoothOff, .done])
        #expect(!stand.phone.bluetoothIsOn && stand.phone.person.unfinished.isEmpty)
    }

    @Test("The search of an upgrade continues when the radio is on again", .covers("A4", "K18"))
    func upgrade() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        let (session, accessory) = try await stand.authorized()
        await stand.phone.switchWiFi(false)
        let descriptor = ASDiscoveryDescriptor()
        descriptor.ssidPrefix = "Die"
        let start = stand.received.count
        session.updateAuthorization(for: accessory, descriptor: descriptor) { [received = stand.received] error in
            received.append(SetupStand.text(error))
        }
        try await stand.screen(.settingUp)
        stand.addNetwork("Die 7")
        await stand.phone.switchWiFi(true)
        // Two sleeps: the timeout of the search, and the pause between two scans.
        await stand.clock.sleepers(atLeast: 2)
        stand.clock.advance(by: stand.phone.policy.wifiScanInterval)
        _ = try await stand.received(from: start, until: "done")
        #expect(session.accessories.first?.ssid == "Die 7")
    }

    @Test("The person uses the switches in the given order, while another screen is up", .covers("K18"))
    func order() async throws {
        let stand = try await SetupStand()
        stand.phone.person.isWilling = false
        let session = stand.session()
        try stand.show(session, [stand.item(), try stand.wifiItem(prefix: "Die")])
        try await stand.screen(.picker)
        stand.phone.person.will(.switchWiFiOff, .switchBluetoothOff, .switchWiFiOn, .switchBluetoothOn)
        _ = try await stand.phone.log.first(within: .seconds(300), waitingFor: "the last switch") {
            if case .radio(.bluetoothPower(true)) = $0.kind { true } else { false }
        }
        let pages = stand.phone.shownScreens.filter { $0.kind == .switches }
        #expect(
            pages.map { $0.entries.map(\.detail) } == [
                ["Not Connected", "On"], ["Off", "On"], ["Off", "Off"], ["Not Connected", "Off"],
            ])
        #expect(stand.phone.person.unfinished.isEmpty)
    }

    @Test("Actions that are not possible, or whose screen never appears, are reported as unfinished", .covers("K18"))
    func unfinished() async throws {
        let stand = try await SetupStand()
        await stand.phone.switchBluetooth(false)
        stand.phone.person.will(.switchBluetoothOff)
        stand.phone.person.will(.cancel, at: .forwarding)
        let texts = stand.phone.person.unfinished.map(\.description)
        #expect(
            texts.count == 2 && texts[0].contains("switch Bluetooth off") && texts[0].contains("[switchBluetoothOn]"))
        #expect(texts[1].contains("at the screen “forwarding”"))
    }

    @Test("Bluetooth that goes off without anybody switching it off is a fault of the rig", .covers("K18"))
    func offByTheRig() async throws {
        let stand = try await SetupStand()
        stand.addDie()
        let radio = stand.radio
        // The board's radio goes off without an event.
        radio.losePowerSilently()
        let session = stand.session()
        try stand.show(session, [stand.item()])
        _ = try await stand.phone.log.first(within: .seconds(300), waitingFor: "the fault") {
            if case .rigFailure(let what) = $0.kind { what.contains("nobody switched it off") } else { false }
        }
    }
}

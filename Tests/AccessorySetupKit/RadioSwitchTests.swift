import AccessorySetupKit
import HostRadio
import Phone
import RadioModel
import RuleCoverage
import Testing

/// Bluetooth and Wi-Fi that the person switches off and on in Settings: rules K18, A4.
@Suite(.timeLimit(.minutes(1))) struct RadioSwitchTests {
    @Test("A picker that comes up with Bluetooth off finds the accessory once it is on", .covers("K18"))
    func offBefore() async throws {
        let stand = try await Stand()
        stand.addDie()
        await stand.phone.switchBluetooth(false)
        let session = stand.session()
        try stand.show(session, [stand.item(supports: .bluetoothPairingLE)])
        try await stand.screen(.picker) { !$0.lines.isEmpty }
        #expect(!stand.radio.isDiscovering)
        stand.phone.person.will(.switchBluetoothOn)
        #expect(try await stand.told(until: "done").contains("accessoryAdded Bluetooth Die"))
        #expect(stand.phone.rigFaults.isEmpty, "off is a state of the phone")
    }

    @Test("Off at the number cancels the pairing, and nobody confirms it meanwhile", .covers("K18", "K10"))
    func offAtTheNumber() async throws {
        let stand = try await Stand()
        stand.addDie(pairing: .compares(passkey: 123_456))
        stand.phone.person.will(.switchBluetoothOff, at: .passkey)
        let session = stand.session()
        try stand.show(session, [stand.item(supports: .bluetoothPairingLE)])
        let told = try await stand.told(until: "connectionFailed")
        #expect(told.contains("pickerSetupFailed connectionFailed") && !told.contains("accessoryAdded Bluetooth Die"))
        #expect(stand.radio.bonds.isEmpty && session.accessories.isEmpty)
        let done = stand.phone.log.events.compactMap {
            if case .person(let action, _) = $0.kind { action } else { nil }
        }
        #expect(done == [.pick("Die 7"), .switchBluetoothOff, .done])
        #expect(!stand.phone.bluetoothIsOn && stand.phone.person.unfinished.isEmpty)
    }

    @Test("A search for what an upgrade lacks goes on when the radio is on again", .covers("A4", "K18"))
    func upgrade() async throws {
        let stand = try await Stand()
        stand.addDie()
        let (session, accessory) = try await stand.authorized()
        await stand.phone.switchWiFi(false)
        let descriptor = ASDiscoveryDescriptor()
        descriptor.ssidPrefix = "Die"
        let place = stand.told.count
        session.updateAuthorization(for: accessory, descriptor: descriptor) { [told = stand.told] error in
            told.append(Stand.text(error))
        }
        try await stand.screen(.settingUp)
        stand.addNetwork("Die 7")
        await stand.phone.switchWiFi(true)
        // The limit of the search and the pause between two scans.
        await stand.clock.sleepers(atLeast: 2)
        stand.clock.advance(by: stand.phone.policy.wifiScanInterval)
        _ = try await stand.told(from: place, until: "done")
        #expect(session.accessories.first?.ssid == "Die 7")
    }

    @Test("Switches are flipped in the order told, over whatever is on the screen", .covers("K18"))
    func order() async throws {
        let stand = try await Stand()
        stand.phone.person.isWilling = false
        let session = stand.session()
        try stand.show(session, [stand.item(), try stand.wifiItem(prefix: "Die")])
        try await stand.screen(.picker)
        stand.phone.person.will(.switchWiFiOff, .switchBluetoothOff, .switchWiFiOn, .switchBluetoothOn)
        _ = try await stand.phone.log.first(within: .seconds(10), waitingFor: "the last switch") {
            if case .radio(.bluetoothPower(true)) = $0.kind { true } else { false }
        }
        let pages = stand.phone.shownScreens.filter { $0.kind == .switches }
        #expect(
            pages.map { $0.entries.map(\.detail) } == [
                ["Not Connected", "On"], ["Off", "On"], ["Off", "Off"], ["Not Connected", "Off"],
            ])
        #expect(stand.phone.person.unfinished.isEmpty)
    }

    @Test("A switch that is off already is never switched off, and a moment that never comes is told", .covers("K18"))
    func unfinished() async throws {
        let stand = try await Stand()
        await stand.phone.switchBluetooth(false)
        stand.phone.person.will(.switchBluetoothOff)
        stand.phone.person.will(.cancel, at: .forwarding)
        let texts = stand.phone.person.unfinished.map(\.description)
        #expect(
            texts.count == 2 && texts[0].contains("switch Bluetooth off") && texts[0].contains("[switchBluetoothOn]"))
        #expect(texts[1].contains("at the screen “forwarding”"))
    }

    @Test("Bluetooth that is off although nobody switched it off is the rig's fault", .covers("K18"))
    func nobodysDoing() async throws {
        let stand = try await Stand()
        stand.addDie()
        let radio = stand.radio
        // The board's radio goes, and its news does not come.
        radio.losePowerSilently()
        let session = stand.session()
        try stand.show(session, [stand.item()])
        _ = try await stand.phone.log.first(within: .seconds(10), waitingFor: "the fault") {
            if case .rigFault(let what) = $0.kind { what.contains("nobody switched it off") } else { false }
        }
    }
}

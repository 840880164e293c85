import HIL
import HILTiming
import Network

/// A guest network, or a router that isolates its clients: phone and accessory are both online, and the phone cannot
/// find the accessory. Here the “firmware” is the router's.
///
/// Report: https://github.com/peetzweg/opendisplay/pull/226
let isolatedLampIsNotFound = Scenario(
    "A lamp is found in a home whose router passes packets between its clients", .tags("field", .wifi), .covers("W9"),
    .needs(.homeRouter, .homeControl), over: Firmware.axis
) { lab, firmware in
    let (home, _) = try await lab.lampAtHome(isolatesClients: firmware == .broken)
    lab.expect(home.events.all(.gaveAddress).count, equals: 1, "the lamp has an address of the home in any case")
    lab.expect(lab.phone.network.link?.ssid, equals: home.ssid, "and so has the phone")
    try await lab.expect(firmware, "the lamp is found") { try await lab.findsLamp() }
}

/// Firmware that joins the network once, and never looks for it again after the router was restarted.
///
/// Report: https://github.com/aws/amazon-freertos/issues/3151
let lampComesBackToItsRouter = Scenario(
    "A lamp is in the home's network again after the router was restarted", .tags("field", .wifi),
    .needs(.homeRouter, .homeControl), .budget(.seconds(90)), over: Firmware.axis
) { lab, firmware in
    let (home, lamp) = try await lab.lampAtHome()
    let mark = lamp.events.mark
    try await home.close()
    try await lamp.events.next(.lostNetwork, since: mark, within: .seconds(20))
    if firmware == .broken { try await lamp.leaveNetwork() }
    try await home.switchOn()
    try await lab.expect(firmware, "the lamp is back") {
        do {
            _ = try await lamp.events.next(.joinedNetwork, since: mark, within: .seconds(6))
            return true
        } catch is TimedOut { return false }
    }
}

/// Firmware that announces its service when it starts, and not again when it is back in the network: the app shows
/// “not responding” until somebody restarts the accessory.
///
/// Report: https://github.com/Mixiaoxiao/Arduino-HomeKit-ESP8266/issues/166
let serviceIsOfferedAgain = Scenario(
    "A lamp that is back in the home's network offers its service again", .tags("field", .wifi), .covers("W9"),
    .needs(.homeRouter, .homeControl), .budget(.seconds(90)), over: Firmware.axis
) { lab, firmware in
    let (home, lamp) = try await lab.lampAtHome()
    _ = try await lab.foundAtHome()
    let mark = lamp.events.mark
    try await home.close()
    try await lamp.events.next(.lostNetwork, since: mark, within: .seconds(20))
    if firmware == .broken { try await lamp.offerServices([]) }
    try await home.switchOn()
    try await lamp.events.next(.joinedNetwork, since: mark, within: .seconds(20))
    try await lab.becomes("the phone is at home", within: .seconds(30)) { lab.phone.network.link?.ssid == home.ssid }
    try await lab.expect(firmware, "the lamp is found") { try await lab.findsLamp() }
}

/// A passphrase with a typing mistake: the firmware gives up Bluetooth with its only try, and the person has to reset
/// the accessory.
///
/// Report: https://github.com/espressif/arduino-esp32/issues/4139
let wrongPassphraseCanBeCorrected = Scenario(
    "After a wrong passphrase, the lamp still takes the right one over Bluetooth", .tags("field", .wifi), .covers("C4"),
    .needs(.homeRouter, .homeControl), .budget(.seconds(90)), over: Firmware.axis
) { lab, firmware in
    let home = try await lab.homeNetwork.open()
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp(.homeLamp(), pairing: false)
    let wrong = Data("\(home.ssid)\nnot the passphrase".utf8)
    lab.expect(try await lab.provision(peripheral, with: wrong, probe), equals: 0x81, "the lamp says so")
    lab.expect(home.events.all(.joined).isEmpty, "the lamp is not in the home's network")
    if firmware == .broken {
        try await lamp.advertise(nil)
        try await lamp.disconnect()
        try await probe.next(.disconnected, within: .seconds(10))
    }
    try await lab.expect(firmware, "the lamp gets the right one") {
        guard peripheral.state == .connected else { return false }
        let outcome = try await lab.provision(peripheral, with: home.credentials, probe)
        return outcome == 0 && !home.events.all(.joined).isEmpty
    }
}

/// The phone is in its network at 5 GHz, and the app hands over the name of that network. The accessory's radio knows
/// 2.4 GHz only, does not find it, and all that the app can say is that the setup failed. An app that first asks which
/// networks the accessory hears tells the person, who switches the router's 2.4 GHz on.
///
/// Reports: https://github.com/espressif/esp-matter/issues/1162,
/// https://github.com/project-chip/connectedhomeip/issues/10180
let lampHearsTheHome = Scenario(
    "A lamp that hears 2.4 GHz only comes into a home that was at 5 GHz", .tags("field", .wifi), .covers("C4"),
    .needs(.homeRouter, .homeControl), .budget(.seconds(90)), over: AppVersion.axis
) { lab, version in
    let home = try await lab.homeNetwork.open(channel: 36)
    try await home.joinPhone()
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp(
        .homeLamp { $0.bands = [.band2GHz] }, pairing: false)
    lab.expect(lab.phone.network.link?.ssid, equals: home.ssid, "the phone is at home, at 5 GHz")
    if version == .mended {
        peripheral.readValue(for: try peripheral.found("FF11"))
        let heard = String(decoding: try await probe.next(.value, within: .seconds(20)), as: UTF8.self)
        lab.expect(
            !heard.split(separator: "\n").contains("\(home.ssid)"), "the lamp says that it does not hear the home")
        try await home.close()
        try await home.open(ssid: home.ssid, passphrase: home.passphrase, channel: 6)
    }
    try await lab.expect(version, "the lamp is at home") {
        let outcome = try await lab.provision(peripheral, with: home.credentials, probe)
        return outcome == 0 && !home.events.all(.joined).isEmpty
    }
    let reason = lamp.events.all(.unheardNetwork)
    lab.expect(reason, equals: version == .broken ? [home.ssid] : [], "the story says what the lamp does not hear")
}

import AccessorySetupKit
import BoardProtocol
import DiceApp
import HIL
import Phone
import RadioModel
import Timing

/// Networks on channels of 2.4 and 5 GHz, at their edges, too: the phone hears them all, finds the die's on a channel that comes
/// into use while it looks, and joins it wherever it goes.
let networksAreOnManyChannels = Scenario(
    "Networks on 1, 6, 11, 13, 36 and 149 are heard, and the die's is found and joined on three of them", .tags(.wifi),
    .covers("D9", "W4"), .budget(.seconds(90))
) { lab in
    for channel in [1, 6, 11, 36, 149] {
        try await lab.air.add(
            .accessPoint(
                AirAccessPoint(
                    ssid: "Net \(channel)", bssid: DeviceAddress(bytes: [2, 0, 0, 0x0C, 0, UInt8(channel)])!,
                    channel: channel)))
    }
    let app = try await lab.phone.launch(DiceApp.self)
    let item = ASPickerDisplayItem(
        name: "Wi-Fi Die", productImage: try app.picture, descriptor: .network(exact: "Die 7"))
    let place = lab.phone.log.count
    let picker = Task { try await app.session.showPicker(for: [item]) }
    try await lab.step("look in vain", within: .seconds(10)) { try await lab.phone.shows(.picker, since: place) }
    // Nothing is on channel 13 before.
    let die = try await lab.accessory.powerOn(.die(named: "Die 7", security: .wpa3, channel: 13))
    try await lab.step("find it", within: .seconds(15)) { try await picker.value }
    lab.expect(app.session.accessories.map(\.ssid), equals: ["Die 7"], "the picker found the die's network")

    let heard = try await lab.step("hear all", within: .seconds(5)) { try await lab.phone.radio.scanWiFi() }
    lab.expect(
        heard.map { "\($0.ssid) \($0.frequency)" }.sorted(),
        equals: ["Die 7 2472", "Net 1 2412", "Net 11 2462", "Net 149 5745", "Net 36 5180", "Net 6 2437"],
        "the phone hears each network on its channel")

    for channel in [13, 36, 149] {
        if channel != 13 {
            try await die.openNetwork(
                NetworkConfiguration(
                    ssid: "Die 7", security: .wpa3, passphrase: "seven is a prime", channel: channel))
        }
        try await lab.step("join on \(channel)", within: .seconds(15)) {
            try await app.joinWiFi(ssid: "Die 7", passphrase: "seven is a prime")
        }
        _ = try await lab.askDieOverIP()
        let frequency = UInt16(try WiFiChannel(channel).frequency)
        // As radiotap has it: the frequency, then OFDM of the band, in which the handshake's answers are sent.
        let words = [UInt8(frequency & 0xFF), UInt8(frequency >> 8)] + (frequency < 4000 ? [0xC0, 0] : [0x40, 1])
        lab.expect(try await lab.air.captured(containing: words), "the capture has frames on \(frequency) MHz")
        let left = lab.phone.log.count
        try await die.closeNetwork(ssid: "Die 7")
        try await lab.phone.notices("the network to be lost", since: left) {
            if case .wifiLost = $0 { true } else { false }
        }
    }
    try await die.openNetwork(NetworkConfiguration(ssid: "Die 7", security: .open, channel: 6))
    try await lab.expect(
        throwing: RadioError.self, "a channel on which to listen for radar first is refused",
        where: { "\($0)".contains("DFS") }
    ) {
        try await die.openNetwork(NetworkConfiguration(ssid: "Radar", security: .open, channel: 100))
    }
    try await lab.expect(
        throwing: RadioError.self, "one radio is on one channel", where: { "\($0)".contains("channel 6") }
    ) {
        try await die.openNetwork(NetworkConfiguration(ssid: "Elsewhere", security: .open, channel: 1))
    }
}

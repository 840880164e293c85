import DiceApp
import HIL

let airIsCrowded = Scenario(
    "Among twenty advertisers and twenty networks, the right die is picked and joined",
    .tags(.faults, .robustness, .discovery, .wifi), .needs(.air), .covers("D4", "W4"), .budget(.seconds(120))
) { lab in
    let (advertisers, points) = ((1...20).map(AirAdvertiser.neighbour), (1...20).map(AirAccessPoint.neighbour))
    for advertiser in advertisers { try await lab.air.add(.advertiser(advertiser)) }
    for point in points { try await lab.air.add(.accessPoint(point)) }
    let die = try await lab.accessory.powerOn(.die(named: "Die 7", security: .wpa3))
    try await lab.hear(advertisers, within: .seconds(30))

    let (app, accessory) = try await lab.pair(within: .seconds(30))
    lab.expect(app.session.accessories.count, equals: 1, "one die is authorised")
    lab.expect(try await die.events.next(.bonded).isSecureConnections, "the paired die is the board's")

    // A scan stays on a channel only a little longer than a beacon interval, so it may miss one network of twenty.
    let networks = try await lab.step("hear every network", within: .seconds(15)) {
        var heard: [DeviceAddress: WiFiNetwork] = [:]
        while !points.allSatisfy({ heard[$0.bssid] != nil }) {
            for network in try await lab.phone.radio.scanWiFi() { heard[network.bssid] = network }
        }
        return heard
    }
    for point in points {
        let network = networks[point.bssid]
        lab.expect(network?.ssid, equals: point.ssid, "the network of \(point.bssid) shows its name")
        lab.expect(network?.security, equals: point.security, "“\(point.ssid)” shows its security")
    }
    try await lab.step("join", within: .seconds(20)) { try await app.joinWiFi(of: accessory) }
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is on the die's network")
}

/// Their fields are wrong, repeated or contradictory, and their names are not valid text.
let airSendsMalformedAdvertisements = Scenario(
    "A die is found among malformed advertisements", .tags(.discovery, .robustness, .faults), .needs(.air),
    .covers("D4", "K1"),
    .budget(.seconds(90))
) { lab in
    let all = (0...31).map(AirAdvertiser.malformed)
    for advertiser in all { try await lab.air.add(.advertiser(advertiser)) }
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    try await lab.hear(all, within: .seconds(40))
    let (app, accessory) = try await lab.pair(within: .seconds(20))
    lab.expect(app.session.accessories, equals: [accessory], "the die is the app's")
    lab.expect(lab.phone.shownPickers.allSatisfy { $0.entries.count <= 1 }, "nothing else was offered")
}

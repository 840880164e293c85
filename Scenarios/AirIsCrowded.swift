import DiceApp
import DieProtocol
import Foundation
import HIL
import Phone
import RadioModel
import Timing

/// Among twenty other Bluetooth devices, half of them dice of others, and twenty other networks, the right die is picked
/// and its network joined.
let airIsCrowded = Scenario(
    "Among twenty advertisers and twenty networks, the right die is picked and joined",
    .tags(.faults, .robustness, .discovery, .wifi), .covers("D4", "W4"), .budget(.seconds(120))
) { lab in
    for number in 1...20 {
        try await lab.air.add(.advertiser(.neighbour(number)))
        try await lab.air.add(.accessPoint(.neighbour(number)))
    }
    let die = try await lab.accessory.powerOn(.die(named: "Die 7", security: .wpa3))
    try await lab.step("hear them all", within: .seconds(30)) {
        try await lab.phone.radio.startDiscovery()
        for number in 1...20 { try await lab.phone.hear(.neighbour(number)) }
        try await lab.phone.radio.stopDiscovery()
    }

    let app = try await lab.phone.launch(DiceApp.self)
    lab.phone.person.will(.pick("Die 7"))
    let accessory = try await lab.step("pick and pair", within: .seconds(30)) { try await app.addDie() }
    lab.expect(app.session.accessories.count, equals: 1, "one die is authorised")
    let bond = try await die.bond(within: .seconds(5))
    lab.expect(bond.isSecureConnections, "the one with a board behind it was paired")

    let points = (1...20).map(AirAccessPoint.neighbour)
    let networks = try await lab.step("hear every network", within: .seconds(15)) {
        try await lab.phone.hear(points)
    }
    for point in points {
        let network = networks[point.bssid]
        lab.expect(network?.ssid, equals: point.ssid, "the network of \(point.bssid) tells its name")
        lab.expect(network?.security, equals: point.security, "“\(point.ssid)” tells its security")
    }
    try await lab.step("join", within: .seconds(20)) { try await app.joinWiFi(of: accessory) }
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is on the die's network")
}

extension Phone {
    /// Scans until every access point was heard. A scan listens to a channel for little longer than the pause between two
    /// beacons, so one of twenty may fall outside.
    fileprivate func hear(_ points: [AirAccessPoint]) async throws -> [DeviceAddress: WiFiNetwork] {
        var heard: [DeviceAddress: WiFiNetwork] = [:]
        while !points.allSatisfy({ heard[$0.bssid] != nil }) {
            for network in try await radio.scanWiFi() { heard[network.bssid] = network }
        }
        return heard
    }

    /// Waits until the radio has heard an advertiser.
    fileprivate func hear(_ advertiser: AirAdvertiser) async throws {
        _ = try await log.first(within: .seconds(25), waitingFor: "an advertisement of \(advertiser.address)") {
            if case .radio(.advertisement(let heard)) = $0.kind { heard.address == advertiser.address } else { false }
        }
    }
}

extension AirAdvertiser {
    /// A neighbour's device: every second one is a die, too.
    fileprivate static func neighbour(_ number: Int) -> AirAdvertiser {
        let isDie = number.isMultiple(of: 2)
        return AirAdvertiser(
            named: isDie ? "Die \(100 + number)" : "Lamp \(number)",
            address: DeviceAddress(bytes: [0x02, 0, 0, 0x0A, 0, UInt8(number)])!,
            services: [BluetoothUUID(isDie ? DieGATT.service : "180F")!], interval: .milliseconds(200),
            metres: Double(number))
    }
}

extension AirAccessPoint {
    /// A neighbour's network, on the channel of the die's.
    fileprivate static func neighbour(_ number: Int) -> AirAccessPoint {
        AirAccessPoint(
            ssid: "Home \(number)", bssid: DeviceAddress(bytes: [0x02, 0, 0, 0x0B, 0, UInt8(number)])!,
            channel: 1, security: WiFiSecurity.allCases[number % 4], metres: Double(number))
    }
}

import DiceApp
import HIL
import Phone
import RadioModel
import Timing

/// Advertisements of every length whose fields lie, repeat and contradict one another, with names that are no text: a die is
/// found among them all the same, and nothing on the rig breaks.
let airSendsMalformedAdvertisements = Scenario(
    "A die is found among malformed advertisements", .tags(.discovery, .robustness, .faults), .covers("D4", "K1"),
    .budget(.seconds(90))
) { lab in
    let all = (0...31).map { AirAdvertiser.malformed($0) }
    for advertiser in all { try await lab.air.add(.advertiser(advertiser)) }
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    let place = lab.phone.log.count
    try await lab.step("hear them", within: .seconds(40)) {
        try await lab.phone.radio.startDiscovery()
        for advertiser in all {
            let what = "an advertisement of \(advertiser.address)"
            try await lab.phone.notices(what, since: place, within: .seconds(35)) {
                if case .advertisement(let heard) = $0 { heard.address == advertiser.address } else { false }
            }
        }
        try await lab.phone.radio.stopDiscovery()
    }
    let app = try await lab.phone.launch(DiceApp.self)
    lab.phone.person.will(.pick("Die 7"))
    let accessory = try await lab.step("pick and pair", within: .seconds(20)) { try await app.addDie() }
    lab.expect(app.session.accessories, equals: [accessory], "the die is the app's")
    let pickers = lab.phone.shownScreens.filter { $0.kind == .picker }
    lab.expect(pickers.allSatisfy { $0.entries.count <= 1 }, "nothing else was offered")
}

extension AirAdvertiser {
    /// An advertisement of so many bytes, 0 to 31, in one of the ways in which they can be wrong.
    fileprivate static func malformed(_ length: Int) -> AirAdvertiser {
        let ways: [[UInt8]] = [
            // A field that is longer than what is left; one without a type; a list that holds no whole UUID.
            [2, 0x01, 0x06, 0xFF, 0x09, 0x41], [0, 0, 1, 0x09, 1], [2, 0x02, 0x0F, 4, 0x06, 1, 2, 3],
            // A name that is no UTF-8; names and powers that contradict one another; data without a company or service.
            [5, 0x09, 0xC3, 0x28, 0xFF, 0xFE], [3, 0x08, 0x41, 0x42, 3, 0x09, 0x43, 0x44, 3, 0x09, 0x45, 0x46],
            [2, 0x0A, 0x7F, 2, 0x0A, 0x80, 3, 0x0A, 1, 2], [2, 0xFF, 0x4C, 2, 0x16, 0x0F, 5, 0x21, 1, 2, 3, 4],
        ]
        let way = ways[length % ways.count]
        let bytes = (0..<length).map { way[$0 % way.count] }
        return AirAdvertiser(
            address: DeviceAddress(bytes: [0x02, 0, 0, 0x0C, 0, UInt8(length)])!, data: bytes,
            scanResponse: bytes.reversed(), interval: .milliseconds(200))
    }
}

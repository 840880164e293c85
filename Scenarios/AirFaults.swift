import AccessorySetupKit
import DiceApp
import HIL

let airBreaksHandshakeFrames = Scenario(
    "A network is joined although frames of its handshake are doubled, delayed and altered",
    .tags(.faults, .robustness, .wifi), .needs(.air), .covers("W4"), .budget(.seconds(60))
) { lab in
    let (_, app, accessory) = try await lab.pairedDie(.die(named: "Die 7", security: .wpa2))
    // The message integrity code of a key frame, after LLC, the EAPOL header and 77 bytes (IEEE 802.11-2020, 12.7.2).
    // If it is wrong, the access point drops the frame and asks again.
    try await lab.air.withFault(.altered(.eapol(message: 2), at: 8 + 4 + 77, to: [0, 0, 0, 0])) {
        try await lab.air.withFault(.doubled(.eapol(message: 1))) {
            try await lab.air.withFault(.delayed(.eapol(message: 3), by: .milliseconds(300))) {
                try await lab.expectJoin(of: accessory, in: app, within: .seconds(20))
            }
        }
    }
}

let airLosesHandshakeFrames = Scenario(
    "A network is joined although a frame of its handshake is lost", .tags(.faults, .robustness, .wifi), .needs(.air),
    .covers("W4"),
    .budget(.seconds(90)), over: Axis("security", [WiFiSecurity.wpa2, .wpa3])
) { lab, security in
    let (_, app, accessory) = try await lab.pairedDie(.die(named: "Die 7", security: security))
    // For WPA2 this is the third message of the four-way handshake, for WPA3 the die's first commit.
    try await lab.air.withFault(.dropped(security == .wpa3 ? .sae(1) : .eapol(message: 3))) {
        try await lab.expectJoin(of: accessory, in: app, within: .seconds(40))
    }
}

let airIsJammed = Scenario(
    "A die is found and picked once the jamming ends", .tags(.faults, .robustness, .discovery), .needs(.air),
    .covers("D4"),
    .budget(.seconds(30))
) { lab in
    let app = try await lab.phone.launch(DiceApp.self)
    let jammed = Duration.seconds(2)
    try await lab.air.withFault(.jammed(lasting: jammed)) {
        // The first lost packet is the die's first advertisement.
        let began = ContinuousClock.now
        try await lab.accessory.powerOn(.die(named: "Die 7"))
        try await lab.pick(in: app, "pick", pairing: false)
        lab.expect(ContinuousClock.now - began >= jammed, "nothing was found while the air was jammed")
    }
    lab.expect(app.session.accessories.count, equals: 1, "the die is authorised")
}

let airLosesLinkOfConnectedDie = Scenario(
    "An app hears that its link is lost, and connects again", .tags(.faults, .robustness, .pairing), .needs(.air),
    .covers("C4"),
    .budget(.seconds(60))
) { lab in
    let (die, app, accessory) = try await lab.pairedDie()
    let peripheral = try await lab.watchRolls(of: accessory, in: app)
    // The roll is lost with the link.
    try await lab.air.withFault(.linkLoss(.bluetooth, at: .notified)) {
        try await die.roll(6)
        let roll = try await lab.step("lose the link", within: .seconds(10)) { try await app.nextRoll() }
        lab.expect(roll == nil, "the app hears that the connection has ended")
        lab.expect(peripheral.state, equals: .disconnected, "the peripheral is disconnected")
    }
    try await lab.watchRolls(of: accessory, in: app, within: .seconds(10))
    try await lab.expectRoll(3, of: die, in: app, "the app sees the next roll")
}

let airLosesLinkWhilePairing = Scenario(
    "A link lost while pairing is reported as connectionFailed, and the next attempt pairs",
    .tags(.faults, .robustness, .pairing), .needs(.air), .covers("K10", "K12"), .budget(.seconds(60))
) { lab in
    let (die, app) = try await lab.newDie()
    lab.phone.person.will(.pick("Die 7"))
    try await lab.air.withFault(.linkLoss(.bluetooth, at: .smp(.publicKey).sent(by: .accessory))) {
        try await lab.fails(
            "fail to pair", with: .connectionFailed, "the app hears that the connection failed", within: .seconds(20)
        ) { try await app.addDie() }
    }
    lab.expect(app.session.accessories.isEmpty, "no accessory is authorised")
    lab.expect(!die.isBonded, "the die has no bond")

    try await lab.pick(in: app, "pair", within: .seconds(15))
    lab.expect(try await die.events.next(.bonded).isSecureConnections, "the key was made by LE Secure Connections")
}

let airMishandlesRolls = Scenario(
    "An app sees rolls as the air dropped, doubled, altered, delayed or reordered them",
    .tags(.faults, .robustness, .pairing), .needs(.air, .distance), .covers("C4"), .budget(.seconds(60))
) { lab in
    let (die, app, accessory) = try await lab.pairedDie()
    try await lab.watchRolls(of: accessory, in: app)

    // A notification: the opcode, a handle, and the roll. The last of its 7 bytes is the face.
    let roll = Traffic.att(opcode: 0x1B).sent(by: .accessory)
    let cases: [(fault: AirFault, seen: [UInt8])] = [
        (.dropped(roll), [3]), (.doubled(roll), [6, 6, 3]), (.altered(roll, at: 9, to: [2]), [2, 3]),
        (.delayed(roll, by: .milliseconds(500)), [3, 6]), (.reordered(roll), [3, 6]),
    ]
    for (fault, seen) in cases {
        try await lab.air.withFault(fault) {
            try await die.roll(6)
            // The first one leaves before the second is made.
            try await lab.air.move(along: [.at(1, after: .milliseconds(100))])
            try await die.roll(3)
            var faces: [UInt8?] = []
            try await lab.step("\(fault)", within: .seconds(5)) {
                for _ in seen { faces.append(try await app.nextRoll()?.face) }
            }
            lab.expect(faces, equals: seen, "the app's view of a 6 and a 3, \(fault)")
        }
    }
}

let boardsWalkApart = Scenario(
    "A die's signal is weaker on the way, gone out of range, and back on return",
    .tags(.faults, .robustness, .discovery),
    .needs(.distance),
    .covers("D4"), .budget(.seconds(30))
) { lab in
    let log = lab.phone.log
    let near: EventPattern<PhoneEvent, Int> = .signal.where("the die to be heard from nearby") { $0 >= -45 }
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    try await lab.phone.radio.startDiscovery()
    try await lab.step("near", within: .seconds(5)) { try await log.next(near) }

    let leaving = log.mark
    try await lab.step("walk away", within: .seconds(5)) {
        // The last advertisement may still be on its way to the phone when the boards are out of range.
        try await lab.air.move(along: [
            .at(20, after: .seconds(1)), .at(nil, after: .seconds(1)), .at(nil, after: .milliseconds(1500)),
        ])
    }
    let gone = log.mark
    let onTheWay = log.all(.signal, since: leaving)
    lab.expect(onTheWay.contains { $0 <= -60 }, "the die is heard weaker on the way: \(onTheWay)")

    try await lab.step("stay away", within: .seconds(5)) {
        try await lab.air.move(along: [.at(nil, after: .seconds(1))])
    }
    lab.expect(!log.contains(.signal, since: gone), "nothing is heard out of range")

    let returning = log.mark
    try await lab.air.setDistance(1)
    try await lab.step("near again", within: .seconds(5)) { try await log.next(near, since: returning) }
    try await lab.phone.radio.stopDiscovery()
}

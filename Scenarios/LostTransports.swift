import DiceApp
import HIL

let notificationChangesTransport = Scenario(
    "A notification whose Bluetooth link is lost on the way arrives once, over Wi-Fi",
    .tags(.notifications, .wifi, .faults, .robustness), .needs(.air), .covers("T1", "T2", "S7"), .budget(.seconds(120))
) { lab in
    let die = try await lab.onlineDie(security: .wpa3)
    try await lab.expectDelivery(
        of: "Before", to: die, over: .bluetooth, "Bluetooth is the first choice while it is there")

    for (name, traffic) in [("in the middle", Traffic.delivery.second), ("with the receipt", .notified)] {
        let body = "Lost \(name): " + String(repeating: "die ", count: 1000)
        let (told, mark) = (die.events.mark, lab.forwarding.mark)
        try await lab.air.withFault(.linkLoss(.bluetooth, at: traffic, lasting: .seconds(30))) {
            try await lab.expectDelivery(of: body, to: die, over: .localNetwork, "lost \(name), it arrives over Wi-Fi")
        }
        lab.expect(die.screens(since: told), equals: 1, "lost \(name), it is shown once")
        lab.expect(die.screen.shown.filter { $0.body == body }.count, equals: 1, "lost \(name), it is there once")
        try await lab.notifyUntilBluetoothServes(die, since: mark)
    }
}

let notificationOutlivesNetwork = Scenario(
    "A notification whose network is lost on the way arrives once, over Bluetooth",
    .tags(.notifications, .wifi, .faults, .robustness), .needs(.air), .covers("T1", "T2"), .budget(.seconds(90))
) { lab in
    // More tries, so that Bluetooth can come back: the person switches it on when the network is lost.
    lab.phone.policy.notificationTries = 6
    let die = try await lab.onlineDie(security: .wpa2)
    try await lab.switchBluetooth(false)
    try await lab.expectDelivery(
        of: "Over Wi-Fi", to: die, over: .localNetwork, "with Bluetooth off it goes over Wi-Fi")

    let body = "Lost in the middle: " + String(repeating: "die ", count: 5_000)
    let (mark, told, lost) = (lab.forwarding.mark, die.events.mark, lab.phone.log.mark)
    try await lab.air.withFault(.linkLoss(.wifi, at: .data.sent(by: .host), lasting: .seconds(15))) {
        lab.phone.notifications.post(.init(app: "com.example.chat", title: "Kim", body: body))
        try await lab.phone.log.next(.wifiLost(), since: lost, within: .seconds(15))
        try await lab.switchBluetooth(true)
        let shown = try await lab.step("show", within: .seconds(20)) { try await die.screen.next() }
        lab.expect(shown.body, equals: body, "the die shows what was written")
    }
    lab.expect(try await lab.forwarding.next(.delivered, since: mark) == .bluetooth, "it arrived over Bluetooth")
    lab.expect(die.screens(since: told), equals: 1, "it is shown once")
}

let notificationReturnsToBluetooth = Scenario(
    "Notifications in flight move to the internet and back to Bluetooth, in order and each once",
    .tags(.notifications, .wifi, .faults, .robustness), .covers("T1", "T2"), .budget(.seconds(120))
) { lab in
    // More tries, so that Bluetooth can come back.
    lab.phone.policy.notificationTries = 6
    let (die, _, _) = try await lab.dieAtHome()
    let mark = lab.forwarding.mark
    let names = (1...12).map { "\($0)" }

    lab.post(Array(names[..<8]), words: 1_000)
    lab.expect(
        try await lab.forwarding.next(.delivered, since: mark, within: .seconds(20)) == .bluetooth,
        "the first went over Bluetooth")
    try await lab.switchBluetooth(false)
    try await lab.step("continue over the internet", within: .seconds(40)) { try await die.shows(Array(names[..<8])) }
    lab.expect(
        try await lab.forwarding.next(8, .delivered, since: mark, within: .seconds(20)).last, equals: .internet,
        "the last went over the internet")

    // Without the relay they cannot go over the internet, so Bluetooth delivers them first.
    let back = lab.forwarding.mark
    try await lab.rig.withFault(.killed(.internet, on: .accessory)) {
        lab.post(Array(names[8...]), words: 1_000)
        try await lab.switchBluetooth(true)
        try await lab.step("return", within: .seconds(40)) { try await die.shows(names) }
    }
    lab.expect(
        Set(try await lab.forwarding.next(4, .delivered, since: back, within: .seconds(20))), equals: [.bluetooth],
        "those in flight returned to Bluetooth")
    lab.expectShown(on: die, inOrder: names)
}

let relayIsLost = Scenario(
    "With the relay gone a notification is given up, and the next one arrives once the relay is back",
    .tags(.notifications, .wifi, .faults), .covers("T1"), .budget(.seconds(90))
) { lab in
    let die = try await lab.dieBehindRelay()
    try await lab.expectDelivery(of: "Before", to: die, over: .internet, "it went over the internet")

    let (mark, lost) = (lab.forwarding.mark, die.events.mark)
    try await lab.rig.withFault(.killed(.internet, on: .accessory)) {
        try await die.events.next(.relay(isReached: false), since: lost)
        lab.phone.notifications.post(.message("lost"))
        let why = try await lab.forwarding.next(.failed, since: mark, within: .seconds(40))
        lab.expect(
            why.contains("\(lab.phone.policy.notificationTries) tried"), "it was tried as often as allowed: \(why)")
    }
    try await die.events.next(.relay(isReached: true), since: lost, within: .seconds(20))
    try await lab.expectDelivery(of: "After", to: die, over: .internet, "the next one arrives")
    let shown = try await die.events.next(.screen.where("both") { $0.count == 2 }, within: .seconds(5))
    lab.expect(shown.map(\.body), equals: ["Before", "After"], "what was given up is not shown later")
}

/// The relay has lost its memory when it comes back.
let relayIsLostOnTheWay = Scenario(
    "Notifications on their way through a relay that is lost arrive once it is back, in order and each once",
    .tags(.notifications, .wifi, .faults, .robustness), .covers("T1", "S7"), .budget(.seconds(120))
) { lab in
    // The die connects again a second after the relay is back.
    lab.phone.policy.notificationTries = 6
    let die = try await lab.dieBehindRelay()
    let (mark, names) = (lab.forwarding.mark, (1...8).map { "\($0)" })
    lab.post(names, words: 20_000)
    lab.expect(
        try await lab.forwarding.next(.delivered, since: mark, within: .seconds(20)) == .internet,
        "the first went over the internet")
    try await lab.rig.withFault(.killed(.internet, on: .accessory, comesBack: .atOnce), firing: 2) {
        try await lab.step("continue", within: .seconds(40)) { try await die.shows(names) }
    }
    lab.expect(
        Set(try await lab.forwarding.next(8, .delivered, since: mark, within: .seconds(20))), equals: [.internet],
        "all of them went over the internet")
    lab.expectShown(on: die, inOrder: names)
}

import BoardProtocol
import CoreBluetooth
import DiceApp
import DieProtocol
import HIL
import Timing

/// What `make bench` times: one notification's way over an idle link, and how long a hundred of them take beside as many
/// plain writes of their size.
let notificationsShareTheLink = Scenario(
    "Notifications are shown in turn, one by one and a hundred at once, beside plain writes", .tags(.notifications),
    .covers("N3", "T4"), .budget(.seconds(120))
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")
    lab.phone.person.will(.allowForwarding(.all))
    try await lab.step("forward", within: .seconds(5)) { try await app.forwardNotifications(to: accessory) }
    try await die.event(within: .seconds(10), waitingFor: "the die to have exchanged keys") {
        if case .keysExchanged = $0 { true } else { false }
    }

    for number in 1...10 {
        let body = "number \(number)"
        let shown = try await lab.step("idle link", within: .seconds(5)) {
            lab.phone.notifications.post(.init(app: "com.example.chat", identifier: "1", title: "Kim", body: body))
            return try await die.screen.next(within: .seconds(5))
        }
        lab.expect(shown.body, equals: body, "each is shown")
    }

    // With its fields' tags and lengths, the app's name and the alert this is 256 bytes; sealed it is 28 more.
    let bodies = (1...100).map { number in "\(number)".padding(toLength: 166, withPad: ".", startingAt: 0) }
    try await lab.step("hundred notifications", within: .seconds(60)) {
        // Of sixteen conversations: what happens to one notification goes one after the other.
        for (number, body) in bodies.enumerated() {
            lab.phone.notifications.post(
                .init(app: "com.example.chat", identifier: String(number % 16, radix: 16), title: "Kim", body: body))
        }
        for body in bodies {
            let shown = try await die.screen.next(within: .seconds(10))
            lab.expect(shown.body, equals: body, "none is lost, and none overtakes another")
        }
    }
    let sizes = lab.phone.notifications.events.events.compactMap { event in
        if case .delivered(let byteCount, _, _) = event.kind { byteCount } else { nil }
    }
    // The receipts of the last few may be on their way.
    lab.expect(Set(sizes.suffix(50)), equals: [284], "each has the size of the plain writes")

    guard let identifier = accessory.bluetoothIdentifier else { throw DiceAppError.unknownDie }
    let probe = CentralProbe()
    let peripheral = try await lab.step("connect", within: .seconds(15)) { try await probe.connect(identifier) }
    let place = die.events.count
    try await lab.step("hundred plain writes", within: .seconds(60)) {
        // The die refuses what is no segment, and says so; that is how their arrival is seen.
        let values = [Data](repeating: Data(count: 256), count: bodies.count)
        try await probe.write(values, to: peripheral.found(DieGATT.notifications.uuid), of: peripheral)
        var next = place
        for _ in values {
            next = try await die.events.first(from: next, within: .seconds(10), waitingFor: "the die's refusal") {
                if case .refusedMessage = $0 { true } else { false }
            }.next
        }
    }
}

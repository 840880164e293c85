import HIL
import Phone

/// Bluetooth goes while notifications are on their way, and comes back while others are: they go on over the internet and return
/// to Bluetooth, in order, each once.
let notificationReturnsToBluetooth = Scenario(
    "Notifications in flight go over to the internet and return to Bluetooth, in order and each once",
    .tags(.notifications, .wifi, .faults, .robustness), .covers("T1", "T2"), .budget(.seconds(120))
) { lab in
    // Time to have Bluetooth back.
    lab.phone.policy.notificationTries = 6
    let (die, app, accessory) = try await lab.dieAtHome(named: "Die 7")
    let place = lab.phone.notifications.events.count
    let text = String(repeating: "die ", count: 1_000)

    /// Posts some, one right after the other.
    func post(_ numbers: ClosedRange<Int>) {
        for number in numbers { lab.phone.notifications.post(.message("\(number)", "\(number): \(text)")) }
    }

    post(1...8)
    lab.expect(try await lab.deliveries(1, since: place) == [.bluetooth], "the first went over Bluetooth")
    try await lab.switchBluetooth(false)
    try await lab.step("go on over the internet", within: .seconds(40)) { try await die.shows((1...8).map { "\($0)" }) }
    lab.expect(try await lab.deliveries(8, since: place).last, equals: .internet, "the last went over the internet")

    // With the relay gone they wait on their way, and it is Bluetooth that comes first.
    let back = lab.phone.notifications.events.count
    try await lab.rig.withFault(.killed(.internet, on: .accessory)) {
        post(9...12)
        try await lab.switchBluetooth(true)
        try await lab.step("return", within: .seconds(40)) { try await die.shows((1...12).map { "\($0)" }) }
    }
    lab.expect(
        try await lab.deliveries(4, since: back) == Array(repeating: .bluetooth, count: 4),
        "those on their way returned to Bluetooth")

    lab.expectShown(on: die, inOrder: (1...12).map { "\($0)" })
    withExtendedLifetime((app, accessory)) {}
}

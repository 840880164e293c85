import BoardProtocol
import DiceApp
import DieLab
import HIL
import Phone

/// What the person takes back in Settings disappears from the die; with the last permission, or with the accessory, the
/// session ends and its keys are forgotten.
let personRevokesForwarding = Scenario(
    "Taking permissions back clears the die, and at last ends the session", .tags(.notifications),
    .covers("N1", "N2", "N6"), .budget(.seconds(60))
) {
    Axis(\.suite, [.xWing, .p256])
} run: { lab, conditions in
    let (die, app) = try await lab.forwardedDie(suites: conditions.suites)
    let phone = lab.phone
    let mail = PhoneNotification(app: "com.example.mail", identifier: "mail", title: "Lee")
    try await lab.post(.message("1"))
    try await lab.post(mail)
    try await die.shows(["1", "mail"])

    try await lab.step("allow mail alone", within: .seconds(10)) {
        phone.person.will(.forwardInSettings("Bluetooth Die", .only(["com.example.mail"])))
        try await die.shows(["mail"])
        phone.notifications.post(.message("2"))
        try await lab.post(PhoneNotification(app: "com.example.mail", identifier: "mail 2", title: "Lee"))
        try await die.shows(["mail", "mail 2"])
    }
    let everShown = die.events.events.flatMap {
        if case .screen(let shown) = $0 { shown } else { [ShownNotification]() }
    }
    lab.expect(!everShown.contains { $0.identifier == "2" }, "the die never shows what is not allowed")

    /// Waits for the end of the session, for a reason that contains `why`.
    @MainActor func ended(_ why: String, from place: Int) async throws {
        _ = try await phone.notifications.events.first(
            from: place, within: .seconds(5), waitingFor: "the session's end, as \(why)"
        ) { if case .sessionEnded(let reason) = $0.kind { reason.contains(why) } else { false } }
    }

    try await lab.step("allow none", within: .seconds(10)) {
        let place = phone.notifications.events.count
        let screen = die.events.count
        phone.person.will(.forwardInSettings("Bluetooth Die", .none))
        try await ended("allows no app", from: place)
        try await die.event(within: .seconds(5), waitingFor: "the die to forget its keys") { $0 == .keysForgotten }
        try await die.shows([], from: screen)
    }
    try await lab.step("allow all again", within: .seconds(15)) {
        let place = die.events.count
        let start = phone.notifications.events.count
        phone.person.will(.forwardInSettings("Bluetooth Die", .all))
        _ = try await phone.notifications.events.first(from: start, within: .seconds(5), waitingFor: "the permission") {
            $0.kind == .decided(.all)
        }
        try await lab.post(.message("3"))
        _ = try await die.events.first(from: place, within: .seconds(10), waitingFor: "keys to be exchanged anew") {
            if case .keysExchanged = $0 { true } else { false }
        }
        try await die.screen.first(from: place, within: .seconds(5), waitingFor: "the new notification") {
            $0.contains { $0.identifier == "3" }
        }
    }
    try await lab.step("remove the die", within: .seconds(10)) {
        let (place, screen, log) = (phone.notifications.events.count, die.events.count, phone.log.count)
        phone.person.will(.removeInSettings("Bluetooth Die"))
        try await ended("the accessory was removed", from: place)
        _ = try await die.events.first(from: screen, within: .seconds(5), waitingFor: "the die to forget its keys") {
            $0 == .keysForgotten
        }
        try await die.shows([], from: screen)
        try await phone.told("accessoryRemoved", since: log)
    }
    lab.expect(app.session.accessories.isEmpty, "the app has no die any more")
}

import HIL
import Phone

/// Whatever happens to notifications on the phone, the die's screen ends as the phone's notification centre, and only what
/// is new alerts.
let dieShowsWhatThePhoneShows = Scenario(
    "A die's screen follows what is posted, changed, taken back, deleted and cleared", .tags(.notifications),
    .covers("N2", "N3"), .budget(.seconds(60))
) { lab in
    let (die, _) = try await lab.forwardedDie()
    let centre = lab.phone.notifications

    try await lab.step("add", within: .seconds(10)) {
        for name in ["1", "2", "3"] { try await lab.post(.message(name)) }
        try await lab.post(PhoneNotification(app: "com.example.mail", identifier: "mail", title: "Lee"))
        try await die.shows(["1", "2", "3", "mail"])
    }
    let alerts = die.alerts.count
    lab.expect(alerts, equals: 4, "each alerted once")
    try await lab.step("update", within: .seconds(5)) {
        centre.update(.message("2", "Dinner at 9?"))
        try await die.screen.first(within: .seconds(5), waitingFor: "the die to show the change") {
            $0.count == 4 && $0[1].body == "Dinner at 9?"
        }
    }
    try await lab.step("take back", within: .seconds(5)) {
        centre.remove(PhoneNotification.message("1").identifier)
        try await die.shows(["2", "3", "mail"])
    }
    try await lab.step("delete the app", within: .seconds(5)) {
        centre.deleteApp("com.example.chat")
        try await die.shows(["mail"])
    }
    try await lab.step("clear", within: .seconds(5)) {
        let place = die.events.count
        centre.removeAll()
        try await die.shows([], from: place)
    }
    lab.expect(die.alerts.count, equals: alerts, "nothing of that alerted")
    lab.expect(centre.posted.isEmpty, "the phone's own centre is as empty as the die")
}

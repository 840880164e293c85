import BoardProtocol
import HIL
import Phone

/// What a person does on the die comes to the app that posted, sealed all the way, and what is done with disappears on
/// phone and die.
let dieAnswersNotifications = Scenario(
    "Actions and a text reply travel back from the die to the app that posted", .tags(.notifications),
    .covers("N5", "S4", "S6")
) {
    Axis(\.suite, [.xWing, .p256])
} run: { lab, conditions in
    let (die, _) = try await lab.forwardedDie(suites: conditions.suites)
    let centre = lab.phone.notifications
    let actions: [PhoneNotification.Action] = [
        .init(identifier: "reply", title: "Reply", type: .textInput(placeholder: "Message")),
        .init(identifier: "read", title: "Mark as Read", type: .background), .dismiss,
    ]
    for name in ["1", "2", "3"] { try await lab.post(.message(name, actions: actions)) }
    let shown = try await die.shows(["1", "2", "3"])
    lab.expect(
        shown[0].actions.map(\.title), equals: ["Reply", "Mark as Read", "Clear"], "the die offers what the app does")

    let text = "At eight, then. I bring the blue dice."
    let reply = try await lab.step("reply", within: .seconds(5)) {
        try await die.respond(to: shown[0], "reply", text: text)
        return try await centre.responses.first(within: .seconds(5), waitingFor: "the reply").event
    }
    lab.expect(reply.notification, equals: PhoneNotification.message("1").identifier, "it is about the right one")
    lab.expect(reply.text, equals: text, "the app gets the text as it was entered")
    try await die.shows(["2", "3"])

    let read = try await lab.step("act", within: .seconds(5)) {
        try await die.respond(to: shown[1], "read")
        return try await centre.responses.first(from: 1, within: .seconds(5), waitingFor: "the action").event
    }
    lab.expect(read.action, equals: "read", "the app gets the action that was chosen")
    try await die.shows(["3"])

    try await lab.step("dismiss", within: .seconds(5)) {
        let place = die.events.count
        try await die.respond(to: shown[2], PhoneNotification.Action.dismiss.identifier)
        try await die.shows([], from: place)
    }
    lab.expect(centre.posted.isEmpty, "what was answered or dismissed is gone from the phone")
    lab.expect(centre.responses.count, equals: 2, "an app hears nothing of what is dismissed")
    lab.expect(!(try await lab.air.captured(containing: "blue dice")), "the reply is nowhere in the capture")
}

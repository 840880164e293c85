import DieProtocol
import Foundation
import HIL
import Phone

/// With Bluetooth off, and on a network that is not the die's, a notification reaches the die through its maker's relay, which
/// reads none of it; what is answered there comes back by push.
let notificationGoesOverInternet = Scenario(
    "Without Bluetooth and the die's network a notification goes over the internet, sealed, and an answer comes back",
    .tags(.notifications, .wifi), .covers("T1", "S3", "S6", "N5"), .budget(.seconds(90))
) { lab in
    let (die, app, accessory) = try await lab.dieAtHome(named: "Die 7")
    try await lab.switchBluetooth(false)

    let body = "Dinner at eight? Bring the blue dice."
    var notification = PhoneNotification.message(
        "dinner", body, actions: [.init(identifier: "reply", title: "Reply", type: .textInput(placeholder: "Text"))])
    notification.title = "Kim Kowalczyk"
    let place = lab.phone.notifications.events.count
    try await lab.step("show", within: .seconds(20)) { [notification] in try await lab.post(notification) }
    let shown = try await die.shows(["dinner"])
    lab.expect(shown[0].body, equals: body, "the die shows what was written")
    lab.expect(try await lab.deliveries(1, since: place) == [.internet], "it went over the internet")

    let answer = "Only if there is cake."
    try await die.respond(to: shown[0], "reply", text: answer)
    let response = try await lab.step("answer", within: .seconds(10)) {
        try await lab.phone.notifications.responses.first(within: .seconds(10), waitingFor: "the answer").event
    }
    lab.expect(response.text, equals: answer, "the app gets what was entered on the die")

    // The same way without the app's encryption: a search that did not find this would prove nothing.
    let stray = "no message of the relay's at all"
    _ = try await lab.phone.network.exchange(Data(stray.utf8), with: DieRelay.host, port: DieRelay.port)
    lab.expect(try await lab.air.captured(containing: stray), "the capture holds what the phone sent in the clear")
    for secret in ["Kim Kowalczyk", body, answer] {
        lab.expect(!(try await lab.air.captured(containing: secret)), "“\(secret)” is nowhere in the capture")
    }
    withExtendedLifetime((app, accessory)) {}
}

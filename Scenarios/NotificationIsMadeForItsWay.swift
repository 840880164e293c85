import Foundation
import HIL
import Phone

/// One notification in payloads of several transports: over the internet the die gets it as it was made for that, without the
/// pictures that it has over Bluetooth.
let notificationIsMadeForItsWay = Scenario(
    "A notification with a picture is sent whole over Bluetooth, and without it over the internet",
    .tags(.notifications, .wifi), .covers("T3"), .budget(.seconds(90))
) { lab in
    let (die, app, accessory) = try await lab.dieAtHome(named: "Die 7")
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("hil-photo-\(UUID().uuidString).png")
    try Data((0..<8_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }

    func post(_ name: String) async throws {
        var notification = PhoneNotification.message(name)
        notification.attachments = [PhoneNotification.File(url: url, type: "public.png")]
        try await lab.step(name, within: .seconds(20)) { [notification] in try await lab.post(notification) }
    }

    try await post("near")
    let near = try await die.shows(["near"])
    lab.expect(near[0].pictures.map(\.byteCount), equals: [8_000], "over Bluetooth the picture comes along")
    try await lab.switchBluetooth(false)
    try await post("far")
    let far = try await die.shows(["near", "far"])
    lab.expect(far[1].pictures.isEmpty, "over the internet it does not")
    lab.expect(far[1].body, equals: near[0].body, "the text does")
    withExtendedLifetime((app, accessory)) {}
}

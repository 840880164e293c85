import BoardProtocol
import CryptoKit
import DieLab
import Foundation
import HIL
import Phone

/// Icons and a photo come to the die as the app gave them, in as many ATT packets as it takes; what is more than a
/// notification may have is refused, and the next one arrives.
let notificationCarriesPictures = Scenario(
    "Pictures travel whole with a notification, and too large ones are refused", .tags(.notifications),
    .covers("N3", "T4"), .budget(.seconds(60))
) { lab in
    let (die, _) = try await lab.forwardedDie()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hil-pictures-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    /// Makes a file of so many bytes that are unlike each other.
    func file(_ name: String, _ byteCount: Int) throws -> (file: PhoneNotification.File, data: Data) {
        let data = Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        let url = folder.appendingPathComponent(name)
        try data.write(to: url)
        return (PhoneNotification.File(url: url, type: "public.png"), data)
    }
    let icon = try file("icon.png", 3_000)
    let photo = try file("photo.png", 50_000)
    var notification = PhoneNotification.message("photo")
    (notification.sourceIcon, notification.attachments) = (icon.file, [photo.file])

    try await lab.step("show", within: .seconds(30)) { [notification] in try await lab.post(notification) }
    let shown = try await die.shows(["photo"])
    let expected = [(ShownPicture.Role.sourceIcon, icon.data), (.attachment, photo.data)].map { role, data in
        ShownPicture(
            role: role, type: "public.png", byteCount: data.count, digest: Data(SHA256.hash(data: data)))
    }
    lab.expect(shown[0].pictures, equals: expected, "each picture is what the app gave")

    var large = PhoneNotification.message("too large")
    large.attachments = [try file("poster.png", (1 << 20) + 1).file]
    try await lab.step("refuse", within: .seconds(10)) { [large] in try await lab.post(large) }
    let refusals = lab.phone.notifications.events.events.compactMap {
        if case .failed(let why) = $0.kind { why } else { nil }
    }
    lab.expect(refusals.contains { $0.contains("at most 1048576") }, "the phone's log names the limit")
    try await lab.step("go on", within: .seconds(10)) { try await lab.post(.message("small")) }
    try await die.shows(["photo", "small"])
}

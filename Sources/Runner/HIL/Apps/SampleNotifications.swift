import Foundation
import HILPhone

// Notifications for scenarios in which sender and text do not matter.

extension PhoneNotification {
    /// A message from “Kim”, posted by the app `com.example.chat`.
    public static func message(
        _ identifier: String, _ body: String = "Dinner at 8?", attributes: Attributes = [], actions: [Action] = []
    ) -> PhoneNotification {
        PhoneNotification(
            app: "com.example.chat", identifier: identifier, title: "Kim", body: body, attributes: attributes,
            actions: actions)
    }

    /// A mail from “Lee”, posted by the app `com.example.mail`.
    public static func mail(_ identifier: String) -> PhoneNotification {
        PhoneNotification(app: "com.example.mail", identifier: identifier, title: "Lee")
    }
}

/// A temporary folder with files that notifications attach as pictures.
///
/// The bytes of a file are a varied pattern. They are not a real picture.
package struct PictureFolder {
    // Not by way of the folder of whichever app is running.
    private let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        .appendingPathComponent("hil-pictures-\(UUID().uuidString)")

    /// - Throws: The file system's error.
    package init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    /// Deletes the folder and its files.
    package func remove() { try? FileManager.default.removeItem(at: url) }

    /// Writes a file with `byteCount` bytes, and returns it with its data.
    ///
    /// - Throws: The file system's error.
    package func file(_ name: String, _ byteCount: Int) throws -> (file: PhoneNotification.File, data: Data) {
        let data = Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        let file = url.appendingPathComponent(name)
        try data.write(to: file)
        return (PhoneNotification.File(url: file, type: "public.png"), data)
    }
}

extension PhoneNotification.Action {
    /// An action that lets the person answer with a text; its identifier is `reply`.
    public static let reply = Self(identifier: "reply", title: "Reply", type: .textInput(placeholder: "Message"))
}

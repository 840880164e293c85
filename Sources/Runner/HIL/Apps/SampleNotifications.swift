import Foundation
import Phone

// Notifications to post where it does not matter of whom and what.

extension PhoneNotification {
    /// A message of the chat app.
    public static func message(
        _ identifier: String, _ body: String = "Dinner at 8?", attributes: Attributes = [], actions: [Action] = []
    ) -> PhoneNotification {
        PhoneNotification(
            app: "com.example.chat", identifier: identifier, title: "Kim", body: body, attributes: attributes,
            actions: actions)
    }

    /// A mail, of another app.
    public static func mail(_ identifier: String) -> PhoneNotification {
        PhoneNotification(app: "com.example.mail", identifier: identifier, title: "Lee")
    }
}

/// A folder with files for apps to show as pictures, of bytes that are unlike each other.
public struct PictureFolder {
    private let url = FileManager.default.temporaryDirectory.appendingPathComponent("hil-pictures-\(UUID().uuidString)")

    public init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    /// Deletes the folder.
    public func remove() { try? FileManager.default.removeItem(at: url) }

    /// Makes a file of so many bytes.
    public func file(_ name: String, _ byteCount: Int) throws -> (file: PhoneNotification.File, data: Data) {
        let data = Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        let file = url.appendingPathComponent(name)
        try data.write(to: file)
        return (PhoneNotification.File(url: file, type: "public.png"), data)
    }
}

extension PhoneNotification.Action {
    /// An answer with a text.
    public static let reply = Self(identifier: "reply", title: "Reply", type: .textInput(placeholder: "Message"))
}

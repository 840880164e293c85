import AccessoryNotifications
import Foundation
import HILPhone
import Testing

/// The framework's public types: defaults, coding and values.
@Suite struct AccessoryNotificationsSurfaceTests {
    @Test func notification() throws {
        let identifier = AccessoryNotification.Identifier(
            notificationIdentifier: "1", sourceIdentifier: "com.example.chat")
        let plain = AccessoryNotification(identifier: identifier, sourceName: "Chat", deliveryDate: Date())
        #expect(plain.displayDate == .deliveryDate && plain.attributes == [] && plain.actions == [])
        #expect(plain.summary == nil && plain.attachments == [])
        let full = AccessoryNotification(
            identifier: identifier, sourceName: "Chat", deliveryDate: Date(timeIntervalSince1970: 5),
            displayDate: .contentDate(Date(timeIntervalSince1970: 9)), title: "Kim",
            body: NSAttributedString(string: "Dinner?"), attributes: [.critical, .timeSensitive, .priority],
            summary: NSAttributedString(string: "Food"),
            actions: [.init(identifier: "reply", title: "Reply", type: .textInput(placeholder: "Message"))])
        let coded = try JSONDecoder().decode(AccessoryNotification.self, from: JSONEncoder().encode(full))
        #expect(coded == full && coded != plain)
        #expect(full.actions.first { $0.type == .dismiss } == nil)
    }

    @Test func context() throws {
        let context = AlertingContext(notificationCanAlert: true, kind: .incomingCall, sound: .init())
        #expect(context.shouldAlert && context.isIncomingCall && context.sound?.shouldIgnoreSilentMode == false)
        #expect(!AlertingContext(notificationCanAlert: true, suppressedByFocus: true).shouldAlert)
        #expect(!AlertingContext().shouldAlert)
        #expect(try JSONDecoder().decode(AlertingContext.self, from: JSONEncoder().encode(context)) == context)
    }

    @Test("A uniform type is found by its identifier or by a file name extension")
    func types() {
        #expect(UTType("public.png") == .png && UTType(filenameExtension: "JPG") == .jpeg)
        #expect(UTType.gif.preferredFilenameExtension == "gif" && UTType.pdf.preferredMIMEType == "application/pdf")
        #expect(UTType("com.example.die")?.preferredMIMEType == nil)
        for wrong in ["", "png", ".png", "public.", "a..b"] { #expect(UTType(wrong) == nil) }
        #expect(UTType(filenameExtension: "die") == nil)
    }
}

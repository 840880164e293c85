@_exported import Foundation
import Phone

/// A notification of the phone, as a data provider gets it.
public struct AccessoryNotification: Sendable {
    /// Names one notification among all of the phone: its own identifier, and the bundle identifier of its app.
    public typealias Identifier = PhoneNotification.Identifier

    public let identifier: Identifier
    /// The name of the app that posted it.
    public let sourceName: String
    public let deliveryDate: Date
    public let title: String?
    public let subtitle: String?
    /// Groups notifications, as those of one conversation.
    public let threadIdentifier: String?
    private let text: ImmutableText?

    public init(
        identifier: Identifier, sourceName: String, deliveryDate: Date, title: String? = nil, subtitle: String? = nil,
        body: NSAttributedString? = nil, threadIdentifier: String? = nil
    ) {
        self.identifier = identifier
        self.sourceName = sourceName
        self.deliveryDate = deliveryDate
        self.title = title
        self.subtitle = subtitle
        self.threadIdentifier = threadIdentifier
        text = body.map(ImmutableText.init)
    }

    /// The main text.
    public var body: NSAttributedString? { text?.value }
}

/// `@unchecked Sendable`: a copy of a text that nobody changes.
private final class ImmutableText: @unchecked Sendable {
    let value: NSAttributedString

    init(_ text: NSAttributedString) {
        value = NSAttributedString(attributedString: text)
    }
}

extension AccessoryNotification {
    init(_ notification: PhoneNotification) {
        self.init(
            identifier: notification.identifier, sourceName: notification.sourceName,
            deliveryDate: notification.deliveryDate, title: notification.title, subtitle: notification.subtitle,
            body: notification.body.map { NSAttributedString(string: $0) },
            threadIdentifier: notification.threadIdentifier)
    }
}

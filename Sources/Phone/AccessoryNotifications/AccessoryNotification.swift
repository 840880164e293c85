@_exported import Foundation
// The parts' types. The phone uses them too, so they are in a module below it.
@_exported import HILNotificationParts
import HILPhone
@_exported import HILUniformTypes
@_exported import Observation

/// A notification of the phone, as a data provider receives it.
public struct AccessoryNotification: Sendable, Equatable, Codable {
    /// Identifies one notification of the phone: its own identifier and the bundle identifier of its app.
    public typealias Identifier = NotificationParts.Identifier
    /// How urgent the notification is. Whether to alert is decided by ``AlertingContext``, not by these.
    public typealias Attributes = NotificationParts.Attributes
    /// Something that the person can do with the notification, such as reply.
    public typealias Action = NotificationParts.Action
    /// The date to show with the notification.
    public typealias DisplayDate = NotificationParts.DisplayDate

    /// The notification's own identifier and its app's bundle identifier.
    public let identifier: Identifier
    /// The name of the app that posted it.
    public let sourceName: String
    /// When the phone received the notification.
    public let deliveryDate: Date
    /// The date to show with the notification.
    public let displayDate: DisplayDate
    /// The first line, such as the name of the sender; nil if there is none.
    public let title: String?
    /// The line below the title; nil if there is none.
    public let subtitle: String?
    /// Groups notifications that belong together, such as those of one conversation.
    public let threadIdentifier: String?
    /// How urgent the notification is.
    public let attributes: Attributes
    /// The actions that the person can choose; a ``NotificationResponse`` names one of them.
    public let actions: [Action]
    /// The icon of the app that posted it.
    public let sourceIcon: File?
    /// A second icon, such as a picture of the sender.
    public let contextIcon: File?
    /// The files that came with the notification.
    public let attachments: [File]
    private let bodyText: ImmutableText?
    private let summaryText: ImmutableText?

    /// Makes a notification, for example in an extension's own tests. The texts are copied.
    public init(
        identifier: Identifier, sourceName: String, deliveryDate: Date, displayDate: DisplayDate = .deliveryDate,
        title: String? = nil, subtitle: String? = nil, body: NSAttributedString? = nil,
        threadIdentifier: String? = nil, attributes: Attributes = [], summary: NSAttributedString? = nil,
        actions: [Action] = [], sourceIcon: File? = nil, contextIcon: File? = nil, attachments: [File] = []
    ) {
        self.identifier = identifier
        self.sourceName = sourceName
        self.deliveryDate = deliveryDate
        self.displayDate = displayDate
        self.title = title
        self.subtitle = subtitle
        self.threadIdentifier = threadIdentifier
        self.attributes = attributes
        self.actions = actions
        self.sourceIcon = sourceIcon
        self.contextIcon = contextIcon
        self.attachments = attachments
        bodyText = body.map(ImmutableText.init)
        summaryText = summary.map(ImmutableText.init)
    }

    /// The main text.
    public var body: NSAttributedString? { bodyText?.value }
    /// The summary of a long text, by Apple Intelligence.
    public var summary: NSAttributedString? { summaryText?.value }
}

extension AccessoryNotification {
    /// A file that belongs to a notification.
    public struct File: Sendable, Equatable, Codable {
        private let location: URL
        /// The type of the file's content.
        public var type: UTType

        init(_ file: PhoneNotification.File) {
            location = file.url
            type = UTType(file.type) ?? .data
        }

        /// The file to read; valid for as long as the notification is on the phone.
        ///
        /// - Throws: `CocoaError.fileReadNoSuchFile` if the file no longer exists.
        public var url: URL {
            get async throws {
                guard FileManager.default.isReadableFile(atPath: location.path) else {
                    throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: location.path])
                }
                return location
            }
        }
    }

    init(_ notification: PhoneNotification) {
        self.init(
            identifier: notification.identifier, sourceName: notification.sourceName,
            deliveryDate: notification.deliveryDate, displayDate: notification.displayDate,
            title: notification.title, subtitle: notification.subtitle,
            body: notification.body.map { NSAttributedString(string: $0) },
            threadIdentifier: notification.threadIdentifier, attributes: notification.attributes,
            summary: notification.summary.map { NSAttributedString(string: $0) }, actions: notification.actions,
            sourceIcon: notification.sourceIcon.map(File.init), contextIcon: notification.contextIcon.map(File.init),
            attachments: notification.attachments.map(File.init))
    }
}

/// A copy of a text, encoded without its attributes. `@unchecked Sendable` because nobody changes the copy.
private final class ImmutableText: @unchecked Sendable, Equatable, Codable {
    let value: NSAttributedString

    init(_ text: NSAttributedString) {
        value = NSAttributedString(attributedString: text)
    }

    required init(from decoder: any Decoder) throws {
        value = NSAttributedString(string: try decoder.singleValueContainer().decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value.string)
    }

    static func == (one: ImmutableText, other: ImmutableText) -> Bool { one.value.isEqual(other.value) }
}

@_exported import Foundation
import Phone

/// A notification of the phone, as a data provider gets it.
public struct AccessoryNotification: Sendable, Equatable, Codable {
    /// Names one notification among all of the phone: its own identifier, and the bundle identifier of its app.
    public typealias Identifier = PhoneNotification.Identifier
    /// How urgent it is. Whether to alert is ``AlertingContext``'s to say, not theirs.
    public typealias Attributes = PhoneNotification.Attributes
    /// Something that the person can do with it.
    public typealias Action = PhoneNotification.Action
    /// Which date to show with it.
    public typealias DisplayDate = PhoneNotification.DisplayDate

    public let identifier: Identifier
    /// The name of the app that posted it.
    public let sourceName: String
    /// When the phone got it.
    public let deliveryDate: Date
    public let displayDate: DisplayDate
    public let title: String?
    public let subtitle: String?
    /// Groups notifications, as those of one conversation.
    public let threadIdentifier: String?
    public let attributes: Attributes
    /// What the person can do with it; a ``NotificationResponse`` names one of them.
    public let actions: [Action]
    /// The icon of the app that posted it.
    public let sourceIcon: File?
    /// A second icon, such as the face of who wrote.
    public let contextIcon: File?
    /// The files that came with it.
    public let attachments: [File]
    private let bodyText: ImmutableText?
    private let summaryText: ImmutableText?

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
    /// What Apple Intelligence makes of a long text.
    public var summary: NSAttributedString? { summaryText?.value }
}

extension AccessoryNotification {
    /// A file that belongs to a notification.
    public struct File: Sendable, Equatable, Codable {
        private let location: URL
        /// What is in it.
        public var type: UTType

        init(_ file: PhoneNotification.File) {
            location = file.url
            type = UTType(file.type) ?? .data
        }

        /// Where to read it.
        ///
        /// - Throws: `CocoaError.fileReadNoSuchFile` once it is gone.
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

/// `@unchecked Sendable`: a copy of a text that nobody changes. Encoded, it is the text without its attributes.
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

import FoundationEssentials

/// Converts a notification's content to and from the fields of an update. ``NotificationUpdate`` describes them.
extension NotificationContent {
    private typealias Tag = NotificationUpdate.Tag

    /// - Parameter isNew: Whether the notification is added. Only then it may alert.
    init(_ fields: TaggedFields, isNew: Bool) throws(DieProtocolError) {
        let alert = try fields.byte(Tag.alert, "the alert") ?? 0
        guard alert <= 1 else { throw .invalid(what: "the alert") }
        self.init(
            identifier: try fields.identifier(Tag.notification, Tag.source),
            sourceName: try fields.text(Tag.sourceName) ?? "", title: try fields.text(Tag.title) ?? "",
            subtitle: try fields.text(Tag.subtitle) ?? "", body: try fields.text(Tag.body) ?? "",
            alerts: isNew && alert == 1)
        summary = try fields.text(Tag.summary) ?? ""
        thread = try fields.text(Tag.thread) ?? ""
        attributes = Attributes(rawValue: try fields.byte(Tag.attributes, "the attributes") ?? 0)
            .intersection([.critical, .timeSensitive, .priority])
        guard let category = Category(rawValue: try fields.byte(Tag.category, "the category") ?? 0) else {
            throw .invalid(what: "the category")
        }
        self.category = isNew ? category : .notification
        let sound = try fields.byte(Tag.sound, "the sound")
        self.sound = isNew ? sound.map { Sound(ignoresSilentMode: $0 & 1 != 0) } : nil
        if let value = fields.values[Tag.date] { date = try DisplayDate(decoding: value) }
        if let value = fields.values[Tag.actions] { actions = try NotificationAction.list(decoding: value) }
        if let value = fields.values[Tag.pictures] { pictures = try NotificationPicture.list(decoding: value) }
    }

    func append(to bytes: inout Data, isNew: Bool) throws(DieProtocolError) {
        bytes.append(identifier, Tag.notification, Tag.source)
        for (text, tag) in [
            (sourceName, Tag.sourceName), (title, Tag.title), (subtitle, Tag.subtitle), (body, Tag.body),
            (summary, Tag.summary), (thread, Tag.thread),
        ] {
            bytes.append(text: text, tag)
        }
        if !attributes.isEmpty { bytes.append(field: Data([attributes.rawValue]), Tag.attributes) }
        if let date { bytes.append(field: date.encoded, Tag.date) }
        if !actions.isEmpty { bytes.append(field: try NotificationAction.encoded(actions), Tag.actions) }
        if !pictures.isEmpty { bytes.append(field: try NotificationPicture.encoded(pictures), Tag.pictures) }
        guard isNew else { return }
        if category != .notification { bytes.append(field: Data([category.rawValue]), Tag.category) }
        if alerts { bytes.append(field: Data([1]), Tag.alert) }
        if let sound { bytes.append(field: Data([sound.ignoresSilentMode ? 1 : 0]), Tag.sound) }
    }
}

extension NotificationContent.DisplayDate {
    fileprivate init(decoding bytes: Data) throws(DieProtocolError) {
        guard bytes.count == 9, let precision = bytes.last.flatMap(Precision.init) else {
            throw .invalid(what: "the date")
        }
        let seconds = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        self.init(seconds: Int64(bitPattern: seconds), precision: precision)
    }

    fileprivate var encoded: Data {
        var bytes = Data()
        bytes.append(littleEndian: UInt64(bitPattern: seconds))
        bytes.append(precision.rawValue)
        return bytes
    }
}

extension NotificationAction {
    fileprivate static func list(decoding bytes: Data) throws(DieProtocolError) -> [NotificationAction] {
        var reader = ByteReader(bytes)
        var actions: [NotificationAction] = []
        for _ in 0..<(try reader.uint8("the number of actions")) {
            guard let kind = Kind(rawValue: try reader.uint8("an action's kind")) else {
                throw .invalid(what: "an action's kind")
            }
            let identifier = try reader.text(Int(reader.uint16("an action's length")), "an action's identifier")
            let title = try reader.text(Int(reader.uint16("a title's length")), "an action's title")
            let placeholder = try reader.text(Int(reader.uint16("a placeholder's length")), "a placeholder")
            actions.append(
                NotificationAction(kind: kind, identifier: identifier, title: title, placeholder: placeholder))
        }
        try reader.end(of: "the actions")
        return actions
    }

    fileprivate static func encoded(_ actions: [NotificationAction]) throws(DieProtocolError) -> Data {
        guard actions.count <= 255 else {
            throw .tooLong(what: "the list of actions", count: actions.count, limit: 255)
        }
        var bytes = Data([UInt8(actions.count)])
        for action in actions {
            bytes.append(action.kind.rawValue)
            try bytes.append(mediumText: action.identifier, "an action's identifier")
            try bytes.append(mediumText: action.title, "an action's title")
            try bytes.append(mediumText: action.placeholder, "an action's placeholder")
        }
        return bytes
    }
}

extension NotificationPicture {
    fileprivate static func list(decoding bytes: Data) throws(DieProtocolError) -> [NotificationPicture] {
        var reader = ByteReader(bytes)
        var pictures: [NotificationPicture] = []
        for _ in 0..<(try reader.uint8("the number of pictures")) {
            guard let role = Role(rawValue: try reader.uint8("a picture's role")) else {
                throw .invalid(what: "a picture's role")
            }
            let type = try reader.text(Int(reader.uint8("a type's length")), "a picture's type")
            let length = Int(clamping: try reader.uint32("a picture's length"))
            pictures.append(NotificationPicture(role: role, type: type, data: try reader.bytes(length, "a picture")))
        }
        try reader.end(of: "the pictures")
        return pictures
    }

    fileprivate static func encoded(_ pictures: [NotificationPicture]) throws(DieProtocolError) -> Data {
        guard pictures.count <= 255 else {
            throw .tooLong(what: "the list of pictures", count: pictures.count, limit: 255)
        }
        var bytes = Data(capacity: pictures.reduce(1) { $0 + 64 + $1.data.count })
        bytes.append(UInt8(pictures.count))
        for picture in pictures {
            bytes.append(picture.role.rawValue)
            try bytes.append(shortText: picture.type, "a picture's type")
            bytes.append(littleEndian: UInt32(clamping: picture.data.count))
            bytes.append(picture.data)
        }
        return bytes
    }
}

import AccessoryNotifications
import DieProtocol

extension NotificationContent {
    /// Converts a notification of the phone for the die.
    ///
    /// - Parameter alerting: How the die should alert; nil for a notification that must not alert.
    /// - Throws: `CocoaError` for a picture that cannot be read; ``DieProtocolError/tooLong(what:count:limit:)`` for a
    ///   picture that is larger than a whole notification may be.
    init(_ notification: AccessoryNotification, _ alerting: AlertingContext? = nil) async throws {
        self.init(
            identifier: NotificationIdentifier(notification.identifier), sourceName: notification.sourceName,
            title: notification.title ?? "", subtitle: notification.subtitle ?? "",
            body: notification.body?.string ?? "", alerts: alerting?.shouldAlert ?? false)
        summary = notification.summary?.string ?? ""
        thread = notification.threadIdentifier ?? ""
        date = DisplayDate(notification)
        let known: [(AccessoryNotification.Attributes, Attributes)] = [
            (.critical, .critical), (.timeSensitive, .timeSensitive), (.priority, .priority),
        ]
        attributes = Attributes(known.filter { notification.attributes.contains($0.0) }.map(\.1))
        category =
            switch alerting?.kind {
            case .notification, nil: .notification
            case .incomingCall: .incomingCall
            case .timer: .timer
            case .alarm: .alarm
            }
        sound = alerting?.sound.map { Sound(ignoresSilentMode: $0.shouldIgnoreSilentMode) }
        actions = notification.actions.map(NotificationAction.init)
        if let icon = notification.sourceIcon { pictures.append(try await NotificationPicture(icon, .sourceIcon)) }
        if let icon = notification.contextIcon { pictures.append(try await NotificationPicture(icon, .contextIcon)) }
        for file in notification.attachments { pictures.append(try await NotificationPicture(file, .attachment)) }
    }
}

extension NotificationIdentifier {
    init(_ identifier: AccessoryNotification.Identifier) {
        self.init(source: identifier.sourceIdentifier, notification: identifier.notificationIdentifier)
    }
}

extension NotificationContent.DisplayDate {
    fileprivate init?(_ notification: AccessoryNotification) {
        switch notification.displayDate {
        case .deliveryDate: self.init(notification.deliveryDate, .minute)
        case .contentDate(let date): self.init(date, .minute)
        case .allDayDate(let date): self.init(date, .day)
        case .hideDate: return nil
        }
    }

    /// Nil for a date that is too distant for a number: the die then shows no date.
    private init?(_ date: Date, _ precision: Precision) {
        guard let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) else { return nil }
        self.init(seconds: seconds, precision: precision)
    }
}

extension NotificationAction {
    fileprivate init(_ action: AccessoryNotification.Action) {
        let title = action.title ?? ""
        switch action.type {
        case .dismiss: self.init(kind: .dismiss, identifier: action.identifier, title: title)
        case .background: self.init(kind: .background, identifier: action.identifier, title: title)
        case .textInput(let placeholder):
            self.init(kind: .textInput, identifier: action.identifier, title: title, placeholder: placeholder)
        }
    }
}

extension NotificationPicture {
    fileprivate init(_ file: AccessoryNotification.File, _ role: Role) async throws {
        let url = try await file.url
        let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
        guard size <= GATTFraming.maximumContentLength else {
            throw DieProtocolError.tooLong(
                what: "the picture \(url.lastPathComponent)", count: size, limit: GATTFraming.maximumContentLength)
        }
        self.init(role: role, type: file.type.identifier, data: try Data(contentsOf: url))
    }
}

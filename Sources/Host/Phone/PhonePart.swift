import BoardProtocol

/// A part of the phone that hears what the radio tells: Bluetooth, Wi-Fi, notifications, accessory setup.
///
/// A part is made when somebody first asks for it with ``Phone/part(_:)`` and lives as long as the phone; hold the phone
/// `unowned`. Its initialiser must not ask for another part.
public protocol PhonePart: AnyObject, Sendable {
    init(phone: Phone)

    /// The radio noticed something. Called in order, one event at a time; must return at once.
    func receive(_ event: RadioEvent)
    /// What the app of this bundle identifier is allowed has changed.
    func authorizationsChanged(of app: String)
    /// The app ended; what it had open must be closed, and it is told nothing.
    func ended(_ app: RunningApp)
    /// Nobody on the phone holds the ended app any more.
    func released(_ app: RunningApp)
}

extension PhonePart {
    public func receive(_ event: RadioEvent) {}
    public func authorizationsChanged(of app: String) {}
    public func ended(_ app: RunningApp) {}
    public func released(_ app: RunningApp) {}
}

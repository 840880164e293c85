import BoardProtocol

/// A part of the phone that receives the radio's events: Bluetooth, Wi-Fi, notifications, accessory setup.
///
/// The first call of ``Phone/part(_:)`` for a type makes the part; it lives as long as the phone. A part holds the
/// phone `unowned`. Its initialiser must not ask for another part.
package protocol PhoneComponent: AnyObject, Sendable {
    init(phone: Phone)

    /// Takes over the state that an event of the radio tells of, before the event is in the phone's log: a reader who
    /// finds it there sees the new state. Causes nothing yet.
    func learn(_ event: RadioEvent)
    /// Handles an event of the radio. Called after ``learn(_:)``, in order, one event at a time; must return
    /// at once.
    func receive(_ event: RadioEvent)
    /// The authorisations of the app with this bundle identifier have changed.
    func authorizationsChanged(of app: String)
    /// The app has moved to the foreground or to the background.
    func foregroundChanged(of app: RunningApp)
    /// The app has ended. The part closes everything that the app had open, and sends the app nothing more.
    func ended(_ app: RunningApp)
    /// The phone has released the ended app, after every part's ``ended(_:)``.
    func released(_ app: RunningApp)
    /// The person has deleted an app, which is not running.
    func deleted(_ app: String)
    /// The phone was switched off for good.
    func switchedOff()
    /// The near misses of its searches.
    var nearMisses: [NearMiss] { get }
}

extension PhoneComponent {
    package func learn(_ event: RadioEvent) {}
    package func receive(_ event: RadioEvent) {}
    package func authorizationsChanged(of app: String) {}
    package func foregroundChanged(of app: RunningApp) {}
    package func ended(_ app: RunningApp) {}
    package func released(_ app: RunningApp) {}
    package func deleted(_ app: String) {}
    package func switchedOff() {}
    package var nearMisses: [NearMiss] { [] }
}

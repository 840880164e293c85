/// When the phone launches apps by itself, and what becomes of apps that are not running: the part of ``HostPolicy`` where
/// Apple's documentation leaves a choice.
public struct LaunchPolicy: Sendable, Hashable {
    /// How the links of a phone end when it is restarted (L5).
    public enum LinkEnd: Sendable, Hashable, CaseIterable {
        /// The phone disconnects with the reason “remote device terminated connection due to power off”, 0x15, as it does when
        /// Bluetooth is switched off.
        case powerOff
        /// The phone says nothing, as one whose battery is empty: the accessory finds out by itself, by its supervision
        /// timeout.
        case silence
    }

    /// What becomes of a link that an ended app had when the phone is restarted, or when Bluetooth is switched off in Control
    /// Center (L5).
    public enum LostLink: Sendable, Hashable, CaseIterable {
        /// The phone connects again as soon as it hears the accessory, and the connection launches the app.
        case connectsAgain
        /// The disconnection launches the app, which has to connect by itself.
        case launchesApp
    }

    /// The system version whose rules count (L3).
    public var rules: RelaunchRules = .iOS26
    /// How many events the phone keeps for an app that it is about to launch; the oldest value or discovery goes first (L1).
    /// Not documented. A developer saw that the phone keeps a value: JohanDegraeve/xdripswift#202. 64 is assumed.
    public var keptEvents: Int = 64
    /// Whether the phone asks for a passcode after a restart. No app is launched before it is unlocked for the first time
    /// then (TN3115, note 4).
    public var hasPasscode = true
    /// How links end when the phone is restarted. Not documented; assumed to be as when Bluetooth is switched off.
    public var linkEndAtRestart: LinkEnd = .powerOff
    /// What becomes of the lost links of an ended app. Not documented; assumed, because TN3115 says that such an app is
    /// launched, and only an attempt to connect outlives a link.
    public var lostLinks: LostLink = .connectsAgain
    /// Whether the deletion of an app removes the accessories that the person has set up for it, with their bonds (L6). Not
    /// documented; assumed, because nothing in Settings would belong to them any more.
    public var deletionRemovesAccessories = true

    /// The choices of an iPhone, as far as they are known.
    public init() {}
}

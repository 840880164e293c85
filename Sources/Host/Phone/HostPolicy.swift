import RadioModel

/// Every choice that Apple does not document, with its default and the reason. A scenario may change it.
public struct HostPolicy: Sendable, Hashable {
    /// Which of the two comes first when a picker ends (K11). Shipping apps have seen both.
    public enum PickerEnd: Sendable, Hashable, CaseIterable {
        /// `pickerDidDismiss`, then the completion: the order of Apple's article.
        case dismissalThenCompletion
        case completionThenDismissal
    }

    /// How long a masked blob may be (D6). The header says “less than or equal to the size of the advertised payload”.
    public enum BlobLength: Sendable, Hashable, CaseIterable {
        /// The blob matches the beginning of the payload.
        case prefix
        /// The blob is as long as the payload.
        case exact
    }

    /// What `NEHotspotConfigurationManager.apply` tells of a wrong passphrase or an absent network (W3). The header names no
    /// error for either.
    public enum HotspotJoinFailure: Sendable, Hashable, CaseIterable {
        /// `NEHotspotConfigurationError.internal`. Developers saw it for networks that cannot be joined: flutternetwork/
        /// WiFiFlutter#77, JuanSeBestia/react-native-wifi-reborn#364, dotnet/macios#18097.
        case internalError
        /// No error, though nothing was joined; the person alone is told. Developers saw it as well: flutternetwork/
        /// WiFiFlutter#10, JuanSeBestia/react-native-wifi-reborn#23, rdar://49372577.
        case silence
    }

    /// Whose role `wifiAwareServiceRole` names (D10). The documentation calls it “the role of the accessory's service”, and
    /// makes subscriber the default for accessories that publish.
    public enum WiFiAwareRole: Sendable, Hashable, CaseIterable {
        /// The phone's: a subscriber finds accessories that publish. The default value makes sense only so.
        case ofPhone
        case ofAccessory
    }

    /// How long a picker looks for accessories when the app sets no timeout (K2). Apple's header says 30 s.
    public var discoveryTimeout: Duration = .seconds(30)
    /// The order at a picker's end (K11).
    public var pickerEnd: PickerEnd = .dismissalThenCompletion
    /// How a masked blob is compared (D6).
    public var blobLength: BlobLength = .prefix
    /// From this signal on, dBm, an accessory is in immediate range (D8): an arm's length at usual transmit power.
    public var immediateSignal: Int = -50
    /// The reports of which the mean must be that strong (D8), so that one lucky report does not count.
    public var immediateReports: Int = 3
    /// Whether a Bluetooth descriptor needs more than a service UUID or company identifier (D1). Apple's own listing has none.
    public var bluetoothDescriptorNeedsMore = false
    /// Whose role a descriptor names (D10).
    public var wifiAwareRole: WiFiAwareRole = .ofPhone
    /// How many accessories a discovery with `filterDiscoveryResults` tells the app of (F4). The documentation says that the
    /// number is limited and not to what: enough for a table full of accessories, too few to map a street.
    public var discoveredAccessories: Int = 20
    /// Whether `pickerDidDismiss` follows a migration alone (M1). Not documented; developers saw `migrationComplete` last.
    public var migrationDismissesPicker = false
    /// Whether a migrated accessory is told by `accessoryAdded`, too (M1). `migrationComplete` is what is documented for it.
    public var migrationAddsAccessories = false
    /// The pause between two Wi-Fi scans of a picker.
    public var wifiScanInterval: Duration = .seconds(1)
    /// How often a notification is handed to a transport that failed (T1); not documented.
    public var notificationTries: Int = 3
    /// The pause before the second try, doubled before each further one (T1); not documented.
    public var notificationRetryPause: Duration = .milliseconds(500)
    /// How many notifications are told of, and messages handed to a transport, before the first of them is answered (N3, T1);
    /// 1 is one after the other. Not documented: enough that a link with 100 ms between message and answer is never idle, few
    /// enough that not much is sent twice where it breaks.
    public var notificationsInFlight: Int = 16
    /// How long a message may be, bytes, that goes while others are unanswered; a longer one goes alone. Not documented: next
    /// to what takes longer than this the wait for an answer is short, and it would use up the time that others have for theirs.
    public var sharedFlightBytes: Int = 4096
    /// How long an extension may keep a completion handler before it counts as successful (T1); not documented.
    public var extensionAnswerLimit: Duration = .seconds(10)
    /// How long `addNotification` may take before the accessory counts as not having alerted (N4). Apple documents that there
    /// is a limit, and not which: enough for keys to be exchanged and a failing transport to be tried again.
    public var alertCoordinationLimit: Duration = .seconds(30)
    /// Whether an accessory is told of no sound while the phone is silenced, save for one that ignores silent mode (N4). Not
    /// documented; the context is there “to closely match the iPhone’s alerting behavior”, and that phone makes no sound.
    public var silentModeTakesSound = true
    /// Whether the sound of timers and alarms ignores silent mode (N4). Not documented for accessories; on the phone it does.
    public var alarmsIgnoreSilentMode = true
    /// Whether a notification goes away when one of its actions was chosen on an accessory (N5). What Apple documents is that
    /// a response is handled as if it were given on the phone, where it does.
    public var actionRemovesNotification = true
    /// How long a notification waits for keys before it is given up; not documented.
    public var keyExchangeLimit: Duration = .seconds(10)
    /// How long a message of an accessory may be, bytes, opened; not documented. As long as what it must be able to take.
    public var accessoryMessageLimit: Int = 1 << 20
    /// How many messages of an accessory wait to be opened before more are dropped; not documented.
    public var accessoryMessageBacklog: Int = 64
    /// The pause before the push service is tried again; not documented.
    public var pushPause: Duration = .seconds(2)
    /// Whether payloads of one message that name different transports are made for these, so that only those of the transport
    /// taken go. Apple's articles show both that and one notification cut into payloads, and not how they are told apart.
    public var payloadsAreAlternatives = true
    /// How many public keys of an accessory wait to be answered before older ones are dropped; not documented. Only the newest
    /// counts in the end.
    public var publicKeyBacklog: Int = 8
    /// Whether an `ASAccessorySession` of a forwarding extension has only the accessory that the extension was launched for.
    /// Not documented; nothing else tells an extension of an app with several accessories whose session it has.
    public var extensionsSeeOneAccessory = true

    /// How long the bond and link of an accessory that is removed wait for its forwarding extensions to be done with Bluetooth
    /// (N6). Not documented; its session is to end on both sides, and without a link nobody could tell the accessory. An
    /// accessory that is out of reach must not keep the person waiting.
    public var extensionFarewellLimit: Duration = .seconds(1)

    /// How often a peripheral that is heard may fail to connect before the app is told (C4). Silence alone never ends an
    /// attempt, as CoreBluetooth documents; how many failures do is not documented.
    public var connectionTries: Int = 3
    /// Whether a setup fails when the picker cannot bridge the accessory to classic Bluetooth (K12). Not documented; an
    /// accessory that its app declares for bridging and that cannot be bridged is broken, and a test should say so.
    public var bridgingFailureFailsSetup = true
    /// Services that the system keeps to itself: apps do not discover them. Developers saw it of the HID service, 1812,
    /// whose reports go to the system's input alone; it is what `ASAccessory.SupportOptions.bluetoothHID` is for.
    public var hiddenServices: Set<BluetoothUUID> = [BluetoothUUID("1812")!]  // Four hexadecimal digits.
    /// What an app is told when a network in the right form cannot be joined (W3).
    public var hotspotJoinFailure: HotspotJoinFailure = .internalError
    /// Whether the phone joins the network again that it was on when Wi-Fi was switched off, once it is on (W6). Not documented
    /// for the networks of apps; a phone joins the networks that it knows.
    public var joinsAgainWhenWiFiIsOn = true
    /// How many scans in which a network is missing make it absent (W3); not documented.
    public var hotspotScans: Int = 3

    public init() {}
}

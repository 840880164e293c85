import RadioModel

/// The phone's behaviour where Apple documents nothing: each choice with its default and the reason. A scenario may
/// change it.
public struct HostPolicy: Sendable, Hashable {
    /// The order of the event and the completion at the end of a picker (K11). Shipping apps have seen both orders.
    public enum PickerEnd: Sendable, Hashable, CaseIterable {
        /// `pickerDidDismiss`, then the completion: the order of Apple's article.
        case dismissalThenCompletion
        /// The completion, then `pickerDidDismiss`.
        case completionThenDismissal
    }

    /// The allowed length of a masked blob (D6). The header says “less than or equal to the size of the advertised
    /// payload”.
    public enum BlobLength: Sendable, Hashable, CaseIterable {
        /// The blob may be shorter than the payload; it matches the payload's beginning.
        case prefix
        /// The blob must be as long as the payload.
        case exact
    }

    /// When `NEHotspotConfigurationManager.apply` completes, and with what, if the request has the right form and the
    /// person allows it (W17). Apple's header: with nil “if the configuration is successfully stored”, whether or not the
    /// network is near; the person is told if it cannot be joined.
    public enum HotspotCompletion: Sendable, Hashable, CaseIterable {
        /// With nil after the attempt to join, whether or not it has succeeded. Developers saw this:
        /// flutternetwork/WiFiFlutter#10, JuanSeBestia/react-native-wifi-reborn#23, rdar://49372577.
        case afterJoining
        /// With nil at once, before the phone is on the network. Apple's support says so
        /// (developer.apple.com/forums/thread/111379), and developers saw it: JuanSeBestia/react-native-wifi-reborn#301.
        case whenStored
        /// With `NEHotspotConfigurationError.internal` if the attempt to join has failed; nothing is stored then.
        /// Developers saw this for networks that cannot be joined: flutternetwork/WiFiFlutter#77,
        /// JuanSeBestia/react-native-wifi-reborn#364, dotnet/macios#18097.
        case internalError
    }

    /// When the person is asked whether an accessory may have the phone's notifications by Apple Notification Center
    /// Service (C23). Apple documents only that all of its characteristics “require authorization for access”.
    public enum SharingPrompt: Sendable, Hashable, CaseIterable {
        /// When the accessory subscribes to the Notification Source, which needs an encrypted link. An accessory that looks
        /// for the service only at its next connection made the phone ask then: InfiniTimeOrg/InfiniTime#2217.
        case whenSubscribed
        /// When the accessory is paired. A guide to the service describes the question as the one after the pairing's:
        /// wonderslug/esphome-ancs.
        case whenPaired
    }

    /// When an app's connection with `CBConnectPeripheralOptionRequiresANCS` is made (C24). Apple documents only “an option
    /// to require Apple Notification Center Service (ANCS) when connecting a device”.
    public enum ANCSConnection: Sendable, Hashable, CaseIterable {
        /// When the person lets the accessory have notifications; until then it is connecting. Apps have a time limit of
        /// their own and then connect without the option: bridgething.
        case whenAuthorized
        /// As soon as there is a link; the phone pairs and asks meanwhile.
        case whenLinked
    }

    /// Whose role `wifiAwareServiceRole` names (D10). The documentation calls it “the role of the accessory's service”,
    /// but its default is subscriber, for accessories that publish.
    public enum WiFiAwareRole: Sendable, Hashable, CaseIterable {
        /// The phone's role: as a subscriber it finds accessories that publish. Only this makes sense of the default
        /// value.
        case ofPhone
        /// The accessory's role, as the documentation says.
        case ofAccessory
    }

    /// How long a picker looks for accessories if the app sets no timeout (K2). Apple's header says 30 s.
    public var discoveryTimeout: Duration = .seconds(30)
    /// How long a picker waits for the radio to pair or to bridge, questions to the person included (K10). Not
    /// documented. 60 s are twice the time after which a pairing without an answer has failed (Core Specification,
    /// Vol 3, Part H, 3.4).
    public var pairingLimit: Duration = .seconds(60)
    /// How long a picker waits for the end of a pairing whose link was lost (K10). Not documented; the radio ends it at
    /// once.
    public var pairingGrace: Duration = .seconds(5)
    /// The order of event and completion at the end of a picker (K11).
    public var pickerEnd: PickerEnd = .dismissalThenCompletion
    /// How a masked blob is compared (D6).
    public var blobLength: BlobLength = .prefix
    /// The weakest signal, in dBm, of an accessory in immediate range (D8): about an arm's length at usual transmit
    /// power.
    public var immediateSignal: Int = -50
    /// How many signal reports are averaged for immediate range (D8), so that one unusually strong report is not
    /// enough.
    public var immediateReports: Int = 3
    /// Whether a Bluetooth descriptor needs more than a service UUID or company identifier (D1). Apple's own listing
    /// has no more.
    public var bluetoothDescriptorNeedsMore = false
    /// Whose role a descriptor names (D10).
    public var wifiAwareRole: WiFiAwareRole = .ofPhone
    /// How many accessories a discovery with `filterDiscoveryResults` reports to the app at most (F4). The
    /// documentation says that the number is limited, but not the limit. 20 are enough for a table full of accessories
    /// and too few to map a street.
    public var discoveredAccessories: Int = 20
    /// Whether `pickerDidDismiss` follows a picker that only migrates (M1). Not documented; developers saw
    /// `migrationComplete` last.
    public var migrationDismissesPicker = false
    /// Whether the app also receives `accessoryAdded` for a migrated accessory (M1). Only `migrationComplete` is
    /// documented.
    public var migrationAddsAccessories = false
    /// The pause between two Wi-Fi scans.
    public var wifiScanInterval: Duration = .seconds(1)
    /// How often the phone tries to send a notification through a failing transport (T1). Not documented. New keys and a
    /// new Bluetooth link begin the count again, this many times at most: an accessory that restarts without its keys
    /// causes several failures, and its notification must still arrive (S5).
    public var notificationTries: Int = 3
    /// The pause before the second try; it doubles before each further try (T1). Not documented.
    public var notificationRetryPause: Duration = .milliseconds(500)
    /// How many notifications or messages may be unanswered at the same time (N3, T1); 1 sends one after the other. Not
    /// documented. 16 keep a link busy that needs 100 ms from message to answer; with more, a broken link would cause
    /// many repeats.
    public var notificationsInFlight: Int = 16
    /// The longest message, in bytes, that is sent while others are unanswered; a longer one is sent alone. Not
    /// documented. A longer message takes more time than the wait for an answer, and would use up the time of the
    /// messages beside it.
    public var sharedFlightBytes: Int = 4096
    /// How long an extension may hold a completion handler before the phone counts the call as successful (T1). Not
    /// documented.
    public var extensionAnswerLimit: Duration = .seconds(10)
    /// How long `addNotification` may take before the phone assumes that the accessory did not alert (N4). Apple
    /// documents that there is a limit, but not which. 30 s are enough to exchange keys and to retry a failing
    /// transport.
    public var alertCoordinationLimit: Duration = .seconds(30)
    /// Whether silent mode also mutes the sounds of notifications on an accessory, except those that ignore silent mode
    /// (N4). Not documented. The context exists “to closely match the iPhone’s alerting behavior”, and a silenced
    /// iPhone makes no sound.
    public var silentModeMutesAccessories = true
    /// Whether the sounds of timers and alarms ignore silent mode (N4). Not documented for accessories; on the phone
    /// they do.
    public var alarmsIgnoreSilentMode = true
    /// Whether a notification disappears when the person chooses one of its actions on an accessory (N5). Apple
    /// documents that a response counts as if it were given on the phone, and there the notification disappears.
    public var actionRemovesNotification = true
    /// How long a notification waits for keys before the phone gives it up. Not documented.
    public var keyExchangeLimit: Duration = .seconds(10)
    /// The longest message from an accessory, in bytes after decryption. Not documented. The same as the longest
    /// message that an accessory must accept.
    public var accessoryMessageLimit: Int = 1 << 20
    /// How many messages from an accessory may wait for decryption; the phone drops any further ones. Not documented.
    public var accessoryMessageBacklog: Int = 64
    /// The pause before the phone tries the push service again. Not documented.
    public var pushPause: Duration = .seconds(2)
    /// Whether payloads of one message that name different transports are alternatives: the phone sends only those for
    /// the transport in use. Apple's articles show this and also one notification split into several payloads, but not
    /// how to distinguish the two.
    public var payloadsAreAlternatives = true
    /// How many public keys from an accessory may wait for an answer; the phone drops the oldest. Not documented. In
    /// the end only the newest key counts.
    public var publicKeyBacklog: Int = 8
    /// Whether an `ASAccessorySession` in a forwarding extension has only the accessory that the extension was launched
    /// for. Not documented. An app may have several accessories, and nothing else shows an extension which one it
    /// serves.
    public var extensionsSeeOneAccessory = true

    /// The pauses after which an extension is launched again whose process has ended (T6).
    public var extensionRelaunch = ExtensionRelaunch()
    /// Whether the phone repeats what an extension had in hand when its process ended: a key or a message that it had not
    /// answered, and a notification for which it had sent nothing (T6). If not, all of these count as done. Not documented.
    /// Assumed, because Apple's article says “The system retries failed messages”; developers do not rely on it:
    /// shinvou/NotifBridge, `DeliveryReceipt.swift`: “there is no assumption that Apple will retry after an extension is
    /// terminated”.
    public var repeatsAfterExtensionEnd = true
    /// The memory limit of an extension's process, in bytes (T6). Not documented for extensions of Accessory Notifications.
    /// Apple's engineers measured 24 MiB for extensions that receive pushes
    /// (<https://developer.apple.com/forums/thread/73148>), and developers saw 24 MB for notification services:
    /// nextcloud/talk-ios#1223. The phone can measure only what it hands an extension, or gets from it, at once.
    public var extensionMemoryLimit: Int = 24 << 20

    /// How long the bond and link of a removed accessory are kept for its forwarding extensions to finish with
    /// Bluetooth (N6). Not documented. The session must end on both sides, and without a link the accessory could not
    /// be informed. The limit is short because an accessory that is out of range must not keep the person waiting.
    public var extensionShutdownLimit: Duration = .seconds(1)

    /// How many attempts to connect to an advertising peripheral may fail before the app gets an error (C4).
    /// CoreBluetooth documents that an attempt does not time out if nothing is heard, but not how many failures end it.
    public var connectionTries: Int = 3
    /// Whether an app's items of the keychain are still there when the app was deleted and is installed again (P10). Apple
    /// calls this an implementation detail, and has changed it once in a beta:
    /// <https://developer.apple.com/forums/thread/36442>.
    public var keychainOutlivesApps = true
    /// How long an app that an event has woken in the background may run (C13). Apple's Core Bluetooth Programming Guide:
    /// “an app has around 10 seconds to complete a task”.
    public var backgroundTime: Duration = .seconds(10)
    /// Whether the link on which the picker has paired stays open for the app (K12). Not documented. A link that stays
    /// saves the app a connection; one that closes shows an accessory that must advertise again after its pairing.
    public var keepsLinkAfterPairing = true
    /// Whether setup fails if the picker cannot bridge the accessory to classic Bluetooth (K12). Not documented. An
    /// accessory that its app declares for bridging and that cannot be bridged is broken, and a test should report it.
    public var bridgingFailureFailsSetup = true
    /// The port (PSM) of the classic channel that the phone opens to bridge an accessory (K12). Apple does not document it;
    /// every classic device has service discovery, 1 (Core Specification 6.0, Vol 3, Part A, 4.2).
    public var bridgingPort: UInt16 = 0x0001
    /// Services that only the system uses; apps do not discover them. Developers saw this for the HID service, 1812,
    /// whose reports go to the system's input only (`ASAccessory.SupportOptions.bluetoothHID` is made for it), and for
    /// those that belong to Bluetooth itself: Generic Access, 1800, and Generic Attribute, 1801.
    public var hiddenServices = Set(["1800", "1801", "1812"].compactMap { BluetoothUUID($0) })
    /// Services that belong to the system: an app that adds one to its own gets `uuidNotAllowed` (C22). Developers saw this
    /// for 180A (noble/bleno#99), 180F (nordicsemi/IOS-nRF-Connect#83) and 1812 (angelworm/BLKeyboard#1); the others are
    /// assumed, because the phone offers them itself: 1800, 1801, 1805, ANCS and Apple Media Service.
    public var systemServices = Set(
        [
            "1800", "1801", "1805", "180A", "180F", "1812", "7905F431-B5CE-4E99-A40F-4B1E122D00D0",
            "89D3502B-0F36-433A-8EF4-C502AD55F8DC",
        ].compactMap { BluetoothUUID($0) })
    /// Whether an app that declares Bluetooth for AccessorySetupKit can be a peripheral (C22). Not documented. Developers
    /// saw that it cannot: coredevices/mobileapp#221 (“AccessorySetupKit … is not compatible with CBPeripheralManager”),
    /// zunda-pixel/ANProbe (“hard-aborts”, iOS 27.2).
    public var accessorySetupAppsPublish = false
    /// When the person is asked whether an accessory may have notifications by Apple Notification Center Service (C23).
    public var sharingPrompt: SharingPrompt = .whenSubscribed
    /// The error code of the attribute protocol for a command of an accessory that may not have notifications, or about
    /// which the person has not decided yet (C23): Write Not Permitted, while subscriptions are accepted and nothing is
    /// notified. Developers saw it: coredevices/PebbleOS#2093.
    public var unsharedCommandError: UInt8 = 0x03
    /// When an app's connection that requires Apple Notification Center Service is made (C24).
    public var ancsConnection: ANCSConnection = .whenAuthorized
    /// Whether the phone reads a peripheral's own name (Device Name, 2A00) whenever it connects, and shows that to apps
    /// from then on (C11). Apple documents only that the name can change; developers saw the name of the last connection,
    /// whatever was advertised since: espressif/esp-idf#7647, developer.apple.com/forums/thread/72343.
    public var readsNameWhenConnected = true
    /// Whether the phone keeps the services of an accessory that has no Service Changed (2A05), even without a bond,
    /// until the accessory is forgotten (C12). Core Specification 6.0, Vol 3, Part G, 2.5.2 allows it; developers saw
    /// it: ukBaz/python-bluezero#405.
    public var keepsTables = true
    /// The connection parameters that the phone accepts from an accessory (C14).
    public var connectionLimits = ConnectionLimits()
    /// The connection parameters that the phone returns to when it refuses those of an accessory (C14). Not documented;
    /// accessories logged 30 ms and 720 ms: espressif/esp-idf#3551, google/bumble#124.
    public var connectionParameters = ConnectionParameters(milliseconds: 15...30, timeout: .milliseconds(720))
    /// When `NEHotspotConfigurationManager.apply` completes, and with what (W17).
    public var hotspotCompletion: HotspotCompletion = .afterJoining
    /// How long an app with a network of `joinOnce` may stay in the background before the phone leaves and forgets the
    /// network (W5). Apple documents 15 s.
    public var joinOnceBackgroundTime: Duration = .seconds(15)
    /// The pause before the phone looks for a network that it has lost or that was not near, if an app has it configured
    /// (W18); it doubles after each look, up to one minute. Nil: it does not look. Not documented; assumed, because an
    /// iPhone rejoins the networks that it knows some seconds after they are back.
    public var networkReturnPause: Duration? = .seconds(4)
    /// Whether the phone rejoins its network when Wi-Fi is switched on again (W6). Not documented for networks that an
    /// app configured; a phone rejoins the networks that it knows.
    public var joinsAgainWhenWiFiIsOn = true
    /// Whether the phone reads the name of a network that is not UTF-8 as Windows-1252, so that apps can ask for it
    /// (W11). Not documented for an iPhone; on the Mac, `CWNetwork.ssid` of CoreWLAN is UTF-8 or WinLatin1. If not, no
    /// app sees such a network.
    public var readsWindowsLatin1Names = true
    /// Whether a connection to an IP address on the local network needs the person's permission as well (W8), as
    /// Apple's TN3179 says; Bonjour always does. By default not: an app's extensions run in its process here, and
    /// cannot be distinguished from it once they use their own queues, while the system does not ask for extensions.
    public var asksForAddresses = false
    /// Whether an app's extensions may use the local network before the person was asked (W8). Apple's TN3179 says that
    /// the system denies it to extensions that count as running in the background, but not whether those of accessories
    /// do, which could then never use the accessory's own network.
    public var extensionsUseLocalNetworkUnasked = true
    /// Whether the connections of an app end when it is suspended (W20). Apple's TN2277 says that the system may take an
    /// app's sockets then, not when; an app that is written for it works in both cases. Developers saw ECONNABORTED:
    /// WalletConnect-Labs/WalletConnectSwiftV2#170, project-chip/connectedhomeip#9360.
    public var closesSocketsOfSuspendedApps = true
    /// Whether a request of `URLSession` waits for the person's answer about the local network (W8). By default it fails
    /// at once, unless `waitsForConnectivity` is set, as developers saw: migueldeicaza/SwiftTermApp#57,
    /// partout-io/passepartout#1492. Apple's WWDC 2020 session 10110 recommends `waitsForConnectivity`.
    public var requestsWaitForLocalNetworkPermission = false
    /// How many scans must miss a network before it counts as absent (W3). Not documented.
    public var hotspotScans: Int = 3
    /// When the phone launches apps by itself, and what becomes of apps that are not running (L1 to L6).
    public var launches = LaunchPolicy()

    /// The choices of an iPhone, as far as they are known.
    public init() {}
}

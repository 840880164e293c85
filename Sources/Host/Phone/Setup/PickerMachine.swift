import Foundation
import RadioModel

/// A picker from showing to closing: what is heard, what the person does and what the app answers go in; what is to be
/// done comes out.
struct PickerMachine {
    /// What a picker is about.
    struct Setting: Sendable {
        /// What is looked for, and what is migrated.
        var items: [PickerItem]
        /// Nil for a discovery that ends only when the app or the person says so.
        var timeout: Duration?
        var policy: HostPolicy
        /// Whether the app sees a match first and decides what is shown (F1).
        var filters = false
        /// Bluetooth accessories that the app has already; they are not offered (K14).
        var knownDevices: Set<UUID> = []
        /// Networks that the app has already; one that was renamed meanwhile is another one (K14).
        var knownNetworks: [String] = []
        /// Wi-Fi Aware devices that the app has already (K14).
        var knownAwareDevices: Set<UInt64> = []
        /// The identifier that apps know a device by.
        var identifier: @Sendable (DeviceAddress) -> UUID
        /// The number that apps know a Wi-Fi Aware device by.
        var awareDevice: @Sendable (DeviceAddress) -> UInt64 = { _ in 0 }
        /// Whether the radios are on when the picker comes up.
        var isBluetoothOn = true
        var isWiFiOn = true
        /// How another app set up that device, or the network of that name (K13).
        var presentation: @Sendable (UUID?, String?) -> AccessoryRecord? = { _, _ in nil }
    }

    enum Input: Sendable {
        case start
        case heard(Advertisement)
        case scanned([WiFiNetwork])
        case heardAware(WiFiAwareService)
        case timedOut
        case person(PersonAction)
        case paired(Result<Bond, RadioError>)
        /// A pairing asks the person, whoever began it.
        case pairingBegan(DeviceAddress)
        case bridged(Result<BridgeLink, RadioError>)
        /// The app finished or failed the authorisation of the accessory of that record (O2).
        case finished(UUID, AuthorizationSettings)
        case failed(UUID)
        /// The app shows what it let through (F2).
        case update([FilteredItem])
        /// The app ends a discovery without a timeout (F3).
        case discoveryFinished
        case invalidated
        case bluetoothPower(Bool)
        case wifiPower(Bool)
    }

    enum Effect: Sendable, Equatable {
        case tell(SetupEvent.Kind, AccessoryRecord? = nil, SetupError? = nil)
        /// Tells of a match that is not shown yet; a network has no advertisement.
        case discover(AccessoryRecord, Advertisement?)
        case show(Screen)
        case listen(bluetooth: Bool, wifi: Bool, wifiAware: Bool = false)
        case stopListening
        case startTimer(Duration)
        case pair(DeviceAddress)
        /// Brings up classic Bluetooth by the bond of LE.
        case bridge(DeviceAddress)
        /// Ends a pairing or a link that leads to nothing.
        case abandon(DeviceAddress)
        case authorize(AccessoryRecord)
        case revoke(UUID)
        /// The picker is gone: another one may be shown.
        case close
        case complete(SetupError?)
    }

    /// An accessory that was found.
    struct Entry: Sendable, Equatable {
        /// What its record is called from the first moment on.
        var id = UUID()
        var item: PickerItem
        /// Its name over the air, or the network's.
        var name: String
        var device: DeviceAddress?
        var ssid: String?
        /// 0 for one that was not found by Wi-Fi Aware.
        var awareDevice: UInt64 = 0

        /// Where it was heard first: of Bluetooth, of the network, or of Wi-Fi Aware.
        var address: DeviceAddress?
        /// How strongly it was heard last, dBm; nil where that is not known.
        var signal: Int?

        /// Whether both are the same device or network.
        func isSame(as other: Entry) -> Bool {
            if let device { return other.device == device }
            if awareDevice != 0 { return other.awareDevice == awareDevice }
            guard other.device == nil, other.awareDevice == 0, let ssid, let name = other.ssid else { return false }
            return ssid.isSameSSID(as: name)
        }
    }

    enum Phase {
        case idle
        /// Only migration items: a page informs of what moves (M1).
        case informing
        case discovering
        case pairing(Entry)
        case bridging(Entry)
        case renaming(Entry, AccessoryRecord)
        case awaitingApp(Entry, AccessoryRecord)
        /// A last page, and what the completion gets when the person leaves it.
        case lastPage(SetupError?)
        case ended
    }

    let setting: Setting
    /// What is looked for; its places are those in ``index``.
    let offers: [PickerItem]
    let index: DescriptorIndex
    var phase = Phase.idle
    /// What was found, and passed by the app if it filters, in the order in which it came.
    var entries: [Entry] = []
    /// Those of them whose radio was switched off, until they are heard again.
    var unheard: Set<UUID> = []
    var isBluetoothOn: Bool
    var isWiFiOn: Bool
    /// What the app was told of and has not let through (F1).
    var candidates: [Entry] = []
    /// How many accessories the app was told of (F4).
    var toldCount = 0
    var signals: [DeviceAddress: [Int]] = [:]

    init(_ setting: Setting) {
        self.setting = setting
        (isBluetoothOn, isWiFiOn) = (setting.isBluetoothOn, setting.isWiFiOn)
        offers = setting.items.filter { $0.migration == nil }
        index = DescriptorIndex(offers.map(\.descriptor), policy: setting.policy)
    }

    /// Takes one input.
    mutating func handle(_ input: Input) -> [Effect] {
        switch (phase, input) {
        case (.ended, _): []
        case (_, .invalidated): invalidate()
        case (_, .bluetoothPower(let isOn)): bluetoothIs(on: isOn)
        case (_, .wifiPower(let isOn)): wifiIs(on: isOn)
        case (.idle, .start): start()
        case (.informing, .person(.done)): migrateAlone()
        case (.discovering, .heard(let advertisement)): hear(advertisement)
        case (.discovering, .scanned(let networks)): see(networks)
        case (.discovering, .heardAware(let service)): hear(service)
        case (.discovering, .update(let items)): update(items)
        case (.discovering, .timedOut), (.discovering, .discoveryFinished): timeOut()
        case (.discovering, .person(.pick(let choice))): pick(choice)
        case (.pairing(let entry), .paired(let result)): paired(entry, result)
        case (.bridging(let entry), .bridged(let result)): bridged(entry, result)
        case (.renaming(let entry, let record), .person(.rename(let name))): rename(entry, record, to: name)
        case (.awaitingApp(let entry, _), .pairingBegan(let device)) where entry.device == device:
            [.tell(.pickerSetupPairing)]
        case (.awaitingApp(let entry, let record), .finished(let id, let settings)) where id == record.id:
            finish(entry, record, settings)
        case (.awaitingApp(let entry, let record), .failed(let id)) where id == record.id:
            takeBack(record) + fail(entry, "the app could not finish the setup of “\(record.displayName)”")
        case (.lastPage(let error), .person(.done)): end(error)
        case (.lastPage, _): []
        case (_, .person(.cancel)): cancel()
        default: []
        }
    }

    // MARK: Setup

    private mutating func pick(_ choice: AccessoryChoice) -> [Effect] {
        guard let index = picker.index(of: choice) else { return [] }
        let entry = offered[index]
        guard let device = entry.device, entry.item.descriptor.supportedOptions.needPairing,
            !entry.item.setupOptions.contains(.confirmAuthorization)
        else { return [.stopListening] + authorize(entry) }
        phase = .pairing(entry)
        return [.stopListening, .show(settingUp(entry, "Pairing…")), .tell(.pickerSetupPairing), .pair(device)]
    }

    private mutating func paired(_ entry: Entry, _ result: Result<Bond, RadioError>) -> [Effect] {
        switch result {
        case .success:
            guard entry.item.descriptor.supportedOptions.contains(.bluetoothTransportBridging),
                let device = entry.device
            else { return authorize(entry) }
            phase = .bridging(entry)
            return [.show(settingUp(entry, "Connecting…")), .tell(.pickerSetupBridging), .bridge(device)]
        case .failure(let error): return fail(entry, "\(error)")
        }
    }

    private mutating func bridged(_ entry: Entry, _ result: Result<BridgeLink, RadioError>) -> [Effect] {
        switch result {
        case .success(let link) where link.isEncrypted:
            return authorize(entry, bridgingIdentifier: Data(link.address.bytes))
        case .success: return fail(entry, "classic Bluetooth came up without encryption")
        case .failure(let error):
            return setting.policy.bridgingFailureFailsSetup ? fail(entry, "\(error)") : authorize(entry)
        }
    }

    private mutating func authorize(_ entry: Entry, bridgingIdentifier: Data? = nil) -> [Effect] {
        var record = record(of: entry)
        record.bridgingIdentifier = bridgingIdentifier
        guard entry.item.setupOptions.contains(.confirmAuthorization) else { return askForName(entry, record) }
        var waiting = record
        waiting.state = .awaitingAuthorization
        phase = .awaitingApp(entry, waiting)
        let screen = settingUp(entry, "Waiting for the app…")
        return [.show(screen), .authorize(waiting), .tell(.accessoryAdded, waiting)]
    }

    private mutating func finish(
        _ entry: Entry, _ record: AccessoryRecord, _ settings: AuthorizationSettings
    ) -> [Effect] {
        var record = record
        record.state = .authorized
        if let ssid = settings.ssid { record.ssid = ssid }
        if let identifier = settings.bridgingIdentifier { record.bridgingIdentifier = identifier }
        return askForName(entry, record)
    }

    private mutating func askForName(_ entry: Entry, _ record: AccessoryRecord) -> [Effect] {
        guard entry.item.setupOptions.contains(.rename) else { return succeed(entry, record) }
        phase = .renaming(entry, record)
        return [.tell(.pickerSetupRename), .show(naming(record))]
    }

    private mutating func rename(_ entry: Entry, _ record: AccessoryRecord, to name: String) -> [Effect] {
        var record = record
        if !name.isEmpty, name != record.displayName {
            record.displayName = name
            if entry.item.renamesSSID, record.ssid != nil { record.ssid = name }
        }
        return succeed(entry, record)
    }

    private mutating func succeed(_ entry: Entry, _ record: AccessoryRecord) -> [Effect] {
        phase = .lastPage(nil)
        // Where the app had to confirm, the accessory was added before.
        let isConfirmed = entry.item.setupOptions.contains(.confirmAuthorization)
        let news = Effect.tell(isConfirmed ? .accessoryChanged : .accessoryAdded, record)
        return [.authorize(record), news] + migrate() + [.show(ready(entry, record))]
    }

    mutating func fail(_ entry: Entry, _ why: String) -> [Effect] {
        let error = SetupError(.connectionFailed, why)
        phase = .lastPage(error)
        let abandon = entry.device.map { [Effect.abandon($0)] } ?? []
        return abandon + [.tell(.pickerSetupFailed, nil, error), .show(failed(entry))]
    }

    // MARK: Ends

    private mutating func cancel() -> [Effect] {
        undo() + end(SetupError(.userCancelled, "the person closed the picker"))
    }

    private mutating func invalidate() -> [Effect] {
        let undo = undo()
        phase = .ended
        let error = SetupError(.invalidated, "the session was invalidated while its picker was up")
        return undo + [.close, .complete(error), .tell(.invalidated)]
    }

    /// Leaves nothing half-done behind.
    private func undo() -> [Effect] {
        switch phase {
        case .discovering: [.stopListening]
        case .pairing(let entry), .bridging(let entry): entry.device.map { [.abandon($0)] } ?? []
        case .renaming(let entry, let record), .awaitingApp(let entry, let record):
            (entry.item.setupOptions.contains(.confirmAuthorization) ? takeBack(record) : [])
                + (entry.device.map { [.abandon($0)] } ?? [])
        case .idle, .informing, .lastPage, .ended: []
        }
    }

    /// Takes an accessory away that the app was told of before it was authorised (A3).
    private func takeBack(_ record: AccessoryRecord) -> [Effect] {
        var record = record
        record.state = .unauthorized
        return [.revoke(record.id), .tell(.accessoryRemoved, record)]
    }

    mutating func end(_ error: SetupError?) -> [Effect] {
        phase = .ended
        switch setting.policy.pickerEnd {
        case .dismissalThenCompletion: return [.close, .tell(.pickerDidDismiss), .complete(error)]
        case .completionThenDismissal: return [.close, .complete(error), .tell(.pickerDidDismiss)]
        }
    }
}

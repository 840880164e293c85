import Foundation
import RadioModel

/// The state machine of a picker, from opening to closing.
///
/// Inputs are events of the radio, actions of the person and answers of the app; effects are the actions to carry out.
struct PickerMachine {
    /// The request for a picker, and the state of the phone when it opens.
    struct Configuration: Sendable {
        /// The items to discover or to migrate.
        var items: [PickerItem]
        /// How long to discover; nil until the app or the person ends it.
        var timeout: Duration?
        var policy: HostPolicy
        /// Whether the app gets a match first and decides whether it is shown (F1).
        var filters = false
        /// Bluetooth accessories that the app already has; the picker does not offer them (K14).
        var knownDevices: Set<UUID> = []
        /// Networks that the app already has. A network that was renamed counts as a new one (K14).
        var knownNetworks: [String] = []
        /// Wi-Fi Aware devices that the app already has (K14).
        var knownAwareDevices: Set<UInt64> = []
        /// Gives the identifier that apps see for a device.
        var identifier: @Sendable (DeviceAddress) -> UUID
        /// Gives the identifier that apps see for a Wi-Fi Aware device.
        var awareDevice: @Sendable (DeviceAddress) -> UInt64 = { _ in 0 }
        /// Whether the radios are on when the picker opens.
        var isBluetoothOn = true
        var isWiFiOn = true
        /// Gives another app's record of a device, or of the network with this name (K13).
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
        /// A pairing asks the person to compare numbers; the picker or another part of the phone may have started it.
        case pairingBegan(DeviceAddress)
        case bridged(Result<ClassicLink, RadioError>)
        /// The app finished the authorisation of the accessory with this ``AccessoryRecord/id`` (O2).
        case finished(UUID, AuthorizationSettings)
        /// The app failed the authorisation of the accessory with this ``AccessoryRecord/id`` (O2).
        case failed(UUID)
        /// The app has accepted these items (F2).
        case update([FilteredItem])
        /// The app ends a discovery without a timeout (F3).
        case discoveryFinished
        case invalidated
        case bluetoothPower(Bool)
        case wifiPower(Bool)
        case linkLost(DeviceAddress, reason: String)
        /// The wait with this number has reached its limit.
        case overdue(Int)
    }

    enum Effect: Sendable, Equatable {
        case tell(SetupEvent.Kind, AccessoryRecord? = nil, SetupError? = nil)
        /// Tell the app about a match that is not shown yet. A network has no advertisement.
        case discover(AccessoryRecord, Advertisement?)
        case show(Screen)
        case listen(bluetooth: Bool, wifi: Bool, wifiAware: Bool = false)
        case stopListening
        case startTimer(Duration)
        /// Tell the machine when a wait, with its number, has lasted that long.
        case startWait(Duration, Int)
        case pair(DeviceAddress)
        /// Connect by classic Bluetooth, with a key from the LE bond.
        case bridge(DeviceAddress)
        /// Forget the bond and the link of a setup that has failed.
        case abandon(DeviceAddress)
        case authorize(AccessoryRecord)
        case revoke(UUID)
        /// Close the picker, so that another one can open.
        case close
        case complete(SetupError?)
    }

    /// An accessory that was found.
    struct Entry: Sendable, Equatable {
        /// Becomes the ``AccessoryRecord/id`` of its record.
        var id = UUID()
        var item: PickerItem
        /// Its name over the air, or its network's name.
        var name: String
        /// Its Bluetooth address; nil if it was not found by Bluetooth.
        var device: DeviceAddress?
        var ssid: String?
        /// Its Wi-Fi Aware identifier; 0 if it was not found by Wi-Fi Aware.
        var awareDevice: UInt64 = 0

        /// The address at which it was first heard: of Bluetooth, of its network, or of Wi-Fi Aware.
        var address: DeviceAddress?
        /// Its last signal strength in dBm; nil if unknown.
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
        /// Shows the page about the migration; there are no items to discover (M1).
        case informing
        case discovering
        case pairing(Entry)
        /// The record is that of an accessory whose authorisation the app has finished with a bridging identifier.
        case bridging(Entry, confirmed: AccessoryRecord?)
        case renaming(Entry, AccessoryRecord)
        case awaitingApp(Entry, AccessoryRecord)
        /// Shows the last page. The completion gets this value when the person closes the page.
        case lastPage(SetupError?)
        case ended
    }

    let configuration: Configuration
    /// The items to discover. Their indices are those of the descriptors in ``index``.
    let searchedItems: [PickerItem]
    let index: DescriptorIndex
    var phase = Phase.idle
    /// The accessories that were found, and accepted by the app if it filters, in the order in which they were found.
    var entries: [Entry] = []
    /// The entries whose radio was switched off and that were not heard again since.
    var staleEntries: Set<UUID> = []
    var isBluetoothOn: Bool
    var isWiFiOn: Bool
    /// The accessories that were reported to the app and not accepted (F1).
    var candidates: [Entry] = []
    /// The number of accessories that were reported to the app (F4).
    var reportedCount = 0
    var signals: [DeviceAddress: [Int]] = [:]
    /// Advertisements that match no item.
    var unmatched = Unmatched<DeviceAddress, Advertisement>()
    var unmatchedNetworks = Unmatched<DeviceAddress, WiFiNetwork>()
    /// The number of the current wait for the radio.
    var lastWait = 0
    /// Why the link was lost over which the accessory is being paired.
    var lostLink: String?

    init(_ configuration: Configuration) {
        self.configuration = configuration
        (isBluetoothOn, isWiFiOn) = (configuration.isBluetoothOn, configuration.isWiFiOn)
        searchedItems = configuration.items.filter { $0.migration == nil }
        index = DescriptorIndex(searchedItems.map(\.descriptor), policy: configuration.policy)
    }

    /// Handles one input, and returns the effects to carry out, in order.
    mutating func handle(_ input: Input) -> [Effect] {
        switch (phase, input) {
        case (.ended, _): []
        case (_, .invalidated): invalidate()
        case (_, .bluetoothPower(let isOn)): bluetoothIs(on: isOn)
        case (_, .wifiPower(let isOn)): wifiIs(on: isOn)
        case (_, .linkLost(let device, let reason)): linkIsLost(device, reason)
        case (_, .overdue(let wait)): overdue(wait)
        case (.idle, .start): start()
        case (.informing, .person(.done)): migrateAlone()
        case (.discovering, .heard(let advertisement)): hear(advertisement)
        case (.discovering, .scanned(let networks)): see(networks)
        case (.discovering, .heardAware(let service)): hear(service)
        case (.discovering, .update(let items)): update(items)
        case (.discovering, .timedOut), (.discovering, .discoveryFinished): timeOut()
        case (.discovering, .person(.pick(let choice))): pick(choice)
        case (.pairing(let entry), .paired(let result)): paired(entry, result)
        case (.bridging(let entry, let record), .bridged(let result)): bridged(entry, record, result)
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
        let entry = visibleEntries[index]
        guard let device = entry.device, entry.item.descriptor.supportedOptions.needPairing,
            !entry.item.setupOptions.contains(.confirmAuthorization)
        else { return [.stopListening] + authorize(entry) }
        phase = .pairing(entry)
        return [
            .stopListening, awaitRadio(for: configuration.policy.pairingLimit), .show(settingUp(entry, "Pairing…")),
            .tell(.pickerSetupPairing), .pair(device),
        ]
    }

    private mutating func paired(_ entry: Entry, _ result: Result<Bond, RadioError>) -> [Effect] {
        switch result {
        case .success:
            guard entry.item.descriptor.supportedOptions.contains(.bluetoothTransportBridging),
                let device = entry.device
            else { return authorize(entry) }
            return bridge(entry, device)
        case .failure(let error): return fail(entry, "\(error)")
        }
    }

    /// - Parameter confirmed: The record, if the app has finished the accessory's authorisation.
    private mutating func bridge(
        _ entry: Entry, _ device: DeviceAddress, confirmed: AccessoryRecord? = nil
    ) -> [Effect] {
        phase = .bridging(entry, confirmed: confirmed)
        return [
            awaitRadio(for: configuration.policy.pairingLimit), .show(settingUp(entry, "Connecting…")),
            .tell(.pickerSetupBridging), .bridge(device),
        ]
    }

    private mutating func bridged(
        _ entry: Entry, _ confirmed: AccessoryRecord?, _ result: Result<ClassicLink, RadioError>
    ) -> [Effect] {
        let revocation = confirmed.map { takeBack($0) } ?? []
        switch result {
        case .success(let link) where link.isEncrypted:
            let identifier = Data(link.address.bytes)
            guard let confirmed else { return authorize(entry, bridgingIdentifier: identifier) }
            guard confirmed.bridgingIdentifier == identifier else {
                return revocation + fail(entry, "the app gave another bridging identifier than the accessory's address")
            }
            return askForName(entry, confirmed)
        case .success: return revocation + fail(entry, "the link by classic Bluetooth is not encrypted")
        case .failure(let error):
            if configuration.policy.bridgingFailureFailsSetup { return revocation + fail(entry, "\(error)") }
            return confirmed.map { askForName(entry, $0) } ?? authorize(entry)
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
        guard let identifier = settings.bridgingIdentifier else { return askForName(entry, record) }
        record.bridgingIdentifier = identifier
        guard let device = entry.device else { return askForName(entry, record) }
        return bridge(entry, device, confirmed: record)
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
        // If the app had to confirm the authorisation, the accessory was added before.
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

    /// Undoes an unfinished setup.
    private func undo() -> [Effect] {
        switch phase {
        case .discovering: [.stopListening]
        case .pairing(let entry), .bridging(let entry, confirmed: nil): entry.device.map { [.abandon($0)] } ?? []
        case .bridging(let entry, let record?): takeBack(record) + (entry.device.map { [.abandon($0)] } ?? [])
        case .renaming(let entry, let record), .awaitingApp(let entry, let record):
            (entry.item.setupOptions.contains(.confirmAuthorization) ? takeBack(record) : [])
                + (entry.device.map { [.abandon($0)] } ?? [])
        case .idle, .informing, .lastPage, .ended: []
        }
    }

    /// Removes an accessory that was added to the app but never authorised (A3).
    func takeBack(_ record: AccessoryRecord) -> [Effect] {
        var record = record
        record.state = .unauthorized
        return [.revoke(record.id), .tell(.accessoryRemoved, record)]
    }

    mutating func end(_ error: SetupError?) -> [Effect] {
        phase = .ended
        switch configuration.policy.pickerEnd {
        case .dismissalThenCompletion: return [.close, .tell(.pickerDidDismiss), .complete(error)]
        case .completionThenDismissal: return [.close, .complete(error), .tell(.pickerDidDismiss)]
        }
    }
}

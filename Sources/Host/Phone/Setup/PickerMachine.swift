import Foundation
import RadioModel

/// A picker from showing to closing: what is heard, what the person does and what the app answers go in; what is to be
/// done comes out.
struct PickerMachine {
    /// What a picker is about.
    struct Setting: Sendable {
        var items: [PickerItem]
        /// Nil for a discovery that ends only when the app or the person says so.
        var timeout: Duration?
        var policy: HostPolicy
        /// Bluetooth accessories that the app has already; they are not offered (K14).
        var knownDevices: Set<UUID> = []
        /// Networks that the app has already; one that was renamed meanwhile is another one (K14).
        var knownNetworks: Set<String> = []
        /// The identifier that apps know a device by.
        var identifier: @Sendable (DeviceAddress) -> UUID
    }

    enum Input: Sendable {
        case start
        case heard(Advertisement)
        case scanned([WiFiNetwork])
        case timedOut
        case person(PersonAction)
        case paired(Result<Bond, RadioError>)
        /// The app finished or failed the authorisation of the accessory of that record (O2).
        case finished(UUID, AuthorizationSettings)
        case failed(UUID)
        /// The app ends a discovery without a timeout (F3).
        case discoveryFinished
        case invalidated
    }

    enum Effect: Sendable, Equatable {
        case tell(SetupEvent.Kind, AccessoryRecord? = nil, SetupError? = nil)
        case show(Screen)
        case listen(bluetooth: Bool, wifi: Bool)
        case stopListening
        case startTimer(Duration)
        case pair(DeviceAddress)
        /// Ends a pairing or a link that leads to nothing.
        case abandon(DeviceAddress)
        case authorize(AccessoryRecord)
        case revoke(UUID)
        /// The picker is gone: another one may be shown.
        case close
        case complete(SetupError?)
    }

    /// An accessory that is offered.
    struct Entry: Sendable, Equatable {
        var item: PickerItem
        /// Its name over the air, or the network's.
        var name: String
        var device: DeviceAddress?
        var ssid: String?
    }

    private enum Phase {
        case idle
        case discovering
        case pairing(Entry)
        case renaming(Entry, AccessoryRecord)
        case awaitingApp(Entry, AccessoryRecord)
        /// A last page, and what the completion gets when the person leaves it.
        case lastPage(SetupError?)
        case ended
    }

    let setting: Setting
    private let matchers: [DescriptorMatcher]
    private var phase = Phase.idle
    private(set) var entries: [Entry] = []
    private var signals: [DeviceAddress: [Int]] = [:]

    init(_ setting: Setting) {
        self.setting = setting
        matchers = setting.items.map { DescriptorMatcher($0.descriptor, policy: setting.policy) }
    }

    /// Takes one input.
    mutating func handle(_ input: Input) -> [Effect] {
        switch (phase, input) {
        case (.ended, _): []
        case (_, .invalidated): invalidate()
        case (.idle, .start): start()
        case (.discovering, .heard(let advertisement)): hear(advertisement)
        case (.discovering, .scanned(let networks)): see(networks)
        case (.discovering, .timedOut), (.discovering, .discoveryFinished): timeOut()
        case (.discovering, .person(.pick(let name))): pick(name)
        case (.pairing(let entry), .paired(let result)): paired(entry, result)
        case (.renaming(let entry, let record), .person(.rename(let name))): rename(entry, record, to: name)
        case (.awaitingApp(let entry, let record), .finished(let id, let settings)) where id == record.id:
            finish(entry, record, settings)
        case (.awaitingApp(let entry, let record), .failed(let id)) where id == record.id:
            [.revoke(record.id)] + fail(entry, "the app could not finish the setup of “\(record.displayName)”")
        case (.lastPage(let error), .person(.done)): end(error)
        case (.lastPage, _): []
        case (_, .person(.cancel)): cancel()
        default: []
        }
    }

    // MARK: Discovery

    private mutating func start() -> [Effect] {
        phase = .discovering
        let bluetooth = setting.items.contains { $0.descriptor.usesBluetooth }
        let wifi = setting.items.contains { $0.descriptor.usesWiFi && !$0.descriptor.usesBluetooth }
        let timer = setting.timeout.map { [Effect.startTimer($0)] } ?? []
        return [.tell(.pickerDidPresent), .show(picker)] + timer + [.listen(bluetooth: bluetooth, wifi: wifi)]
    }

    private mutating func hear(_ advertisement: Advertisement) -> [Effect] {
        let device = advertisement.address
        let isNear = isImmediate(advertisement)
        guard !setting.knownDevices.contains(setting.identifier(device)) else { return [] }
        let match = matchers.firstIndex { matcher in
            matcher.matches(advertisement) && (matcher.descriptor.range == .default || isNear)
        }
        guard let match else { return [] }
        let item = setting.items[match]
        return offer(Entry(item: item, name: advertisement.name ?? "", device: device, ssid: item.descriptor.ssid))
    }

    private mutating func see(_ networks: [WiFiNetwork]) -> [Effect] {
        networks.flatMap { network -> [Effect] in
            guard !setting.knownNetworks.contains(network.ssid) else { return [] }
            guard let match = matchers.firstIndex(where: { $0.matches(network) }) else { return [] }
            return offer(Entry(item: setting.items[match], name: network.ssid, device: nil, ssid: network.ssid))
        }
    }

    /// One entry for each unique device or network (K1).
    private mutating func offer(_ entry: Entry) -> [Effect] {
        let known = entries.firstIndex { entry.device != nil ? $0.device == entry.device : $0.ssid == entry.ssid }
        guard let known else {
            entries.append(entry)
            return [.show(picker)]
        }
        guard entries[known] != entry, !entry.name.isEmpty else { return [] }
        entries[known] = entry
        return [.show(picker)]
    }

    /// Whether the last reports are strong enough for immediate range (D8).
    private mutating func isImmediate(_ advertisement: Advertisement) -> Bool {
        guard let rssi = advertisement.rssi else { return false }
        let count = setting.policy.immediateReports
        let reports = (signals[advertisement.address, default: []] + [rssi]).suffix(count)
        signals[advertisement.address] = Array(reports)
        return reports.count >= count && reports.reduce(0, +) >= setting.policy.immediateSignal * reports.count
    }

    private mutating func timeOut() -> [Effect] {
        guard entries.isEmpty else { return [] }
        phase = .lastPage(SetupError(.discoveryTimeout, "no accessory was found"))
        return [.stopListening, .show(nothingFound)]
    }

    // MARK: Setup

    private mutating func pick(_ name: String) -> [Effect] {
        guard let index = picker.index(of: name) else { return [] }
        let entry = entries[index]
        guard entry.device != nil, entry.item.descriptor.supportedOptions.contains(.bluetoothPairingLE),
            !entry.item.setupOptions.contains(.confirmAuthorization), let device = entry.device
        else { return [.stopListening] + authorize(entry) }
        phase = .pairing(entry)
        return [.stopListening, .show(settingUp(entry, "Pairing…")), .tell(.pickerSetupPairing), .pair(device)]
    }

    private mutating func paired(_ entry: Entry, _ result: Result<Bond, RadioError>) -> [Effect] {
        switch result {
        case .success: authorize(entry)
        case .failure(let error): fail(entry, "\(error)")
        }
    }

    private mutating func authorize(_ entry: Entry) -> [Effect] {
        let record = AccessoryRecord(
            displayName: entry.item.name, bluetoothIdentifier: entry.device.map(setting.identifier), ssid: entry.ssid,
            descriptor: entry.item.descriptor)
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
        return [.authorize(record), news, .show(ready(entry, record))]
    }

    private mutating func fail(_ entry: Entry, _ why: String) -> [Effect] {
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
        case .pairing(let entry): entry.device.map { [.abandon($0)] } ?? []
        case .renaming(let entry, let record), .awaitingApp(let entry, let record):
            [.revoke(record.id)] + (entry.device.map { [.abandon($0)] } ?? [])
        case .idle, .lastPage, .ended: []
        }
    }

    private mutating func end(_ error: SetupError?) -> [Effect] {
        phase = .ended
        switch setting.policy.pickerEnd {
        case .dismissalThenCompletion: return [.close, .tell(.pickerDidDismiss), .complete(error)]
        case .completionThenDismissal: return [.close, .complete(error), .tell(.pickerDidDismiss)]
        }
    }
}

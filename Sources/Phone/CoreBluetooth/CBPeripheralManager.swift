import Foundation
import HILFoundation
import HILPhone
import PeripheralModel
import RadioModel

/// How soon this phone answers a device. Raw values: CoreBluetooth, `CBPeripheralManager.h`. No effect here.
public enum CBPeripheralManagerConnectionLatency: Int, Sendable {
    case low = 0
    case medium = 1
    case high = 2
}

/// Whether the manager shows that Bluetooth is off; a Boolean.
public let CBPeripheralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// The name under which the system keeps the manager's services and advertisement when it ends the app; a `String`.
public let CBPeripheralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"
/// The services of a restored manager; `[CBMutableService]`.
public let CBPeripheralManagerRestoredStateServicesKey = "kCBRestoredServices"
/// The advertisement of a restored manager; `[String: Any]`.
public let CBPeripheralManagerRestoredStateAdvertisementDataKey = "kCBRestoredAdvertisement"

/// Publishes services of this phone and advertises them.
///
/// Bluetooth is on for it whenever the phone's is and the person allows it. An app with AccessorySetupKit is not asked, and
/// its state is `unauthorized` (rule C22).
open class CBPeripheralManager: CBManager {
    private let queue: DispatchQueue
    private let content = Locked(Content())
    private let phone: Phone
    private let app: RunningApp?
    private let host: ExtensionRun?
    private var client = 0
    /// The watch of the end of its extension.
    private var hostEnd: LinkWatch?

    private struct Content {
        weak var delegate: (any CBPeripheralManagerDelegate)?
        var services: [CBMutableService] = []
        /// The services whose publication was not reported to the app yet.
        var adding: [CBMutableService] = []
        /// The services of the system's own whose refusal was not reported to the app yet.
        var refused: [CBMutableService] = []
        var isAdvertising = false
        var centrals: [UUID: CBCentral] = [:]
    }

    /// Makes a manager without a delegate, on the main queue.
    public convenience override init() { self.init(delegate: nil, queue: nil) }

    /// Makes a manager that calls `delegate` on `queue`; nil is the main queue.
    public convenience init(delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    /// - Parameter options: ``CBPeripheralManagerOptionShowPowerAlertKey`` and
    ///   ``CBPeripheralManagerOptionRestoreIdentifierKey``. Any other option ends the app.
    public init(delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]?) {
        let options = CentralOptions(options, of: "CBPeripheralManager", known: CentralOptions.ofPeripheralManager)
        self.queue = queue ?? .main
        phone = Phone.current
        app = phone.app
        host = Phone.hostOfCaller
        super.init()
        if options.flag(CBPeripheralManagerOptionShowPowerAlertKey) { phone.bluetooth.warnIfOff() }
        content.withLock { $0.delegate = delegate }
        let reference = WeakPeripheralManager(self)
        let name = options.text(CBPeripheralManagerOptionRestoreIdentifierKey)
        client = phone.part(PhonePeripheral.self).makeClient(restoreName: name) {
            [phone, app, queue = self.queue, host] event in
            guard let app else { return }
            phone.deliver(to: app, on: queue, hostedBy: host) { reference.manager?.handle(event) }
        }
        hostEnd = host?.whenEnded { [weak phone, client] in phone?.part(PhonePeripheral.self).remove(client) }
    }

    // If the system ended the app, its next run takes over.
    deinit { if app?.isRunning != false { phone.part(PhonePeripheral.self).remove(client) } }

    /// Receives the manager's events. The manager does not retain it.
    open var delegate: (any CBPeripheralManagerDelegate)? {
        get { content.withLock { $0.delegate } }
        set { content.withLock { $0.delegate = newValue } }
    }

    /// Whether it advertises.
    open var isAdvertising: Bool { content.withLock { $0.isAdvertising } }

    /// Advertises. As on iOS, only a name and service UUIDs.
    ///
    /// - Parameter advertisementData: `CBAdvertisementDataLocalNameKey` (`String`) and
    ///   `CBAdvertisementDataServiceUUIDsKey` (`[CBUUID]`); other keys have no effect.
    open func startAdvertising(_ advertisementData: [String: Any]?) {
        guard requirePower("advertise") else { return }
        guard !isAdvertising else {
            return delegate?.peripheralManagerDidStartAdvertising(self, error: CBError(.alreadyAdvertising)) ?? ()
        }
        let name = advertisementData?[CBAdvertisementDataLocalNameKey] as? String ?? ""
        let services = advertisementData?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
        content.withLock { $0.isAdvertising = true }
        phone.part(PhonePeripheral.self).advertise(
            PeripheralAdvertising(name: name, serviceUUIDs: services.map(\.value)), of: client)
    }

    open func stopAdvertising() {
        guard
            content.withLock({ content in
                defer { content.isAdvertising = false }
                return content.isAdvertising
            })
        else { return }
        phone.part(PhonePeripheral.self).advertise(nil, of: client)
    }

    /// No effect: the radio chooses its connection parameters itself.
    open func setDesiredConnectionLatency(
        _ latency: CBPeripheralManagerConnectionLatency, for central: CBCentral
    ) {}

    /// Publishes a service. ``CBPeripheralManagerDelegate/peripheralManager(_:didAdd:error:)`` follows.
    ///
    /// A service that belongs to the system is refused with ``CBError/Code/uuidNotAllowed`` (rule C22).
    open func add(_ service: CBMutableService) {
        guard requirePower("add a service") else { return }
        guard !phone.policy.systemServices.contains(service.uuid.value) else {
            content.withLock { $0.refused.append(service) }
            return phone.part(PhonePeripheral.self).tell(.refusedService, to: client)
        }
        for case let characteristic as CBMutableCharacteristic in service.characteristics ?? []
        where characteristic.value != nil && characteristic.properties != .read {
            AppCrash.crash(
                "CoreBluetooth",
                "Characteristics with cached values must be read-only: \(characteristic.uuid) has a value and more "
                    + "properties than read")
        }
        for case let characteristic as CBMutableCharacteristic in service.characteristics ?? [] {
            characteristic.publish()
        }
        content.withLock { content in
            content.services.append(service)
            content.adding.append(service)
        }
        publish()
    }

    open func remove(_ service: CBMutableService) {
        content.withLock { $0.services.removeAll { $0 === service } }
        publish()
    }

    open func removeAllServices() {
        content.withLock { $0.services = [] }
        publish()
    }

    private func publish() {
        let services = content.withLock { $0.services }
        phone.part(PhonePeripheral.self).setServices(
            services.map { service in
                PeripheralService(
                    uuid: service.uuid.value, isPrimary: service.isPrimary,
                    included: (service.includedServices ?? []).compactMap { included in
                        services.firstIndex { $0 === included }
                    },
                    characteristics: (service.characteristics ?? []).compactMap {
                        ($0 as? CBMutableCharacteristic)?.declared
                    })
            }, of: client)
    }

    /// Answers a request. Of requests that came together, the app answers the first one only.
    open func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {
        guard request.answer() else { return }
        let answer: PeripheralAnswer
        if result != .success {
            answer = .refused(UInt8(truncatingIfNeeded: result.rawValue))
        } else if request.isWrite {
            answer = .written(nil)
        } else {
            // The radio cuts the whole value at the offset itself.
            answer = .value(Data(count: request.offset) + (request.value ?? Data()))
        }
        phone.part(PhonePeripheral.self).answer(request.number, answer)
    }

    /// Notifies a value to the devices that are subscribed to it.
    ///
    /// - Parameter centrals: The devices to notify; nil for all that are subscribed.
    /// - Returns: False if the queue is full. ``CBPeripheralManagerDelegate/peripheralManagerIsReady(toUpdateSubscribers:)``
    ///   follows.
    open func updateValue(
        _ value: Data, for characteristic: CBMutableCharacteristic, onSubscribedCentrals centrals: [CBCentral]?
    ) -> Bool {
        guard state == .poweredOn, let place = place(of: characteristic) else { return false }
        return phone.part(PhonePeripheral.self).notify(
            value, at: place, to: centrals?.map(\.identifier), of: client)
    }

    /// Publishes a port for L2CAP channels. ``CBPeripheralManagerDelegate/peripheralManager(_:didPublishL2CAPChannel:error:)``
    /// names it.
    open func publishL2CAPChannel(withEncryption encryptionRequired: Bool) {
        guard requirePower("publish an L2CAP channel") else { return }
        phone.part(PhonePeripheral.self).listen(isEncrypted: encryptionRequired, of: client)
    }

    open func unpublishL2CAPChannel(_ PSM: CBL2CAPPSM) {
        phone.part(PhonePeripheral.self).stopListening(at: PSM, of: client)
        delegate?.peripheralManager(self, didUnpublishL2CAPChannel: PSM, error: nil)
    }

    private func requirePower(_ action: String) -> Bool {
        guard state == .poweredOn else {
            phone.record(
                .warning(
                    rule: "CoreBluetooth",
                    "API MISUSE: CBPeripheralManager can only \(action) while in the powered on state; it is \(state)"))
            return false
        }
        return true
    }

    private func place(of characteristic: CBCharacteristic) -> AttributePlace? {
        let services = content.withLock { $0.services }
        for (number, service) in services.enumerated() {
            if let index = service.characteristics?.firstIndex(where: { $0 === characteristic }) {
                return AttributePlace(service: number, characteristic: index)
            }
        }
        return nil
    }

    private func characteristic(at place: AttributePlace) -> CBMutableCharacteristic? {
        let services = content.withLock { $0.services }
        guard services.indices.contains(place.service) else { return nil }
        let characteristics = services[place.service].characteristics ?? []
        guard characteristics.indices.contains(place.characteristic) else { return nil }
        return characteristics[place.characteristic] as? CBMutableCharacteristic
    }

    /// The object for a device. There is one for each.
    private func central(_ identifier: UUID, mtu: Int) -> CBCentral {
        content.withLock { content in
            if let known = content.centrals[identifier], known.maximumUpdateValueLength == mtu - 3 { return known }
            let central = CBCentral(identifier: identifier, mtu: mtu)
            content.centrals[identifier] = central
            return central
        }
    }
}

/// A weak reference to a manager, followed only on the manager's queue.
private final class WeakPeripheralManager: @unchecked Sendable {
    // Unchecked because a weak variable becomes nil by itself. It is written once.
    private(set) weak var manager: CBPeripheralManager?

    init(_ manager: CBPeripheralManager) { self.manager = manager }
}

extension CBPeripheralManager {
    /// Runs on the manager's queue.
    fileprivate func handle(_ event: PeripheralManagerEvent) {
        switch event {
        case .power(let power):
            let new = CBManagerState(power)
            guard new != state else { return }
            state = new
            // While Bluetooth is off, advertising is only paused.
            if power == .unauthorized { content.withLock { $0.isAdvertising = false } }
            delegate?.peripheralManagerDidUpdateState(self)
        case .restored(let restored):
            let objects = RestoredObjects(restored) { central($0, mtu: $1) }
            content.withLock { content in
                content.services = objects.services
                content.isAdvertising = restored.advertising != nil
            }
            delegate?.peripheralManager(self, willRestoreState: objects.dictionary)
        case .published(_, let error):
            let added = content.withLock { content in
                defer { content.adding = [] }
                if error != nil {
                    content.services.removeAll { service in content.adding.contains { $0 === service } }
                }
                return content.adding
            }
            for service in added { delegate?.peripheralManager(self, didAdd: service, error: error?.asCBError) }
        case .refusedService:
            let refused = content.withLock { content in
                defer { content.refused = [] }
                return content.refused
            }
            for service in refused {
                delegate?.peripheralManager(self, didAdd: service, error: CBError(.uuidNotAllowed))
            }
        case .advertising(let error):
            if error != nil { content.withLock { $0.isAdvertising = false } }
            delegate?.peripheralManagerDidStartAdvertising(self, error: error?.asCBError)
        case .requested(let request, let identifier): receive(request, by: identifier)
        case .subscription(let isOn, let place, let identifier, let mtu):
            guard let characteristic = characteristic(at: place) else { return }
            let central = central(identifier, mtu: mtu)
            characteristic.setSubscribed(central, isOn)
            if isOn {
                delegate?.peripheralManager(self, central: central, didSubscribeTo: characteristic)
            } else {
                delegate?.peripheralManager(self, central: central, didUnsubscribeFrom: characteristic)
            }
        case .isReady: delegate?.peripheralManagerIsReady(toUpdateSubscribers: self)
        case .channelPublished(let port, let error):
            delegate?.peripheralManager(self, didPublishL2CAPChannel: port, error: error?.asCBError)
        case .channelOpened(let channel, let port, let identifier):
            let channel = CBL2CAPChannel(channel, port: port, peer: central(identifier, mtu: 23))
            delegate?.peripheralManager(self, didOpen: channel, error: nil)
        }
    }

    private func receive(_ request: PeripheralRequest, by identifier: UUID) {
        guard let characteristic = characteristic(at: request.place) else { return }
        let wanted: CBAttributePermissions =
            request.written == nil ? [.readable, .readEncryptionRequired] : [.writeable, .writeEncryptionRequired]
        let made = CBATTRequest(
            request.number, central: central(identifier, mtu: request.mtu), characteristic: characteristic,
            offset: request.written == nil ? request.offset : 0, written: request.written)
        guard !characteristic.permissions.isDisjoint(with: wanted) else {
            return respond(to: made, withResult: request.written == nil ? .readNotPermitted : .writeNotPermitted)
        }
        if request.written == nil {
            delegate?.peripheralManager(self, didReceiveRead: made)
        } else {
            delegate?.peripheralManager(self, didReceiveWrite: [made])
        }
    }
}

extension RadioError {
    /// The error as Core Bluetooth gives it for what an app publishes.
    fileprivate var asCBError: CBError {
        switch self {
        case .invalid: CBError(.invalidParameters)
        case .notConnected: CBError(.notConnected)
        case .unknownDevice: CBError(.unknownDevice)
        case .unsupported: CBError(.operationNotSupported)
        // Switched off while it was under way.
        case .bluetoothOff: CBError(.operationCancelled)
        default: CBError(.unknown)
        }
    }
}

import AccessoryNotifications
import AccessorySetupKit
import CoreBluetooth
import DieProtocol
import NetworkExtension

/// The companion app of the die, as the die's team would write it: with Apple's frameworks and the die's wire format.
@MainActor
package final class DiceApp {
    private enum Milestone: Hashable {
        case activated, pickerGone, roll
    }

    /// The app's session with AccessorySetupKit, activated at launch.
    package let session = ASAccessorySession()
    /// All events of the session, in order.
    package private(set) var events: [ASAccessoryEvent] = []

    /// The types of all events of the session, in order.
    package var told: [ASAccessoryEventType] { events.map(\.eventType) }

    /// The picture of a die.
    ///
    /// - Throws: ``DiceAppError`` if the app's bundle has no such picture.
    package var picture: UIImage {
        get throws {
            guard let picture = UIImage(named: "die") else { throw DiceAppError.missing("the picture “die”") }
            return picture
        }
    }

    /// Chooses the picker's item for a found accessory while ``session`` filters; nil shows nothing.
    package var filter: (ASDiscoveredAccessory) -> ASDiscoveredDisplayItem? = { _ in nil }

    private let link = DieLink()
    private let milestones = Answers<Milestone, Void>()
    private var isActivated = false
    private var isPickerUp = false
    private var pickedAccessory: ASAccessory?
    private var unseenRolls: [Roll] = []

    package required init() async throws {
        link.onRoll = { [weak self] roll in
            self?.unseenRolls.append(roll)
            self?.milestones.give(nil, for: .roll)
        }
        link.onEnd = { [weak self] in self?.milestones.give(nil, for: .roll) }
        session.activate(on: .main) { [weak self] event in self?.handle(event) }
    }

    private func handle(_ event: ASAccessoryEvent) {
        events.append(event)
        switch event.eventType {
        case .activated:
            isActivated = true
            milestones.give(nil, for: .activated)
        case .pickerDidPresent: isPickerUp = true
        case .accessoryDiscovered: show(event.accessory)
        case .accessoryAdded: pickedAccessory = event.accessory
        case .pickerDidDismiss, .invalidated:
            isPickerUp = false
            milestones.give(nil, for: .pickerGone)
        default: break
        }
    }

    private func show(_ found: ASAccessory?) {
        guard let found = found as? ASDiscoveredAccessory, let item = filter(found) else { return }
        // The picker may have closed meanwhile. This needs no action.
        session.updatePicker(showing: [item]) { _ in }
    }

    // MARK: Setting a die up

    /// Shows the picker to the person, and returns when the picker has closed.
    ///
    /// - Parameter pairing: Whether the picker pairs with the die. If not, pairing starts at the first access to a
    ///   protected characteristic.
    /// - Throws: `ASError`; ``DiceAppError``.
    package func addDie(pairing: Bool = true) async throws -> ASAccessory {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: DieGATT.service)
        descriptor.bluetoothNameSubstring = "Die"
        if pairing { descriptor.supportedOptions = [.bluetoothPairingLE] }
        return try await addDie(describedBy: descriptor)
    }

    /// Shows the picker for a die with another discovery descriptor than usual, and returns when the picker has closed.
    ///
    /// - Throws: `ASError`; ``DiceAppError``.
    package func addDie(describedBy descriptor: ASDiscoveryDescriptor) async throws -> ASAccessory {
        let item = ASPickerDisplayItem(name: "Bluetooth Die", productImage: try picture, descriptor: descriptor)

        if !isActivated { try await milestones.wait(for: .activated) }
        pickedAccessory = nil
        let outcome: (any Error)?
        do {
            try await session.showPicker(for: [item])
            outcome = nil
        } catch { outcome = error }
        // Apple's article: do not present other views before the picker has closed.
        if isPickerUp { try await milestones.wait(for: .pickerGone) }
        if let outcome { throw outcome }
        guard let pickedAccessory else { throw DiceAppError.missing("the accessory that was picked") }
        return pickedAccessory
    }

    // MARK: Using it

    /// Connects to a die that was set up, and discovers its characteristics.
    ///
    /// - Throws: `CBError`, or ``DiceAppError``.
    @discardableResult
    package func connect(_ accessory: ASAccessory) async throws -> CBPeripheral {
        guard let identifier = accessory.bluetoothIdentifier else { throw DiceAppError.unknownDie }
        return try await link.connect(identifier)
    }

    /// Disconnects from the die.
    package func disconnect() { link.disconnect() }

    /// Reads the serial number of the connected die.
    package func readSerial() async throws -> String {
        try DieInfo(decoding: await link.read(DieGATT.info)).serialNumber
    }

    /// Reads the owner's name from the connected die. Only a paired phone may read it, so this starts pairing.
    package func readOwner() async throws -> String {
        String(decoding: try await link.read(DieGATT.owner), as: UTF8.self)
    }

    /// Writes the owner's name to the connected die. Only a paired phone may do so, so this starts pairing.
    package func writeOwner(_ name: String) async throws {
        try await link.write(Data(name.utf8), to: DieGATT.owner)
    }

    /// Subscribes to the rolls of the connected die. ``nextRoll()`` returns them.
    package func watchRolls() async throws { try await link.subscribe(to: DieGATT.roll) }

    /// Waits for the next roll. Returns nil when the connection has ended.
    package func nextRoll() async throws -> Roll? {
        // A connection that has ended already tells nothing more.
        if unseenRolls.isEmpty, link.isConnected { try await milestones.wait(for: .roll) }
        return unseenRolls.isEmpty ? nil : unseenRolls.removeFirst()
    }

    // MARK: Its network, and its notifications

    /// Reads the networks of a die over Bluetooth, and joins the first. A phone that is on it already is fine: an earlier
    /// attempt may have ended after the join.
    ///
    /// - Throws: An `NSError` of `NEHotspotConfigurationErrorDomain`, `CBError`, or ``DiceAppError``.
    package func joinWiFi(of accessory: ASAccessory) async throws {
        try await connect(accessory)
        let networks = try DieNetworks(decoding: await link.read(DieGATT.networks)).networks
        guard let network = networks.first else { throw DiceAppError.missing("a network of the die") }
        do { try await joinWiFi(ssid: network.ssid, passphrase: network.passphrase) } catch let error as NSError
            where error.domain == NEHotspotConfigurationErrorDomain
            && error.code == NEHotspotConfigurationError.alreadyAssociated.rawValue
        {}
    }

    /// Joins a network. The passphrase is nil for an open network.
    ///
    /// - Throws: An `NSError` of `NEHotspotConfigurationErrorDomain`.
    package func joinWiFi(ssid: String, passphrase: String?) async throws {
        let configuration =
            if let passphrase {
                NEHotspotConfiguration(ssid: ssid, passphrase: passphrase, isWEP: false)
            } else {
                NEHotspotConfiguration(ssid: ssid)
            }
        try await NEHotspotConfigurationManager.shared.apply(configuration)
    }

    /// Asks the person which notifications a die may show.
    @discardableResult
    package func forwardNotifications(to accessory: ASAccessory) async throws -> ForwardingDecision {
        try await AccessoryNotificationCenter().requestForwarding(for: accessory)
    }
}

/// Why the app could not continue.
package enum DiceAppError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The accessory has no Bluetooth identifier, or Core Bluetooth does not know it.
    case unknownDie
    /// Something that the app or the die should have is missing.
    case missing(String)

    package var description: String {
        switch self {
        case .unknownDie: "the die is not known to Core Bluetooth: set it up again"
        case .missing(let what): "\(what) is missing"
        }
    }
}

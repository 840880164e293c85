import AccessorySetupKit
import CoreBluetooth
import Foundation

#if canImport(UIKit)
    import UIKit
#endif

/// Sets up a lantern with AccessorySetupKit, and brings it into the home's Wi-Fi network.
@MainActor
public final class LanternApp {
    /// The connection to the lantern that was added last.
    public let link = LanternLink()

    /// The lantern that was added last, as Core Bluetooth knows it.
    public var identifier: UUID? { added?.bluetoothIdentifier }

    private let session = ASAccessorySession()
    private var added: ASAccessory?
    private var isPickerUp = false
    private var whenActivated: CheckedContinuation<Void, Never>?
    private var whenPickerIsGone: CheckedContinuation<Void, Never>?

    public init() async throws {
        await withCheckedContinuation { continuation in
            whenActivated = continuation
            session.activate(on: .main) { [weak self] event in
                MainActor.assumeIsolated { self?.handle(event) }
            }
        }
    }

    private func handle(_ event: ASAccessoryEvent) {
        switch event.eventType {
        case .activated:
            added = session.accessories.first
            whenActivated?.resume()
            whenActivated = nil
        case .accessoryAdded: added = event.accessory
        case .pickerDidPresent: isPickerUp = true
        case .pickerDidDismiss, .invalidated:
            isPickerUp = false
            whenPickerIsGone?.resume()
            whenPickerIsGone = nil
        default: break
        }
    }

    /// Shows the picker, and connects to the lantern that the person chose.
    public func add() async throws {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: Improv.UUIDs.service)
        guard let picture = UIImage(named: "lantern") else { throw LanternError.noPicture }
        let item = ASPickerDisplayItem(name: "Lantern", productImage: picture, descriptor: descriptor)

        added = nil
        var failure: (any Error)?
        do { try await session.showPicker(for: [item]) } catch { failure = error }
        if isPickerUp { await withCheckedContinuation { whenPickerIsGone = $0 } }
        if let failure { throw failure }
        guard let identifier else { throw LanternError.nothingAdded }
        try await link.connect(to: identifier)
    }

    /// Connects to the lantern that was added earlier. The first time, it shows the picker.
    public func continueSetUp() async throws {
        if let identifier { try await link.connect(to: identifier) } else { try await add() }
    }

    /// Brings the lantern into a network. Returns when it has joined.
    ///
    /// - Throws: ``Improv/Refusal``, or ``LanternError``.
    public func provision(ssid: String, passphrase: String) async throws {
        _ = try await link.ask(.sendWiFi(ssid: ssid, passphrase: passphrase))
    }
}

/// Why the app could not continue.
public enum LanternError: Error, Hashable {
    case noPicture, nothingAdded, unknownAccessory, notAnImprovService, disconnected, noAnswer, textTooLong, busy
}

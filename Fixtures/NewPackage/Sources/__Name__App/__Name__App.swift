import AccessorySetupKit
import CoreBluetooth
import Foundation

#if canImport(UIKit)
    import UIKit
#endif

/// Sets up a __Name__ with AccessorySetupKit, and reads its greeting over Core Bluetooth.
@MainActor
public final class __Name__App {
    /// The GATT service that every __Name__ advertises.
    public nonisolated static let service = "__SERVICE__"
    /// Its characteristic with a text.
    public nonisolated static let greeting = "__GREETING__"

    private let session = ASAccessorySession()
    private let link = __Name__Link()
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

    /// Shows the picker, and returns the accessory that the person chose when the picker is gone.
    public func add() async throws -> ASAccessory {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: Self.service)
        guard let picture = UIImage(named: "__name__") else { throw __Name__Error.noPicture }
        let item = ASPickerDisplayItem(name: "__Name__", productImage: picture, descriptor: descriptor)

        added = nil
        var failure: (any Error)?
        do { try await session.showPicker(for: [item]) } catch { failure = error }
        if isPickerUp { await withCheckedContinuation { whenPickerIsGone = $0 } }
        if let failure { throw failure }
        guard let added else { throw __Name__Error.nothingAdded }
        return added
    }

    /// Connects to an accessory that was set up, and reads its greeting.
    public func readGreeting(of accessory: ASAccessory) async throws -> String {
        guard let identifier = accessory.bluetoothIdentifier else { throw __Name__Error.nothingAdded }
        return try Greeting.text(of: await link.read(Self.greeting, of: Self.service, from: identifier))
    }
}

/// Why the app could not continue.
public enum __Name__Error: Error, Hashable {
    case noPicture, nothingAdded, unknownAccessory, noSuchCharacteristic, disconnected, notAText
}

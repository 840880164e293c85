import Foundation
import HILPhone

/// The types of events encountered during accessory discovery. Raw values as in Apple's header `ASAccessoryEvent.h`.
public enum ASAccessoryEventType: Int, Sendable, Hashable {
    /// An unknown event.
    case unknown = 0
    /// The discovery session activated.
    case activated = 10
    /// The discovery session invalidated.
    case invalidated = 11
    /// The discovery session completed migration.
    case migrationComplete = 20
    /// The session added an accessory.
    case accessoryAdded = 30
    /// The session removed an accessory.
    case accessoryRemoved = 31
    /// The properties of an accessory changed.
    case accessoryChanged = 32
    /// The session discovered an accessory.
    case accessoryDiscovered = 33
    /// The discovery session picker appeared.
    case pickerDidPresent = 40
    /// The discovery session picker dismissed.
    case pickerDidDismiss = 50
    /// The discovery session picker started bridging with an accessory.
    case pickerSetupBridging = 60
    /// The discovery session picker setup failed.
    case pickerSetupFailed = 70
    /// The discovery session picker started pairing with a Bluetooth accessory.
    case pickerSetupPairing = 80
    /// The discovery session picker started renaming an accessory.
    case pickerSetupRename = 90
}

/// Properties of an event encountered during accessory discovery.
open class ASAccessoryEvent: NSObject, @unchecked Sendable {  // Immutable; subclasses must be immutable too.
    /// The type of event, such as accessory addition or removal, or picker presentation or removal.
    public let eventType: ASAccessoryEventType
    /// The accessory involved in the event; nil for life cycle and picker events.
    public let accessory: ASAccessory?
    /// The error associated with the event, if any: an ``ASError``.
    public let error: (any Error)?

    init(_ event: SetupEvent) {
        eventType = ASAccessoryEventType(rawValue: event.kind.rawValue) ?? .unknown
        accessory = event.accessory.map { record in
            event.discovery.map { ASDiscoveredAccessory(record, $0) } ?? ASAccessory(record)
        }
        error = event.error.map(ASError.init)
    }

    public override var description: String {
        let parts = ["ASAccessoryEvent \(eventType)", accessory.map { "\($0)" }, error.map { "\($0)" }]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

import RadioModel

/// An event of a session for the app; the phone's side of `ASAccessoryEvent`.
package struct SetupEvent: Sendable, CustomStringConvertible {
    /// The type of event. The raw values are those of `ASAccessoryEventType`.
    package enum Kind: Int, Sendable, Hashable, CaseIterable {
        case unknown = 0
        case activated = 10
        case invalidated = 11
        case migrationComplete = 20
        case accessoryAdded = 30
        case accessoryRemoved = 31
        case accessoryChanged = 32
        case accessoryDiscovered = 33
        case pickerDidPresent = 40
        case pickerDidDismiss = 50
        case pickerSetupBridging = 60
        case pickerSetupFailed = 70
        case pickerSetupPairing = 80
        case pickerSetupRename = 90
    }

    package var kind: Kind
    /// Set only for events about an accessory (E2).
    package var accessory: AccessoryRecord?
    package var error: SetupError?
    /// Set only for `accessoryDiscovered` (F1).
    package var discovery: Discovery?

    /// How an accessory was discovered.
    package struct Discovery: Sendable {
        /// Nil if the accessory was found by Wi-Fi.
        package var advertisement: Advertisement?
    }

    package init(
        _ kind: Kind, accessory: AccessoryRecord? = nil, error: SetupError? = nil, discovery: Discovery? = nil
    ) {
        self.kind = kind
        self.accessory = accessory
        self.error = error
        self.discovery = discovery
    }

    package var description: String {
        var text = "\(kind)"
        if let accessory { text += " “\(accessory.displayName)” \(accessory.state)" }
        if let error { text += " (\(error))" }
        return text
    }
}

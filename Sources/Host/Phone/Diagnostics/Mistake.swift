import Foundation

/// What an app does that never does what it wants, and that can be seen while it runs: from the mistakes and the checklist of the
/// guide to AccessorySetupKit. Each is a warning, with the rule and how to mend it.
enum Mistake: Sendable {
    /// A session was used that `activate(on:eventHandler:)` was not called on.
    case usedBeforeActivation
    case activatedTwice
    case usedAfterInvalidation
    case centralBeforeMigration
    /// The app goes on with an accessory that it no longer has.
    case connectedAfterRemoval(UUID)

    var rule: String {
        switch self {
        case .usedBeforeActivation, .activatedTwice: "K16"
        case .usedAfterInvalidation: "K8"
        case .centralBeforeMigration: "M3"
        case .connectedAfterRemoval: "A5"
        }
    }

    var text: String {
        switch self {
        case .usedBeforeActivation:
            "a session was used before it was activated: call activate(on:eventHandler:) and wait for activated"
        case .activatedTwice: "a session was activated twice: activate each once, and handle all events there"
        case .usedAfterInvalidation:
            "a session was used after it was invalidated, which has no effect: make a new one and activate that"
        case .centralBeforeMigration:
            "a CBCentralManager was made before the migration, and the picker does not appear: make it after "
                + "migrationComplete"
        case .connectedAfterRemoval(let peripheral):
            "the app connects to \(peripheral), which is no accessory of it any more: let go of an accessory when "
                + "accessoryRemoved tells so"
        }
    }
}

extension Phone {
    /// Notes that the app made a mistake.
    func warn(of mistake: Mistake) { record(.warning(rule: mistake.rule, mistake.text)) }
}

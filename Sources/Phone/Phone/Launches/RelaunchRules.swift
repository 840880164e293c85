/// What happened to an app, or to the phone while the app was not running, since the app asked for an event of
/// Bluetooth.
package enum RelaunchCondition: String, Sendable, Hashable, CaseIterable {
    /// The app is in memory, and none of its code runs.
    case suspended
    /// The system has ended the app to free memory.
    case removedFromMemory
    /// The app has crashed.
    case crashed
    /// The person has swiped the app away in the app switcher.
    case forceQuit
    /// The person has switched Bluetooth off, in Settings or together with Airplane Mode.
    case bluetoothToggled
    /// The person has switched Bluetooth off in Control Center.
    case controlCenterToggled
    /// The person has switched Airplane Mode on, and Bluetooth stays on.
    case airplaneModeToggled
    /// The phone was restarted.
    case restarted
}

/// Which apps Bluetooth launches again when an event comes that they wait for (L3): Apple's table, by system version.
///
/// Source: Apple, TN3115, “Bluetooth State Restoration app relaunch rules”, in its revisions of 2022-02-08 and 2025-09-15:
/// <https://developer.apple.com/documentation/technotes/tn3115-bluetooth-state-restoration-app-relaunch-rules>.
/// Note 5 of the later one, about AccessorySetupKit, counts for the rows that name it. Apple's support confirms that the
/// others never depended on it: <https://developer.apple.com/forums/thread/806013>.
public enum RelaunchRules: Sendable, Hashable, CaseIterable {
    /// From iOS 11 to iOS 18.
    case iOS11
    /// From iOS 26.
    case iOS26

    /// Whether an app is launched.
    package enum Answer: Sendable, Hashable {
        case yes
        case no
        /// Only if the app has set up a Bluetooth accessory with AccessorySetupKit.
        case withAccessorySetup
        /// The app wakes up instead.
        case wakes
    }

    private static let table: [RelaunchCondition: (iOS11: Answer, iOS26: Answer)] = [
        .suspended: (.wakes, .wakes),
        .removedFromMemory: (.yes, .yes),
        .crashed: (.yes, .yes),
        .forceQuit: (.no, .withAccessorySetup),
        .bluetoothToggled: (.no, .no),
        .controlCenterToggled: (.no, .withAccessorySetup),
        .airplaneModeToggled: (.yes, .withAccessorySetup),
        .restarted: (.yes, .yes),
    ]

    /// Whether an app is launched after this.
    package func answer(after condition: RelaunchCondition) -> Answer {
        guard let row = Self.table[condition] else { return .no }
        return self == .iOS11 ? row.iOS11 : row.iOS26
    }

    /// Whether an app that was ended is still launched after this.
    ///
    /// - Parameter usesAccessorySetup: Whether the app has set up a Bluetooth accessory with AccessorySetupKit.
    func launches(after condition: RelaunchCondition, usesAccessorySetup: Bool) -> Bool {
        switch answer(after: condition) {
        case .yes: true
        case .no, .wakes: false
        case .withAccessorySetup: usesAccessorySetup
        }
    }
}

import Foundation
import HILPhone

/// A place on a drawn screen that a person can tap.
package struct ScreenTarget: Sendable, Hashable, Codable {
    /// The upper left corner and the size, in points of the phone's screen.
    package var x, y, width, height: Double
    /// The control that a tap uses.
    package var control: PersonAction.Control
    /// The accessory that the control is for; nil if it is for none.
    package var entry: UUID?
    /// Its text for people who do not see the drawing: `Set Up`.
    package var label: String
    /// The input that the person gives before the control can be used; nil for a control that needs none.
    package var input: Input?

    /// Something that a person types or chooses.
    package enum Input: String, Sendable, Hashable, Codable {
        /// A name, in a field.
        case name
        /// A number of six digits, in a field.
        case passkey
        /// All apps.
        case allApps
        /// No app.
        case noApp
        /// Some apps, from a list.
        case someApps
        /// An action on an accessory in Settings: rename it, remove it, or change its notifications.
        case accessory
        /// A switch that is off, or on.
        case switchOn, switchOff
    }

    /// The text in the field that belongs to the input; nil without one.
    package var text: String?
    /// The field's frame: x, y, width and height in points; nil without a field.
    package var field: [Double]?

    init(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ control: PersonAction.Control, _ label: String,
        entry: UUID? = nil, input: Input? = nil
    ) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
        self.control = control
        self.label = label
        self.entry = entry
        self.input = input
    }
}

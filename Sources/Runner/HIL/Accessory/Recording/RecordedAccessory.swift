import PeripheralModel
import RadioModel

/// An accessory as it was found on the air, ready to be declared again: see ``Lab/record(_:)``.
///
/// Two recordings are equal if the accessories look the same: advertisement, services, values, what they need, pairing.
public struct RecordedAccessory: Sendable, Hashable {
    /// What is recorded of an accessory.
    public enum Target: Sendable, Hashable, CustomStringConvertible {
        /// The one that advertises this name.
        case named(String)
        /// The one that is heard at this address.
        case address(DeviceAddress)

        public var description: String {
            switch self {
            case .named(let name): "an accessory named “\(name)”"
            case .address(let address): "an accessory at \(address)"
            }
        }
    }

    package var declaration: PeripheralDeclaration
    /// The values whose reads are answered with an error code of the attribute protocol, also on a paired link.
    package var refusals: [AttributePlace: UInt8]
    /// Whether it was seen how it pairs; if not, the declaration has a guess.
    package var isPairingKnown: Bool
    /// What could not be seen, a sentence each.
    package var notes: [String]

    package init(
        declaration: PeripheralDeclaration, refusals: [AttributePlace: UInt8] = [:], isPairingKnown: Bool = true,
        notes: [String] = []
    ) {
        self.isPairingKnown = isPairingKnown
        self.declaration = declaration
        self.refusals = refusals
        self.notes = notes
    }

    /// The name that it advertises; empty if it advertises none.
    package var name: String { declaration.advertising?.name ?? "" }
}

import HILPhone
import HILRecord
import HILTiming

/// An action of the person with a number that is different each time.
public struct ShownPasskeyEntry: Sendable {
    /// Who shows the number.
    package enum Device: Sendable {
        /// The scenario's accessory: as data, or a program that prints the number.
        case accessory
    }

    /// Enters the number that a device shows when the phone asks for it.
    package static func enterPasskey(shownBy device: Device) -> ShownPasskeyEntry { ShownPasskeyEntry() }
}

extension PlayedPerson {
    /// Enters the number that the accessory shows, on a screen of this kind, as soon as both are there.
    ///
    /// - Throws: ``ScreenMissing``, or `TimedOut` if the accessory shows none.
    public func does(_ entry: ShownPasskeyEntry, on kind: Screen.Kind) async throws {
        let number = try await lab.given("the accessory shows a number", within: PlayedPerson.patience) {
            self.lab.recorder.shownPasskey
        }
        try await does(.enterPasskey(number), on: kind)
        lab.recorder.forgetShownPasskey()
    }
}

extension AccessoryNote {
    /// The number that the accessory shows, if this says so: an event of an accessory as data, or a line of a program
    /// that names a passkey and has six digits.
    package var shownPasskey: UInt32? {
        if kind == PeripheralEvent.passkeyKind { return UInt32(text.filter(\.isNumber)) }
        let words = text.lowercased()
        guard ["passkey", "pin", "code"].contains(where: words.contains) else { return nil }
        return text.firstMatch(of: /\b(\d{6})\b/).flatMap { UInt32($0.output.1) }
    }
}

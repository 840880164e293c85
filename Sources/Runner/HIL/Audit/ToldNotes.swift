import HILRecord
import HILTiming
import RadioModel

// What an accessory tells on its own, beside the air: what its person sees and does.
extension AuditScene {
    /// How long a line of the accessory may be on its way.
    private static let lineLimit = Duration.seconds(2)

    /// Whether the accessory has asked its person whether to pair, who agreed. Only an accessory as data tells that.
    ///
    /// - Parameter received: What came to the stranger's security manager.
    func personHasAgreed(
        since mark: EventLog<AccessoryNote>.Mark, _ received: EventLog<[UInt8]>
    ) async -> Bool {
        // BlueZ asks its agent also where nobody can answer.
        guard received.capability?.canAgree == true else { return false }
        let question = EventPattern<AccessoryNote, Void>("a question of the accessory to its person") {
            $0.kind == PeripheralEvent.consentKind ? () : nil
        }
        guard (try? await told.first(question, since: mark, within: Self.lineLimit)) != nil else { return false }
        note("it asked its person whether to pair, and its person agreed")
        return true
    }

    /// The number that the accessory has shown its person last; nil if no line of it says one.
    func shownNumber(since mark: EventLog<AccessoryNote>.Mark) async -> UInt32? {
        guard (try? await told.first(Self.shown, since: mark, within: Self.lineLimit)) != nil else { return nil }
        return told.all(Self.shown, since: mark).last
    }

    /// All numbers that the accessory has shown its person.
    var shownNumbers: [UInt32] { told.all(Self.shown) }

    private static let shown = EventPattern<AccessoryNote, UInt32>("a number that the accessory shows") {
        $0.shownPasskey
    }
}

extension PairingCapability {
    /// Whether a person can say yes on the device.
    fileprivate var canAgree: Bool {
        switch self {
        case .displayYesNo, .keyboardOnly, .keyboardDisplay: true
        case .displayOnly, .noInputNoOutput: false
        }
    }
}

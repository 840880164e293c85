import RadioModel

/// Ends a wait for an answer of the radio that does not come (K10).
///
/// A page that waits for the person has a control, and the app's turn ends with the app. Only a radio may leave a
/// picker waiting forever: its link drops, and the pairing is never answered.
extension PickerMachine {
    /// Begins to wait for an answer of the radio.
    ///
    /// - Returns: The effect that ends the wait.
    mutating func awaitRadio(for limit: Duration) -> Effect {
        lastWait += 1
        return .startWait(limit, lastWait)
    }

    /// Handles the loss of a link: the answer to its pairing has to come at once.
    mutating func linkIsLost(_ device: DeviceAddress, _ reason: String) -> [Effect] {
        guard case .pairing(let entry) = phase, entry.device == device else { return [] }
        lostLink = reason
        return [awaitRadio(for: configuration.policy.pairingGrace)]
    }

    /// Handles the end of a wait; earlier waits no longer count.
    mutating func overdue(_ wait: Int) -> [Effect] {
        guard wait == lastWait else { return [] }
        switch phase {
        case .pairing(let entry):
            let why = lostLink.map { "the link was lost while pairing: \($0)" } ?? "pairing was not answered"
            return fail(entry, why)
        case .bridging(let entry, let confirmed):
            return (confirmed.map { takeBack($0) } ?? [])
                + fail(entry, "connecting by classic Bluetooth was not answered")
        case .idle, .informing, .discovering, .renaming, .awaitingApp, .lastPage, .ended: return []
        }
    }
}

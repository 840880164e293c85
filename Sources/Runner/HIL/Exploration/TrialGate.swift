import HILPhone
import RadioModel
import Synchronization

/// What packets and the person wait for while a fault happens.
final class TrialGate: Sendable {
    private struct State {
        /// Whether packets wait, in either direction.
        var holdsPackets = false
        /// How many held packets have gone on.
        var released = 0
        /// The packet that is lost with the fault.
        var lost: RawPacket?
        var personWaits = false
        var refusal: (kind: Screen.Kind, action: PersonAction)?
    }

    private let state = Mutex(State())

    // MARK: Packets

    /// Whether a packet waits.
    var holdsPackets: Bool { state.withLock { $0.holdsPackets } }

    /// Lets every packet wait from now on.
    ///
    /// - Parameter lost: The packet that does not go on afterwards.
    func holdPackets(losing lost: RawPacket? = nil) {
        state.withLock { ($0.holdsPackets, $0.lost) = (true, lost) }
    }

    /// Lets the packets go on that wait, in their order, and then all others.
    func releasePackets(of phone: Phone) async throws {
        while try await releaseHeld(of: phone) {}
        state.withLock { $0.holdsPackets = false }
        // What came between the last look and now.
        _ = try await releaseHeld(of: phone)
    }

    private func releaseHeld(of phone: Phone) async throws -> Bool {
        let held = try await phone.bluetooth.raw.held
        let (next, lost) = state.withLock { state in
            defer { state.released = held.count }
            return (Array(held.dropFirst(state.released)), state.lost)
        }
        guard !next.isEmpty else { return false }
        try await phone.bluetooth.raw.release(next.filter { $0 != lost })
        return true
    }

    // MARK: The person

    /// Lets the person wait at every screen from now on.
    func holdPerson() { state.withLock { $0.personWaits = true } }

    /// Lets the person go on.
    func releasePerson(of phone: Phone) {
        state.withLock { $0.personWaits = false }
        phone.person.lookAgain()
    }

    /// Lets the person refuse at the next screen of a kind.
    func refuse(_ action: PersonAction, at kind: Screen.Kind) { state.withLock { $0.refusal = (kind, action) } }

    /// What the person does on a screen.
    func look(at screen: Screen) -> Person.Look {
        state.withLock { state in
            if let refusal = state.refusal, refusal.kind == screen.kind {
                state.refusal = nil
                return .does(refusal.action)
            }
            return state.personWaits ? .waits : .own
        }
    }
}

import BoardProtocol
import RadioModel
import Synchronization

/// The accessories that the agent can be on one Bluetooth adapter, one of each kind. One of them is in use at a time.
final class HostedAccessories: Sendable {
    /// An accessory and its radios.
    struct Hosted: Sendable {
        let kind: String
        let accessory: any AgentAccessory
        let radio: HostedRadio
    }

    let all: [Hosted]
    /// The index of the one in use.
    private let chosen = Mutex(0)

    init(
        _ kinds: [any AgentAccessory.Type], adapter: AdapterID, emit: @escaping @Sendable (BoardEvent) -> Void
    ) {
        all = kinds.map { type in
            let radio = HostedRadio(of: type.kind, adapter: adapter, emit: emit)
            return Hosted(kind: type.kind, accessory: type.init(radio), radio: radio)
        }
    }

    /// The accessory in use: the first kind until another one gets a command. Nil if the agent hosts none.
    var current: Hosted? { all.isEmpty ? nil : all[chosen.withLock { $0 }] }

    /// Chooses the accessory of a kind.
    ///
    /// - Returns: The accessory, and the previous one if that was another.
    /// - Throws: `invalid` if the agent hosts no such accessory.
    func choose(_ kind: String) throws(RadioError) -> (chosen: Hosted, before: Hosted?) {
        guard let index = all.firstIndex(where: { $0.kind == kind }) else {
            let known = all.map(\.kind).joined(separator: ", ")
            throw .invalid("this agent hosts no \(kind)\(known.isEmpty ? "" : ": it has \(known)")")
        }
        let before = chosen.withLock { chosen in
            defer { chosen = index }
            return chosen
        }
        return (all[index], before == index ? nil : all[before])
    }
}

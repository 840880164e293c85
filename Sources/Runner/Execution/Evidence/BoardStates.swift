import BoardProtocol
import Foundation
import HIL
import HILPOSIX
import HILRecord
import HILTiming
import RigModel

/// Writes the state of both boards after a scenario missed its budget, for people: `host/state.txt` and
/// `accessory/state.txt`.
enum BoardStates {
    private static let limit = Duration.seconds(5)

    /// Asks both agents, whose client is gone, and writes their answers, or that they do not answer.
    static func write(of rig: any RunningRig, to folder: String) async {
        await withTaskGroup(of: Void.self) { group in
            for role in BoardRole.allCases where rig.has(role) {
                group.addTask {
                    let text = PlainText.lines(await state(of: role, on: rig))
                    // A full disk is reported elsewhere.
                    try? text.write(toFile: "\(folder)/\(role.rawValue)/state.txt", atomically: true, encoding: .utf8)
                }
            }
        }
    }

    private static func state(of role: BoardRole, on rig: any RunningRig) async -> String {
        do {
            let agent = try await rig.agent(of: role, within: limit)
            let health = try await agent.ask(within: limit) { .system(.health($0)) }
            await agent.close()
            return text(health)
        } catch { return "the agent does not answer: \(Failure(error).message)\n" }
    }

    /// The health of a board, one line for each property.
    static func text(_ health: BoardHealth) -> String {
        func list(_ items: [String]) -> String { items.isEmpty ? "none" : items.joined(separator: ", ") }
        return """
            clock     \(JournalSplitter.timestamp(health.clock))
            radios    \(health.areRadiosPowered ? "powered" : "without power, or missing")
            daemons   \(list(health.daemons.map(\.rawValue)))
            bonds     \(list(health.bonds.map(\.description)))
            networks  \(list(health.networks))
            disk      \(health.freeDisk >> 20) MiB free

            """
    }
}

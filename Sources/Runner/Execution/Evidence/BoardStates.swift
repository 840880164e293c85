import BoardProtocol
import Foundation
import HIL
import PlainText
import RigModel
import Timing

/// How both boards were when a scenario had missed its budget, for people: `host/state.txt` and `accessory/state.txt`.
enum BoardStates {
    private static let limit = Duration.seconds(5)

    /// Asks both agents, whose client is gone, and writes what they say; of one that does not answer, that.
    static func write(of rig: any RunningRig, to folder: String) async {
        await withTaskGroup(of: Void.self) { group in
            for role in BoardRole.allCases {
                group.addTask {
                    let text = PlainText.lines(await state(of: role, on: rig))
                    // A disk that is full is told of elsewhere.
                    try? text.write(toFile: "\(folder)/\(role.rawValue)/state.txt", atomically: true, encoding: .utf8)
                }
            }
        }
    }

    private static func state(of role: BoardRole, on rig: any RunningRig) async -> String {
        do {
            let agent = try await rig.agent(of: role, within: limit)
            let answer = try await agent.ask(.health, within: limit)
            await agent.close()
            guard case .health(let health) = answer else {
                return "the agent answered something else than its health\n"
            }
            return text(health)
        } catch { return "the agent does not tell how the board is: \(Failure(error).message)\n" }
    }

    /// A line for each thing that is known. Pure.
    static func text(_ health: BoardHealth) -> String {
        func list(_ items: [String]) -> String { items.isEmpty ? "none" : items.joined(separator: ", ") }
        return """
            clock     \(JournalSplitter.timestamp(health.clock))
            radios    \(health.arePowered ? "powered" : "without power, or not there")
            daemons   \(list(health.daemons.map(\.rawValue)))
            bonds     \(list(health.bonds.map(\.description)))
            networks  \(list(health.networks))
            disk      \(health.freeDisk >> 20) MiB free

            """
    }
}

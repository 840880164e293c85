import BoardProtocol
import HILBench
import RigModel

/// `hil doctor --rig`: what a bench's boards have, and what stands in the way of a run.
struct BenchDoctor: Sendable {
    let rig: RigRequest
    let say: @Sendable (String) -> Void

    /// Prints all findings, one per line.
    ///
    /// - Returns: Whether a run could use the bench now.
    func report() async throws -> Bool {
        guard case .boards(let bench) = rig else {
            throw UsageError(
                description: "`hil doctor --rig` takes HOST,ACCESSORY; `hil bench list` shows labgrid's places")
        }
        let boards = [(BoardRole.host, bench.host)] + (bench.accessory.map { [(.accessory, $0)] } ?? [])
        var obstacles = 0
        for (role, board) in boards {
            let findings = await BoardCheck.look(at: board, as: role)
            say("\(board), the \(role.rawValue) board")
            for finding in findings {
                let state = finding.isGood ? "ok     " : "WRONG  "
                say("  \(state)  \(finding.text)" + (finding.remedy.map { "; \($0)" } ?? ""))
            }
            obstacles += findings.count { !$0.isGood }
        }
        say(obstacles == 0 ? "nothing stands in the way" : "\(obstacles) to mend")
        return obstacles == 0
    }
}

import Foundation
import HILBench
import RigModel
import VirtualRig

/// `hil bench prepare` and `hil bench restore`.
struct PrepareCommand: Sendable {
    let request: Request.Preparing
    /// The checkout of hil, with the boards' program and our scripts.
    let checkout: String
    let say: @Sendable (String) -> Void

    func run() async throws {
        for board in request.boards {
            let preparation = BoardPreparation(board, scripts: "\(checkout)/Fixtures/Bench", progress: say)
            if request.isRestoring {
                try await preparation.restore()
                say("\(board) is restored to its state before hil bench prepare")
            } else {
                try await prepare(board, by: preparation)
            }
        }
    }

    private func prepare(_ board: BoardAddress, by preparation: BoardPreparation) async throws {
        say("\(board): checking the board")
        let machine = try await preparation.machine()
        guard machine == PrepareCommand.ownMachine else {
            throw RigFailure(
                "preparing the board", on: "\(board)",
                "its processor is \(machine), and hil-board here is built for \(PrepareCommand.ownMachine)",
                remedy: "prepare it from a \(machine) machine with a checkout of hil: `make setup`, then this command")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hil-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await AgentDisk.fill(
            folder, programs: .built(), configuration: "\(checkout)/Fixtures/BoardImage/root/etc/bluetooth")
        try await preparation.prepare(tree: folder, adapter: request.adapter, interface: request.interface)
        let findings = await BoardCheck.look(at: board, as: .host).filter { !$0.isGood }
        for finding in findings {
            say("\(board): \(finding.text)" + (finding.remedy.map { " — \($0)" } ?? ""))
        }
        say("\(board) is ready for runs" + (findings.isEmpty ? "" : " once that is fixed"))
    }

    private static var ownMachine: String {
        #if arch(x86_64)
            "x86_64"
        #else
            "aarch64"
        #endif
    }
}

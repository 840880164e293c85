import BoardProtocol
import HILBench
import HILLabgrid
import HILPOSIX
import RigModel

/// `hil doctor --rig`: what a bench's boards have, and what stands in the way of a run.
struct BenchDoctor: Sendable {
    let rig: RigRequest
    let say: @Sendable (String) -> Void
    /// Called with a message that is not a result.
    let note: @Sendable (String) -> Void

    /// Prints all findings, one per line.
    ///
    /// - Returns: Whether a run could use the bench now; of several places, each of them.
    func report() async throws -> Bool {
        let obstacles =
            switch rig {
            case .boards(let bench): await look(at: bench)
            case .hand(let accessory): await look(at: BenchAddress(host: nil, accessory: accessory))
            case .labgrid: try await lookAtPlaces()
            }
        say(obstacles == 0 ? "nothing stands in the way" : "\(obstacles) to fix")
        return obstacles == 0
    }

    /// Looks at the places of a coordinator, without taking them. Returns the number of findings to fix.
    private func lookAtPlaces() async throws -> Int {
        let wanted = try BenchKind.places(of: rig)
        let engine = try await LabgridSetUp.engine(at: nil, progress: note)
        let places = wanted.chosen(of: try await LabgridPlaces(engine).list())
        guard !places.isEmpty else {
            throw RigFailure(
                "looking at benches", on: engine.coordinator, "no place there is \(wanted)",
                remedy: "`hil bench list` shows all")
        }
        var obstacles = 0
        for place in places {
            say(PlainText.line("\(place.name): \(BenchText.state(of: place))"))
            guard let boards = place.boards, let host = BoardAddress(boards.host) else {
                say(PlainText.line("  WRONG    \(place.problem ?? "its host board has no address")"))
                obstacles += 1
                continue
            }
            obstacles += await look(
                at: BenchAddress(host: host, accessory: boards.accessory.flatMap(BoardAddress.init)))
        }
        return obstacles
    }

    /// Returns the number of findings to fix.
    private func look(at bench: BenchAddress) async -> Int {
        var parts: [(String, BoardAddress, BoardRole, BoardCheck.HomePart)] = []
        var interface = BoardCheck.HomePart.none
        if case .interface(let name)? = bench.home { interface = .interface(name) }
        if let host = bench.host { parts.append(("the host board", host, .host, interface)) }
        if let accessory = bench.accessory { parts.append(("the accessory board", accessory, .accessory, .none)) }
        if case .board(let board)? = bench.home { parts.append(("the home's router", board, .host, .board)) }
        var obstacles = 0
        for (what, board, role, home) in parts {
            say("\(board), \(what)")
            obstacles += show(await BoardCheck.look(at: board, as: role, home: home))
        }
        if case .network(let name)? = bench.home {
            say("“\(name)”, the home's network")
            obstacles += show([BoardCheck.look(for: name)])
        }
        return obstacles
    }

    /// Returns the number of findings to fix.
    private func show(_ findings: [BoardCheck.Finding]) -> Int {
        for finding in findings {
            let state = finding.isGood ? "ok     " : "WRONG  "
            say("  \(state)  \(finding.text)" + (finding.remedy.map { "; \($0)" } ?? ""))
        }
        return findings.count { !$0.isGood }
    }
}

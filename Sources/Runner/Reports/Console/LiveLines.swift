import HILRecord
import HILTiming

/// One line per rig about its current work.
///
/// Pure: lines of the run and moments go in, text comes out.
struct LiveLines {
    private struct Step {
        let name: String
        /// Nanoseconds since 1970.
        let began: UInt64
        /// Seconds.
        let budget: Double
    }

    private struct Rig {
        let scenario: String
        let place: Int
        let title: String
        var began: UInt64
        var phase = "starting the boards"
        /// The body's beginning, and its budget in seconds.
        var body: (began: UInt64, budget: Double)?
        /// The steps in progress, the innermost last.
        var steps: [Step] = []
    }

    private var rigs: [Rig] = []
    /// The exploration under way; nil if there is none.
    private var exploration: ExplorationRecord?
    private var count = 0

    /// Handles the next line. Returns whether the live lines have changed.
    mutating func take(_ line: RunLine, _ record: RunRecord) -> Bool {
        if let event = line.runner { return take(event, line, record) }
        guard let place = rigs.firstIndex(where: { $0.scenario == line.scenario }), let event = line.worker else {
            return false
        }
        switch event {
        case .preparing: rigs[place].phase = "making the boards ready"
        case .bodyBegan(let budget):
            rigs[place].phase = "running"
            rigs[place].body = (line.time, budget)
        case .stepBegan(let name, let budget, _, _):
            rigs[place].steps.append(Step(name: name, began: line.time, budget: budget))
        case .stepEnded(let name, _, _, _):
            guard let step = rigs[place].steps.lastIndex(where: { $0.name == name }) else { return false }
            rigs[place].steps.remove(at: step)
        case .crashing:
            rigs[place].phase = "crashed; its backtrace is being written"
            rigs[place].steps = []
        case .bodyEnded:
            rigs[place].phase = "keeping the evidence"
            rigs[place].body = nil
            rigs[place].steps = []
        default: return false
        }
        return true
    }

    private mutating func take(_ event: RunnerEvent, _ line: RunLine, _ record: RunRecord) -> Bool {
        switch event {
        case .runBegan(let info): count = info.scenarios.count
        case .roundBegan(let scenarios): count += scenarios.count
        case .runEnded: rigs = []
        case .scenarioBegan:
            guard let name = line.scenario, let entry = record[name] else { return false }
            rigs.removeAll { $0.scenario == name }
            let place = record.place(of: name) ?? 0
            rigs.append(Rig(scenario: name, place: place + 1, title: entry.info.title, began: line.time))
        case .attemptBegan:
            // A scenario that runs again at the end has no line any more.
            guard let name = line.scenario, let entry = record[name], entry.attempts.count > 1,
                !rigs.contains(where: { $0.scenario == name })
            else { return false }
            let place = record.place(of: name) ?? 0
            rigs.append(Rig(scenario: name, place: place + 1, title: entry.info.title, began: line.time))
        case .attemptEnded(let attempt) where attempt.judgement.unproven != nil:
            rigs.removeAll { $0.scenario == line.scenario }
        case .attemptEnded:
            guard let place = rigs.firstIndex(where: { $0.scenario == line.scenario }) else { return false }
            rigs[place].phase = "starting the boards again"
            rigs[place].began = line.time
            rigs[place].body = nil
            rigs[place].steps = []
        case .explorationBegan, .trialEnded: exploration = line.scenario.flatMap { record[$0]?.exploration }
        case .scenarioEnded, .scenarioInterrupted:
            rigs.removeAll { $0.scenario == line.scenario }
            exploration = nil
        }
        return true
    }

    /// The lines at a moment. They fit into `columns` and the rows of the screen.
    ///
    /// - Parameter now: Nanoseconds since 1970.
    func lines(at now: UInt64, columns: Int, rows: Int) -> [String] {
        // The last column is left free, because some terminals wrap there. One row is left free for the person's input.
        let most = max(1, rows - 2)
        let grid = exploration.map { exploration in
            let grid = ExplorationGrid(exploration)
            return grid.lines(width: columns - 1)
                + [
                    TextWidth.cut(
                        "\(exploration.results.count) of \(exploration.info.planned): \(grid.counts)", to: columns - 1)
                ]
        }
        let lines = rigs.map { line($0, at: now, columns: columns - 1) } + (grid ?? [])
        guard lines.count > most else { return lines }
        return lines.prefix(most - 1) + [TextWidth.cut("and \(lines.count - most + 1) more", to: columns - 1)]
    }

    private func line(_ rig: Rig, at now: UInt64, columns: Int) -> String {
        let title = ConsoleText.line(rig.title, to: 200)
        let head = "[\(rig.place)/\(count)] "
        var tail = what(rig, at: now)
        let least = min(16, TextWidth.columns(title))
        if let body = rig.body, !rig.steps.isEmpty {
            let whole = "; in all \(time(since: body.began, now, of: body.budget))"
            if TextWidth.columns(head + tail + whole) + 2 + least <= columns { tail += whole }
        }
        let room = max(least, columns - TextWidth.columns(head + tail) - 2)
        return TextWidth.cut("\(head)\(TextWidth.cut(title, to: room))  \(tail)", to: columns)
    }

    private func what(_ rig: Rig, at now: UInt64) -> String {
        if let step = rig.steps.last {
            return "step “\(ConsoleText.line(step.name, to: 40))” \(time(since: step.began, now, of: step.budget))"
        }
        if let body = rig.body { return "\(rig.phase) \(time(since: body.began, now, of: body.budget))" }
        return "\(rig.phase) \(seconds(since: rig.began, now)) s"
    }

    private func time(since began: UInt64, _ now: UInt64, of budget: Double) -> String {
        "\(seconds(since: began, now)) of \(Duration.seconds(budget).short)"
    }

    private func seconds(since began: UInt64, _ now: UInt64) -> String {
        (Double(now - min(now, began)) * 1e-9).formatted(decimals: 1)
    }
}

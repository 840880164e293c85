import HIL

/// Everything that is known about a run, collected from its ``RunLine``s.
package struct RunRecord: Sendable {
    /// Everything that is known about one scenario.
    package struct Entry: Sendable {
        package let info: RunInfo.Entry
        /// Nanoseconds since 1970; nil while it waits.
        package internal(set) var began: UInt64?
        package internal(set) var result: ScenarioResult?
        package internal(set) var isInterrupted = false
        /// The versions of the programs on the boards, by board.
        package internal(set) var versions: [String: [String: String]] = [:]
        /// The log of each attempt.
        var attempts: [AttemptLog] = [AttemptLog()]

        /// The events for people, one line each: seconds since the scenario began, as in its story, and the text.
        package var log: [String] { attempts.flatMap(\.lines) }
    }

    /// The log of one attempt at a scenario.
    struct AttemptLog: Sendable {
        /// When the scenario began, in nanoseconds since 1970; nil before that.
        var zero: UInt64?
        var events: [(time: UInt64, text: String)] = []
        /// Why the scenario ran again; nil if it did not.
        var end: String?

        var lines: [String] {
            // The same zero as in the story.
            let start = zero ?? events.first?.time ?? 0
            let told = events.map { event in
                let seconds = (Double(Int64(bitPattern: event.time &- start)) * 1e-9).formatted(decimals: 3)
                return String(repeating: " ", count: max(0, 8 - seconds.count)) + "\(seconds) \(event.text)"
            }
            return told + [end].compactMap { $0 }
        }
    }

    package private(set) var info: RunInfo?
    /// When the run began, nanoseconds since 1970.
    package private(set) var began: UInt64 = 0
    package private(set) var entries: [Entry] = []
    package private(set) var end: RunEnd?
    private var places: [String: Int] = [:]

    package init() {}

    /// Adds the next line.
    package mutating func take(_ line: RunLine) {
        if let event = line.runner { take(event, line) }
        guard let place = line.scenario.flatMap({ places[$0] }), let event = line.worker else { return }
        if case .boardsReady(let versions) = event { entries[place].versions = versions }
        let last = entries[place].attempts.count - 1
        if case .accessoryVersion(let name, let version) = event {
            entries[place].versions["accessory", default: [:]][name] = version
        }
        if case .bodyBegan = event { entries[place].attempts[last].zero = line.time }
        if let text = event.text { entries[place].attempts[last].events.append((line.time, text)) }
    }

    private mutating func take(_ event: RunnerEvent, _ line: RunLine) {
        let place = line.scenario.flatMap { places[$0] }
        switch event {
        case .runBegan(let info):
            self.info = info
            began = line.time
            entries = []
            add(info.scenarios)
        case .roundBegan(let scenarios): add(scenarios)
        case .scenarioBegan: if let place { entries[place].began = line.time }
        case .attemptEnded(let attempt):
            guard let place else { return }
            let cause = attempt.judgement.cause?.message ?? ""
            let last = entries[place].attempts.count - 1
            entries[place].attempts[last].end =
                "         \(attempt.judgement.verdict.rawValue), so it runs again: \(cause)"
            entries[place].attempts.append(AttemptLog())
        case .scenarioEnded(let result): if let place { entries[place].result = result }
        case .attemptBegan: break
        case .scenarioInterrupted: if let place { entries[place].isInterrupted = true }
        case .runEnded(let end): self.end = end
        }
    }

    private mutating func add(_ scenarios: [RunInfo.Entry]) {
        for scenario in scenarios {
            places[scenario.identifier] = entries.count
            entries.append(Entry(info: scenario))
        }
    }

    /// The entry of an identifier.
    package subscript(identifier: String) -> Entry? { places[identifier].map { entries[$0] } }

    /// How many scenarios have this verdict.
    package func count(_ verdict: Verdict) -> Int { entries.count { $0.result?.judgement.verdict == verdict } }

    /// The exit code of `hil run`: 128 and the signal if interrupted; 1 if any scenario failed; else 2 if any was an
    /// error of the rig, or did not run because the run missed its budget; else 3 if any was flaky and the run is strict;
    /// else 0. A failure outweighs an error, because it is certain.
    package var exitCode: Int32 {
        if let signal = end?.signal { return 128 + signal }
        if count(.failed) > 0 { return 1 }
        if count(.error) > 0 || end?.missedBudget != nil { return 2 }
        return info?.options.isStrict == true && count(.flaky) > 0 ? 3 : 0
    }
}

extension Double {
    /// The number with this many decimals and a point, in every locale.
    package func formatted(decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        let whole = Int64((self * scale).rounded())
        guard decimals > 0 else { return "\(whole)" }
        let digits = String(whole.magnitude)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return (whole < 0 ? "-" : "") + "\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }
}

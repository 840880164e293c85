import HILExecution
import HILRecord
import HILTiming
import VirtualRig

/// The command line of `hil explore`.
extension Arguments {
    mutating func explore() throws(UsageError) -> Request {
        var settings = Request.ExploreSettings()
        let choice = try choice(
            flags: ["--moments", "--pairs", "--resume"],
            values: [
                "--fault", "--at", "--budget", "--keep", "--jobs", "--seed", "--fail-on", "--boards", "--accessory",
                "--rig", "--junit-flavor",
            ]
        ) {
            (name, value) throws(UsageError) in
            switch name {
            case "--moments": settings.options.onlyMoments = true
            case "--pairs": settings.options.pairs = true
            case "--resume": settings.options.resumes = true
            case "--fault": settings.options.faults += Arguments.words(value)
            case "--at": settings.options.moments.append(value)
            case "--budget": try Arguments.take(budget: value, &settings.options)
            case "--keep": settings.keep = value
            case "--jobs": settings.jobs = try Arguments.number(value, of: name, in: 1...64)
            case "--seed":
                guard let seed = UInt64(value) else {
                    throw UsageError(description: "a seed is a whole number, not “\(value)”")
                }
                settings.options.seed = seed
            case "--fail-on": settings.options.failOn = try Arguments.findings(value)
            case "--boards": settings.boards.kind = try Arguments.boards(value)
            case "--accessory": settings.boards.accessory = try Arguments.system(value)
            case "--rig":
                settings.rig =
                    value == "virtual"
                    ? nil : try Arguments.rig(value, refusingHand: "`hil explore` repeats a journey hundreds of times")
            case "--junit-flavor": settings.flavor = try Arguments.flavor(value)
            default: break
            }
        }
        guard !choice.filter.patterns.isEmpty || !choice.filter.tags.isEmpty else {
            throw UsageError(description: "`hil explore` needs a scenario: an exploration of one takes minutes")
        }
        if settings.rig != nil, settings.boards != BoardsRequest() {
            throw UsageError(
                description: "--rig names existing boards: --boards and --accessory are for virtual ones")
        }
        return .explore(choice, settings)
    }

    private static func words(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }

    /// A time, `2min`, or a number of trials, `60`.
    private static func take(budget text: String, _ options: inout ExplorationOptions) throws(UsageError) {
        if let trials = Int(text), trials > 0 {
            options.trials = trials
        } else if let time = Duration(text: text) {
            options.budget = time.seconds
        } else {
            throw UsageError(
                description: "a budget is a time such as 90s, 30min or 2h, or a number of trials, not “\(text)”")
        }
    }

    /// The kinds of findings that a person names: `stuck,silent`.
    private static func findings(_ text: String) throws(UsageError) -> Set<TrialOutcome> {
        var kinds: Set<TrialOutcome> = []
        if text == "none" { return kinds }
        for word in words(text) {
            guard let kind = TrialOutcome(rawValue: word), kind.isFinding else {
                let known = TrialOutcome.allCases.filter(\.isFinding).map(\.rawValue).joined(separator: ", ")
                throw UsageError(description: "findings are \(known), or none; not “\(word)”")
            }
            kinds.insert(kind)
        }
        return kinds
    }
}

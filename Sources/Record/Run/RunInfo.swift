/// The description of a run.
package struct RunInfo: Sendable, Codable {
    /// A scenario that is to run.
    package struct Entry: Sendable, Codable {
        package var identifier: String
        package var title: String
        /// Its source file without `.swift`: `Scenarios/Pairing/NewLampIsOnboarded`.
        package var file: String
        /// The line of its declaration; nil in format 1.
        package var line: Int?
        package var tags: [String]
        /// The rules that it covers.
        package var rules: [String]
        /// The names of the capabilities that its rig must have: `air`.
        package var needs: [String]
        /// The names of the programs that it runs on the accessory board; nil if it declares none.
        package var programs: [String]?
        /// The system of its accessory board: `debian12`; nil if it is not known.
        package var accessory: String?
        /// The quarantine of a scenario that is known to fail; nil if it has none.
        package var quarantine: Quarantine?
        /// The control of an audit that it checks: `pairing.legacy`; nil if it is no check.
        package var control: String?
        /// Its folder in the run's folder.
        package var folder: String
        /// The command that runs it again.
        package var replay: String

        /// In its folder: a page that leads to the scenario's view in the page of the run, if the scenario did not pass.
        package static let page = "page.html"

        package init(
            identifier: String, title: String, file: String = "", line: Int? = nil, tags: [String] = [],
            rules: [String] = [], needs: [String] = [], programs: [String]? = nil, quarantine: Quarantine? = nil,
            folder: String, replay: String = ""
        ) {
            self.identifier = identifier
            self.title = title
            self.file = file
            self.line = line
            self.tags = tags
            self.rules = rules
            self.needs = needs
            self.programs = programs
            self.quarantine = quarantine
            self.folder = folder
            self.replay = replay
        }
    }

    /// The version of the harness.
    package var version: String
    /// The kind of rig: `virtual`.
    package var rig: String
    /// Why rigs of this kind were chosen, in a line; nil if there was no choice.
    package var choice: String?
    /// The accessory board's system unless a scenario requires another: `debian12`; nil if it is not known.
    package var accessory: String?
    /// The commit of the package of the scenarios, as `git describe` names it: `4f2e91c03a7d`, with `-dirty` after it
    /// if files were changed; nil if it is not known.
    package var commit: String?
    /// The name of the machine.
    package var machine: String
    /// The run's folder, absolute.
    package var folder: String
    /// The scenarios in the order in which they run.
    package var scenarios: [Entry]
    /// What an audit checks; nil if the run is none.
    package var audit: AuditInfo?
    /// The options of the run.
    package var options: RunOptions

    /// The command `hil`, as it was called.
    package var program: String

    package init(
        version: String, rig: String, choice: String = "", machine: String, folder: String, scenarios: [Entry],
        options: RunOptions = RunOptions(), program: String = "hil"
    ) {
        self.program = program
        self.version = version
        self.rig = rig
        self.choice = choice.isEmpty ? nil : choice
        self.machine = machine
        self.folder = folder
        self.scenarios = scenarios
        self.options = options
    }
}

/// How a run ended.
package struct RunEnd: Sendable, Codable, Hashable {
    /// The number of the signal that interrupted it.
    package var signal: Int32?
    /// The budget of the run in seconds, if it was used up before the last scenario ended.
    package var missedBudget: Double?
    /// The budget in seconds after which no further scenario began, if it was used up.
    package var usedBudget: Double?
    /// The scenario that ended a run that stops at the first scenario that does not pass.
    package var stoppedBy: String?
    /// The duration of the run, in seconds.
    package var seconds: Double
    /// The processor time of the runner's own process, in seconds; nil if unknown.
    package var processorSeconds: Double?

    package init(
        signal: Int32? = nil, missedBudget: Double? = nil, usedBudget: Double? = nil, stoppedBy: String? = nil,
        seconds: Double,
        processorSeconds: Double? = nil
    ) {
        self.signal = signal
        self.missedBudget = missedBudget
        self.usedBudget = usedBudget
        self.stoppedBy = stoppedBy
        self.seconds = seconds
        self.processorSeconds = processorSeconds
    }
}

/// Reading descriptions of runs of every version. A value that an early version did not write gets the value that
/// applied then.
extension RunInfo {
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        version = try values.decodeIfPresent(String.self, forKey: .version) ?? ""
        rig = try values.decodeIfPresent(String.self, forKey: .rig) ?? ""
        choice = try values.decodeIfPresent(String.self, forKey: .choice)
        accessory = try values.decodeIfPresent(String.self, forKey: .accessory)
        commit = try values.decodeIfPresent(String.self, forKey: .commit)
        machine = try values.decodeIfPresent(String.self, forKey: .machine) ?? ""
        folder = try values.decode(String.self, forKey: .folder)
        scenarios = try values.decode([Entry].self, forKey: .scenarios)
        // Options are not part of a run's results, so unknown ones do not make it unreadable.
        options = (try? values.decodeIfPresent(RunOptions.self, forKey: .options)) ?? RunOptions()
        program = try values.decodeIfPresent(String.self, forKey: .program) ?? "hil"
        audit = try? values.decodeIfPresent(AuditInfo.self, forKey: .audit)
    }
}

extension RunInfo.Entry {
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        identifier = try values.decode(String.self, forKey: .identifier)
        title = try values.decode(String.self, forKey: .title)
        file = try values.decodeIfPresent(String.self, forKey: .file) ?? ""
        line = try values.decodeIfPresent(Int.self, forKey: .line)
        tags = try values.decodeIfPresent([String].self, forKey: .tags) ?? []
        rules = try values.decodeIfPresent([String].self, forKey: .rules) ?? []
        needs = (try? values.decodeIfPresent([String].self, forKey: .needs)) ?? []
        programs = try values.decodeIfPresent([String].self, forKey: .programs)
        accessory = try values.decodeIfPresent(String.self, forKey: .accessory)
        quarantine = try? values.decodeIfPresent(Quarantine.self, forKey: .quarantine)
        control = try values.decodeIfPresent(String.self, forKey: .control)
        folder = try values.decodeIfPresent(String.self, forKey: .folder) ?? identifier
        replay = try values.decodeIfPresent(String.self, forKey: .replay) ?? ""
    }
}

extension RunInfo.Entry {
    /// The identifier of the case, and the round: `join[security=wpa3]#2` is the second round of `join[security=wpa3]`.
    package var caseAndRound: (identifier: String, round: Int) {
        guard let mark = identifier.lastIndex(of: "#"), let round = Int(identifier[identifier.index(after: mark)...])
        else {
            return (identifier, 1)
        }
        return (String(identifier[..<mark]), round)
    }
}

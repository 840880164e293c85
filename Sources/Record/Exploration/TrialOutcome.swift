/// What came of a trial.
package enum TrialOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// The journey passed.
    case unharmed
    /// It failed with an error or an end, and the next attempt passed.
    case toldAndRecovered
    /// It passed later than usual.
    case recoveredAlone
    /// The next attempt does not pass.
    case stuck
    /// No error, no end.
    case silent
    /// App, program or daemon crashed.
    case crashed
    /// Phone, app and accessory disagree about bond, list or network.
    case split
    /// Something is left after the accessory was removed, or a secret was in the clear.
    case leaked
    /// A promise of the team does not hold.
    case brokenPromise
    /// The moment did not come.
    case notReached
    /// The rig failed, or the machine was late.
    case error

    /// Whether it is a finding.
    package var isFinding: Bool {
        switch self {
        case .stuck, .silent, .crashed, .split, .leaked, .brokenPromise: true
        case .unharmed, .toldAndRecovered, .recoveredAlone, .notReached, .error: false
        }
    }

    /// Whether the trial proves nothing, so that it is made once more.
    package var isUnproven: Bool { self == .notReached || self == .error }

    /// Whether neither the fault nor what followed did harm.
    package var isHarmless: Bool { self == .unharmed || self == .recoveredAlone }

    /// In words: `told and recovered`.
    package var words: String {
        switch self {
        case .toldAndRecovered: "told and recovered"
        case .recoveredAlone: "recovered alone"
        case .brokenPromise: "broken promise"
        case .notReached: "not reached"
        case .unharmed, .stuck, .silent, .crashed, .split, .leaked, .error: rawValue
        }
    }

    /// One character for a grid.
    package var mark: Character {
        switch self {
        case .unharmed: "·"
        case .toldAndRecovered: "o"
        case .recoveredAlone: "~"
        case .stuck: "S"
        case .silent: "?"
        case .crashed: "X"
        case .split: "/"
        case .leaked: "L"
        case .brokenPromise: "P"
        case .notReached: "-"
        case .error: "e"
        }
    }
}

/// A trial that was made, and what came of it.
package struct TrialResult: Sendable, Hashable, Codable {
    package var cell: TrialOrder.Cell
    /// A second fault of the trial; nil for a single one.
    package var second: TrialOrder.Cell?
    package var outcome: TrialOutcome
    /// What was wrong, one line; nil if nothing was.
    package var detail: String?
    /// What was waited for when the attempt ended that the outcome is about: the first, or of a journey that is stuck the
    /// next one. Nil if nothing was, or the app was waited for.
    package var awaited: String?
    /// The step in which this attempt ended.
    package var step: String?
    /// The topmost screen when this attempt ended; nil for the app itself.
    package var screen: String?
    /// The last thing that the app was told before it ended, as far as that was an error or an end; nil for nothing, and in
    /// older records.
    package var told: String?
    package var seconds: Double
    /// The folder with the trial's evidence; nil if it was not kept.
    package var folder: String?

    package init(
        _ cell: TrialOrder.Cell, second: TrialOrder.Cell? = nil, _ outcome: TrialOutcome, detail: String? = nil,
        awaited: String? = nil, step: String? = nil, screen: String? = nil, told: String? = nil, seconds: Double,
        folder: String? = nil
    ) {
        (self.cell, self.second, self.outcome, self.detail) = (cell, second, outcome, detail)
        (self.awaited, self.step, self.screen, self.told) = (awaited, step, screen, told)
        (self.seconds, self.folder) = (seconds, folder)
    }
}

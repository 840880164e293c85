/// What a worker is to do beside its scenario.
package struct TrialOrder: Sendable, Hashable, Codable {
    /// The fault and its moment; nil for a journey without a fault, which finds the moments.
    package var cell: Cell?
    /// A second fault, after the first.
    package var second: Cell?
    /// How much longer a step may take than its budget, in seconds, before what it waits for counts as lost.
    package var patience: Double = 10
    /// What there is at the end without a fault; empty if that is not known.
    package var usual: [TrialFact: ClosedRange<Int>] = [:]
    /// The same after the person has removed the accessory.
    package var usuallyLeft: [TrialFact: ClosedRange<Int>] = [:]

    /// A fault at a moment.
    package struct Cell: Sendable, Hashable, Codable {
        package var moment: Moment
        /// A ``FaultKind``, or the name of a fault of the team.
        package var fault: String

        package init(_ fault: String, at moment: Moment) { (self.fault, self.moment) = (fault, moment) }
    }

    package init(_ cell: Cell? = nil, second: Cell? = nil) { (self.cell, self.second) = (cell, second) }
}

extension TrialOrder.Cell: CustomStringConvertible {
    package var description: String { "\(fault) at \(moment)" }
}

/// Something that phone, app or accessory has or does not have. Its value counts how many there are.
package enum TrialFact: String, Sendable, Hashable, Codable, CaseIterable, CodingKeyRepresentable {
    /// Bonds of the phone.
    case phoneBonds
    /// Bonds of the accessory.
    case accessoryBonds
    /// Accessories that apps have set up.
    case accessories
    /// Networks that apps have configured.
    case networks
    /// Whether the phone is on a network.
    case phoneNetwork
    /// Networks that the accessory has joined or opened.
    case accessoryNetworks
}

/// What a worker saw in a trial.
package struct TrialNote: Sendable, Hashable, Codable {
    /// One try at the journey: the first has the fault, the others are what a person does next.
    package struct Attempt: Sendable, Hashable, Codable {
        /// How it ended.
        package enum Ending: String, Sendable, Hashable, Codable {
            case passed
            /// An error, or an expectation that does not hold.
            case failed
            /// Something was awaited in vain.
            case waited
            /// The fault itself ended it: the app is gone.
            case cutShort
        }

        package var ending: Ending
        package var seconds: Double
        /// When it ended, in nanoseconds of `CLOCK_BOOTTIME`; nil if it is not known.
        package var ended: UInt64?
        /// The failure that ended it, one line; nil if it passed.
        package var failure: String?
        /// What the scenario waited for, as a noun phrase; nil if it waited for the app.
        package var awaited: String?
        /// The step in which it ended; nil between steps.
        package var step: String?
        /// The kind of the topmost screen then; nil for the app itself.
        package var screen: String?
        /// What the app was told after the fault, oldest first: errors, ends of links.
        package var told: [String]
        /// The last end of a link that the app was told after the fault and had asked for itself; nil for none.
        package var toldOwnEnd: String?

        package init(
            _ ending: Ending, seconds: Double, failure: String? = nil, awaited: String? = nil, step: String? = nil,
            screen: String? = nil, told: [String] = [], toldOwnEnd: String? = nil
        ) {
            self.toldOwnEnd = toldOwnEnd
            (self.ending, self.seconds, self.failure, self.awaited) = (ending, seconds, failure, awaited)
            (self.step, self.screen, self.told) = (step, screen, told)
        }
    }

    /// The moments of the first attempt, in order.
    package var moments: [JourneyMoment] = []
    /// Why faults cannot be tried here, by their names: the rig lacks something, or the journey does.
    package var unavailable: [String: String] = [:]
    /// Whether the scenario says what a person does next, in place of the journey.
    package var hasOwnRecovery = false
    /// Whether the app made the phone a peripheral.
    package var isPeripheral = false
    /// The faults of the team, by their names.
    package var teamFaults: [String] = []
    /// Whether the moment came.
    package var isReached = false
    /// The proof that the fault happened; nil if there is none.
    package var proof: String?
    package var attempts: [Attempt] = []
    /// What phone, app and accessory have at the end of the last attempt.
    package var state: [TrialFact: Int] = [:]
    /// The same after the person has removed the accessory in Settings.
    package var leftovers: [TrialFact: Int] = [:]
    /// Promises of the team that do not hold, a sentence each.
    package var broken: [String] = []
    /// Secrets that were in the clear, a sentence each.
    package var leaks: [String] = []
    /// Programs that crashed, a sentence each.
    package var crashes: [String] = []

    package init() {}

    /// What comes before what was seen of a broken promise. It may differ from trial to trial.
    package static let seen = "; seen: "

    /// How the note in the story begins that says that the trial's fault happens. The page of a finding opens there.
    package static let faultLine = "the fault: "
}

import HILTiming

/// How late the machine, the rig and the worker were, from a scenario's beginning to one moment.
package struct Lateness: Sendable, Hashable, Codable {
    /// What one witness observed.
    package struct Witness: Sendable, Hashable, Codable {
        package enum Kind: String, Sendable, Hashable, Codable {
            /// It could not run at all: stopped, frozen, suspended, or without a processor.
            case stood
            /// A board was ready and waited for a processor.
            case waited
            /// A process of the harness, which works in short bursts, was ready and waited for a processor.
            case queued
            /// It left heartbeats unanswered: a board of a bench.
            case owed
            /// The quota of a control group kept it from running.
            case throttled
            /// The machine around this one took its processors.
            case stolen
        }

        package var kind: Kind
        /// What was late: `the air`.
        package var what: String
        /// For how long, in seconds.
        package var seconds: Double
        /// The observed time, in seconds: for ``Kind/waited`` only the time in which it was ready.
        package var of: Double

        package init(_ kind: Kind, _ what: String, seconds: Double, of: Double) {
            (self.kind, self.what, self.seconds, self.of) = (kind, what, seconds, of)
        }

        /// The part of the time, 0 to 1.
        package var share: Double { of > 0 ? min(1, seconds / of) : 0 }

        /// Whether it was late enough to make a healthy product fail.
        ///
        /// A Bluetooth link that Linux opens ends when the other end is silent for 420 ms. On a machine with two cores a
        /// board waits for a tenth of the time in which it is ready; with a second rig for 0.3 to 0.4, and in 517 scenarios,
        /// of which none failed, for 0.63 at most.
        package var isBad: Bool {
            switch kind {
            case .stood: seconds >= 0.3
            case .waited: seconds >= 0.5 && share > 0.65
            case .queued: seconds >= 0.5 && share > 0.3
            case .owed: of >= 2 && share > 0.3
            case .throttled: seconds >= 0.3 && share > 0.1
            case .stolen: seconds >= 0.5 && share > 0.2
            }
        }

        /// One line for people: `the air could not run for 12 s`.
        package var text: String {
            let (seconds, of) = (Duration.seconds(seconds).short, Duration.seconds(of).short)
            return switch kind {
            case .stood: "\(what) could not run for \(seconds)"
            case .waited, .queued: "\(what) waited \(seconds) of \(of) for a processor"
            case .owed: "\(what) left heartbeats unanswered for \(seconds) of \(of)"
            case .throttled: "\(what) kept it from running for \(seconds) of \(of)"
            case .stolen: "\(what) took a processor for \(seconds) of \(of)"
            }
        }
    }

    /// The time from the scenario's beginning, in seconds.
    package var seconds: Double
    /// The witnesses that saw something, the longest time first.
    package var witnesses: [Witness]

    package init(seconds: Double, _ witnesses: [Witness]) {
        self.seconds = seconds
        self.witnesses = witnesses.filter { $0.seconds >= 0.01 }.sorted { $0.seconds > $1.seconds }
    }

    /// Whether a witness was late enough to make a healthy product fail.
    package var isBad: Bool { witnesses.contains(where: \.isBad) }

    /// The most by which all of it together can have delayed something, in seconds.
    ///
    /// What goes through several parts waits in each of them. The other kinds observe the same standstill from several
    /// sides.
    package var total: Double {
        func all(_ kind: Witness.Kind) -> [Double] { witnesses.filter { $0.kind == kind }.map(\.seconds) }
        let single = [Witness.Kind.stood, .owed, .throttled, .stolen].flatMap(all)
        return max(single.max() ?? 0, (all(.waited) + all(.queued)).reduce(0, +))
    }

    /// The bad witnesses for people, the worst first: `the air could not run for 12 s`; nil if there are none.
    package var text: String? {
        let bad = witnesses.filter(\.isBad)
        guard !bad.isEmpty else { return nil }
        let more = bad.count > 2 ? " and \(bad.count - 2) more" : ""
        return bad.prefix(2).map(\.text).joined(separator: ", ") + more
    }
}

extension Failure {
    /// If a wait in vain lasted this many times as long as everything was late, it proves that its event would not have
    /// come.
    package static let farLonger = 5.0

    /// Whether the failure would have come on a quiet machine as well: nothing was late, lateness cannot cause it, or
    /// it was waited for far longer than everything together was late.
    package var isProven: Bool {
        guard basis != .certain, let lateness, lateness.isBad else { return true }
        return (waited ?? 0) >= Failure.farLonger * lateness.total
    }
}

import Foundation
import HILHistory

/// The one object of `hil compare --format json`.
struct ComparisonJSON: Encodable {
    struct Step: Encodable {
        let scenario, step: String
        /// Medians in seconds.
        let before, after: Double
        /// The numbers of samples before and now.
        let samples: [Int]
        let p: Double
    }

    let newlyFailed, failedUnknown, newlyFlaky, rigErrors, stillFailed, fixed, new, gone: [Comparison.Change]
    /// Of audits.
    let newBreaches, noLongerAccepted, mended, newlyAccepted: [Comparison.Change]
    let slower, faster: [Step]
    /// How many steps are compared, and how many have too few samples on one side.
    let compared, tooFew: Int
    /// Why no times are compared.
    let whyNoTimes: String?
    let isRegression: Bool

    init(_ comparison: Comparison) {
        newlyFailed = comparison.newlyFailed
        failedUnknown = comparison.failedUnknown
        newlyFlaky = comparison.newlyFlaky
        rigErrors = comparison.rigErrors
        stillFailed = comparison.stillFailed
        fixed = comparison.fixed
        new = comparison.new
        gone = comparison.gone
        newBreaches = comparison.newBreaches
        noLongerAccepted = comparison.noLongerAccepted
        mended = comparison.mended
        newlyAccepted = comparison.newlyAccepted
        slower = comparison.times.slower.map(ComparisonJSON.step)
        faster = comparison.times.faster.map(ComparisonJSON.step)
        (compared, tooFew) = (comparison.times.compared, comparison.times.tooFew)
        whyNoTimes = comparison.times.whyNot
        isRegression = comparison.isRegression
    }

    private static func step(_ change: StepTimes.Change) -> Step {
        Step(
            scenario: change.key.scenario, step: change.key.step, before: change.before, after: change.after,
            samples: change.samples, p: change.p)
    }

    /// The object in one line.
    var line: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

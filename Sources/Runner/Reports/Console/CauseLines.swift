import HILRecord
import HILTiming

/// What the terminal shows below the lines of a failure: its likely cause, in a few lines.
///
/// Pure: the record of the attempt goes in, lines come out.
struct CauseLines {
    /// The most lines, those of the failure itself included.
    private static let most = 8
    /// The most lines of the firmware, and of the others.
    private static let mostOfEach = 2

    let judgement: Judgement
    let attempt: AttemptRecord

    /// The defects found outside the scenario's steps, first of all: a daemon's crash explains what comes after it.
    var found: [Failure] {
        let headlines = judgement.headlines
        return Array(
            judgement.failures.filter { $0.finding != nil && !headlines.contains($0) }.prefix(CauseLines.mostOfEach))
    }

    /// The lines below the failure's own.
    var lines: [String] {
        let room = CauseLines.most - judgement.headlines.count - found.count
        var lines = explanations + [lastWait].compactMap(\.self)
        let before = attempt.log.prefix { !$0.isBad }
        let firmware = before.filter(\.isOfAccessory).suffix(CauseLines.mostOfEach)
        let rest = before.filter { !$0.isOfAccessory }.suffix(CauseLines.mostOfEach)
        // In the order in which they came.
        lines += attempt.lines((firmware + rest).sorted { $0.time < $1.time })
        return Array(lines.prefix(max(0, room)))
    }

    /// More about the failures: unanswered requests, and near misses.
    private var explanations: [String] {
        judgement.headlines.flatMap { failure in
            failure.message.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
        }.filter { !$0.isEmpty }
    }

    /// What was waited for last, if the failure does not say so.
    private var lastWait: String? {
        guard let failed = attempt.failures.first, let wait = attempt.waits.last(where: { $0.time <= failed.time }),
            wait.value.seconds >= 1,
            !judgement.headlines.contains(where: {
                $0.message.contains(wait.value.what) || $0.message.contains("waited")
            })
        else { return nil }
        return "waited \(Duration.seconds(wait.value.seconds).short) for \(wait.value.what)"
    }
}

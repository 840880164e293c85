import HILHistory

/// A step whose time changed for good.
struct StepChange: Hashable {
    var step: String
    /// The name of the first run after the change.
    var run: String
    var point: ChangePoints.Point

    /// The changes of all steps, in the order of the steps, the earliest first.
    static func all(in series: [StepSeries]) -> [StepChange] {
        series.flatMap { step in
            (ChangePoints.find(step.seconds) ?? []).map {
                StepChange(step: step.step, run: step.runs[$0.place], point: $0)
            }
        }
    }
}

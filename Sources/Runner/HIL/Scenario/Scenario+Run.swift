import RigModel
import Timing

extension Scenario {
    /// Runs the body for one case, and records what it does, from `bodyBegan` to `bodyEnded`.
    ///
    /// An error that the body throws is a failure at the line of the call or the step that threw it, or of the rig if it
    /// is the rig's. So is an action that the person was told to do and could not.
    @MainActor
    package func run(_ one: ScenarioCase, in lab: Lab) async {
        let recorder = lab.recorder
        let began = ContinuousClock.now
        recorder.record(.bodyBegan(budget: traits.budget.seconds))
        var basis = Failure.Basis.fact
        do {
            try await ScenarioRecorder.$current.withValue(recorder) { try await one.body(lab) }
        } catch {
            // What follows from an end that rests on time rests on time as well.
            basis = Failure.Basis(of: error)
            record(error, recorder)
        }
        for action in lab.phone.person.unfinished {
            recorder.record(.failure(Failure(.product, "\(action)", at: location, basis: basis)))
        }
        if traits.expectedCrash != nil {
            recorder.record(.failure(Failure(.product, "the system did not end the app", at: location, basis: basis)))
        }
        // The app's end shows what it leaves behind. After a failure everything stays as it was, for who looks into it.
        if lab.failures.isEmpty { lab.phone.switchOff() }
        // A rig that is gone looks, to an app, like an accessory that does wrong; or, worse, like one that does right.
        for fault in await lab.rig.faultsAfter() { recorder.record(.failure(Failure(.rig, fault))) }
        recorder.record(.bodyEnded(seconds: (ContinuousClock.now - began).seconds))
    }

    private func record(_ error: any Error, _ recorder: ScenarioRecorder) {
        // Recorded when it happened.
        if error is StepOverran || error is RequirementNotMet || error is RigLacks { return }
        if let origin = recorder.origin(of: error) {
            return recorder.record(.failure(Failure(error, at: origin)))
        }
        // Nobody knows the line: what was done before tells where to look.
        let last = recorder.lastCall
        var failure = Failure(error, at: last ?? location)
        if failure.kind == .product {
            let line =
                last == nil ? "the line is the scenario's" : "the line is that of the last call of the lab before it"
            failure.message += ", \(recorder.place); \(line)"
        }
        recorder.record(.failure(failure))
    }
}

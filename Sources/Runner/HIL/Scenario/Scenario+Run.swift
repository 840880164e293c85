import HILRecord
import HILTiming
import RigModel

extension Scenario {
    /// Runs the body for one case, and records its events, from `bodyBegan` to `bodyEnded`.
    ///
    /// If the body throws, that is a failure at the line of the call or the step that threw the error; it is the rig's
    /// if the error is. An action that the person was told to do but could not do is a failure as well.
    @MainActor
    package func run(_ one: ScenarioCase, in lab: Lab) async {
        let recorder = lab.recorder
        let began = ContinuousClock.now
        recorder.record(.bodyBegan(budget: traits.budget.seconds))
        do { try await perform(one, in: lab) } catch { await record(error, recorder, package: lab.accessory.package) }
        for text in recorder.missingFailures {
            let message = "a recorded failure did not come again: \(text)"
            recorder.record(.failure(Failure(.product, message, at: location)))
        }
        for action in lab.phone.person.unfinished {
            recorder.record(.failure(Failure(.product, "\(action)", at: location)))
        }
        if traits.expectedCrash != nil {
            recorder.record(.failure(Failure(.product, "the system did not end the app", at: location)))
        }
        await lab.accessory.recordUnaskedFailure(at: location)
        // Switching the phone off shows what the app leaves behind. After a failure everything stays unchanged, for a
        // closer look.
        if lab.failures.isEmpty {
            lab.phone.switchOff()
            await lab.accessory.endPrograms()
        }
        // To an app, a lost rig looks like an accessory that fails or, worse, like one that works.
        for fault in await lab.rig.faultsAfter(recorder) { recorder.record(.failure(fault)) }
        recorder.record(.bodyEnded(seconds: (ContinuousClock.now - began).seconds))
        await lab.accessory.runLastHooks()
    }

    /// Runs the body for one case, with the program that is on already when it begins, and gives no verdict.
    @MainActor
    package func perform(_ one: ScenarioCase, in lab: Lab) async throws {
        lab.axisValues = one.values
        if let program = traits.startingPrograms.first { lab.accessory.begin(program, at: location) }
        try await lab.recorder.recording { try await one.body(lab) }
    }

    /// - Parameter package: The folder of the package of the scenario.
    func record(_ error: any Error, _ recorder: ScenarioRecorder, package: String) async {
        // These were recorded when they happened.
        if let ended = error as? ProgramEnded, ended.isRecorded { return }
        if error is StepOverran || error is RequirementNotMet { return }
        if let lack = error as? RigLacks { return recorder.recordOnce(lack) }
        // A helper's line says more than that of the step around it.
        if let origin = await ThrowSites.location(of: error, in: package) ?? recorder.origin(of: error) {
            return recorder.record(.failure(Failure(error, at: origin)))
        }
        // The line is unknown, so the failure names the last known one.
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

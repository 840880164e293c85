import HILPhone
import HILRecord
import HILTiming

extension Scenario {
    /// Plays a case: runs its body with the person's part left to somebody who sends commands. The lab stays unchanged
    /// after the body has ended. Returns when the commands end.
    @MainActor
    package func play(_ one: ScenarioCase, in lab: Lab, commands: AsyncStream<PlayCommand>) async {
        let recorder = lab.recorder
        let person = PlayedPerson(lab)
        lab.played = person
        let clock = PlayClock()
        let began = ContinuousClock.now
        recorder.record(.bodyBegan(budget: traits.budget.seconds))
        let body = Task {
            do {
                try await SharedDeadline.$pausingClock.withValue(clock) { try await perform(one, in: lab) }
            } catch is CancellationError where Task.isCancelled {
                return
            } catch { await record(error, recorder, package: lab.accessory.package) }
            await lab.accessory.recordUnaskedFailure(at: location)
            recorder.record(.bodyEnded(seconds: (ContinuousClock.now - began).seconds))
        }
        let watch = Task {
            recorder.onWaits { [changes = lab.changes] in changes.tell() }
            try? await lab.changes.listen { stream, listener in
                listener.yield()
                for await _ in stream { person.tellState(clock) }
            }
        }
        defer {
            body.cancel()
            watch.cancel()
        }
        await SharedDeadline.$pausingClock.withValue(clock) {
            for await command in commands {
                await person.perform(command)
                person.tellState(clock)
            }
        }
    }

    /// Declares a scenario that plays another one again, with what a person did by hand. `hil play --record` writes these.
    ///
    /// It runs the body of `base`, whose person then does nothing by themselves, and beside it `script`. It has passed
    /// when the script has ended, and nothing failed except what the script expects.
    ///
    /// - Parameters:
    ///   - title: One sentence that says what happens. It must be unique among all scenarios.
    ///   - traits: Its tags and rules. What it needs is what `base` declares.
    ///   - base: The scenario that is played.
    ///   - label: The case, as the list has it in brackets: `security=wpa3`. Empty for a scenario without axes.
    ///   - script: What the person does.
    public init(
        _ title: String, _ traits: ScenarioTrait..., playing base: Scenario, where label: String = "",
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        by script: @escaping @MainActor @Sendable (PlayedPerson) async throws -> Void
    ) {
        let chosen = base.cases.first { $0.label == label }
        let location = SourceLocation(file: fileID, path: filePath, line: line)
        self.init(
            title: title, traits: base.traits.played(with: traits, more: .seconds(60)),
            cases: [
                ScenarioCase(settings: [], system: chosen?.system) { lab in
                    guard let chosen else { throw NoSuchCase(scenario: base.title, label: label) }
                    try await Scenario.replay(base, chosen, in: lab, script)
                }
            ], location: location)
    }

    /// Runs a body and the script of its person side by side, until the script has ended.
    @MainActor
    private static func replay(
        _ base: Scenario, _ one: ScenarioCase, in lab: Lab, _ script: (PlayedPerson) async throws -> Void
    ) async throws {
        let person = PlayedPerson(lab)
        lab.played = person
        let body = Task {
            do { try await one.body(lab) } catch is CancellationError where Task.isCancelled {
                return
            } catch { await base.record(error, lab.recorder, package: lab.accessory.package) }
            person.bodyEnding.append(nil)
        }
        defer { body.cancel() }
        try await script(person)
        // A body that nobody plays any more gets no verdict.
        if person.bodyEnding.count == 0 { lab.recorder.ignoreRest() }
    }
}

/// A recording names a case that the played scenario does not have.
struct NoSuchCase: Error, CustomStringConvertible {
    let scenario: String
    let label: String

    var description: String {
        let name = label.isEmpty ? "without axes" : "[\(label)]"
        return "“\(scenario)” has no case \(name): name one of its cases in `where:`, as `hil list` shows them"
    }
}

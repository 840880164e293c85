import HILPOSIX
import HILPhone
import HILRecord
import HILTiming
import RigModel

// Attempts at the journey, and what a person does between them.
extension Trial {
    /// How many screens lie on one another at most.
    private static let mostScreens = 4
    /// How long is waited at most until the phone has closed one.
    private static let screenLimit = Duration.seconds(2)

    /// What a person does next: first as the scenario declares it, or the journey once more; if that fails, after the
    /// accessory's power was off.
    func nextAttempts() async {
        await again(afterPower: false)
        guard note.attempts.last?.ending != .passed, scenario.traits.exploration.recovery == nil, order.cell != nil,
            !lab.accessory.startedPrograms.isEmpty
        else { return }
        await again(afterPower: true)
    }

    private func again(afterPower: Bool) async {
        tellEnd()
        await closeScreens()
        await putBack()
        lab.beginAgain()
        if afterPower {
            do {
                for program in lab.accessory.startedPrograms { try await program.restart(grace: .zero) }
            } catch { return note.attempts.append(ended(by: error, after: .zero)) }
        }
        let recovery = scenario.traits.exploration.recovery
        let how =
            recovery == nil
            ? "the accessory is removed in Settings, and the journey begins again"
            : "what the scenario declares as its `recovery`: what a person does next"
        lab.note("attempt \(note.attempts.count + 1)\(afterPower ? ", after the accessory was restarted" : ""): \(how)")
        if recovery == nil {
            await lab.removeAccessories()
            if lab.phone.allowWhatWasRefused() { lab.note("what was refused is allowed in Settings") }
        }
        note.attempts.append(
            await attempt { [self] in
                if let recovery { return try await lab.recorder.recording { try await recovery(lab) } }
                try await lab.recorder.recording { try await one.body(lab) }
            })
    }

    /// The person closes what the last attempt has left on the screen. A picker that stays would take the accessory from the next
    /// attempt.
    private func closeScreens() async {
        for _ in 0..<Trial.mostScreens {
            guard let screen = lab.phone.screen.last,
                let action = [PersonAction.cancel, .deny, .refusePasskey, .done].first(where: screen.allows)
            else { return }
            guard lab.phone.display.act(action, on: screen.kind) else { return }
            try? await lab.phone.showsNo(screen.kind, within: Trial.screenLimit)
        }
    }

    /// The person switches on again what the scenario has switched off, and comes back: an attempt that ended early did neither.
    private func putBack() async {
        if !lab.phone.bluetoothIsOn {
            lab.note("Bluetooth is switched on again")
            await lab.phone.switchBluetooth(true)
        }
        if !lab.phone.wifiIsOn {
            lab.note("Wi-Fi is switched on again")
            await lab.phone.switchWiFi(true)
        }
        do { try await lab.rig.connection.distance?.set(metres: TrialFault.usualDistance) } catch {
            lab.recorder.record(.failure(Failure(.rig, "moving the boards together: \(Failure(error).message)")))
        }
    }

    /// Says in the story how the last attempt ended.
    func tellEnd() {
        guard let last = note.attempts.last else { return }
        let how =
            switch last.ending {
            case .passed: "passed"
            case .cutShort: "was cut short by the fault"
            case .failed, .waited: "failed: \(last.failure ?? "it did not end")"
            }
        lab.note("attempt \(note.attempts.count) \(how)")
    }

    /// What the phone heard in an attempt that ended while it looked for accessories: whose fault that was.
    private func heard(at screen: Screen.Kind?) -> String {
        guard screen == .picker else { return "" }
        let advertisement = EventPattern<PhoneEvent, Void>("an advertisement") {
            if case .radio(.advertisement) = $0.kind { () } else { nil }
        }
        let count = lab.phone.log.all(advertisement, since: began).count
        return count == 0 ? "; the phone heard no advertisement meanwhile" : "; the phone heard \(count) advertisements"
    }

    /// Runs an attempt until it ends, its time is over, or a fault ends it.
    func attempt(_ body: @escaping @MainActor @Sendable () async throws -> Void) async -> TrialNote.Attempt {
        failures.clear()
        let number = lab.recorder.beginAttempt()
        self.began = lab.phone.log.mark
        let began = ContinuousClock.now
        let limit = scenario.traits.budget + lab.patience
        let ends = EventLog<AttemptEnd>()
        let work = Task { @MainActor in
            do {
                try await ScenarioRecorder.$attempt.withValue(number) { try await body() }
                ends.append(.returned)
            } catch { ends.append(.threw(error)) }
        }
        let timer = Task { [clock = lab.clock] in
            try await clock.sleep(for: limit)
            ends.append(.overran)
        }
        let cut = Task { [endings, place = endings.count] in
            _ = try await endings.first(from: place)
            ends.append(.cutShort)
        }
        defer { for task in [timer, cut] { task.cancel() } }
        let end = (try? await ends.first().event) ?? .overran
        let seconds = ContinuousClock.now - began
        // A body that reacts to it leaves nothing running; any other is left alone.
        work.cancel()
        switch end {
        case .returned: return ended(by: nil, after: seconds)
        case .threw(let error): return ended(by: error, after: seconds)
        case .overran:
            return described(.waited, after: seconds, "it did not end", awaited: lab.recorder.awaited.first)
        case .cutShort: return described(.cutShort, after: seconds, nil)
        }
    }

    /// Judges the end of an attempt's body.
    private func ended(by error: (any Error)?, after time: Duration) -> TrialNote.Attempt {
        let first = failures.first?.message
        guard let error else {
            return described(first == nil ? .passed : .failed, after: time, first)
        }
        if let lack = error as? RigLacks { lab.recorder.recordOnce(lack) }
        // What the body asked of a board that then lost its power or a daemon has no answer.
        if case RadioError.rig = error, hasLostBoard { return described(.cutShort, after: time, nil) }
        let failure = Failure(error)
        if failure.kind == .rig { lab.recorder.record(.failure(failure)) }
        let text = first ?? failure.message
        return switch error {
        case let overrun as StepOverran: described(.waited, after: time, text, awaited: overrun.awaited.first)
        case let late as TimedOut: described(.waited, after: time, text, awaited: late.what)
        case let missing as ScreenMissing: described(.waited, after: time, text, awaited: missing.what)
        default: described(.failed, after: time, text)
        }
    }

    private func described(
        _ ending: TrialNote.Attempt.Ending, after time: Duration, _ failure: String?, awaited: String? = nil
    ) -> TrialNote.Attempt {
        let screen = lab.phone.screen.last?.kind
        var attempt = TrialNote.Attempt(
            ending, seconds: time.seconds,
            failure: failure.map { text in
                (text.split(whereSeparator: \.isNewline).first.map(String.init) ?? text) + heard(at: screen)
            }, awaited: awaited, step: lab.recorder.lastStep, screen: screen?.rawValue,
            told: Array(watch.news.suffix(5)), toldOwnEnd: watch.ownEnd)
        attempt.ended = bootTimeNanoseconds()
        return attempt
    }
}

extension Lab {
    /// Makes the lab ready for the body once more: nothing that was seen before counts, and what is on stays as it is.
    func beginAgain() {
        phone.person.onSee(nil)
        phone.person.onLook(nil)
        phone.person.forget()
        phone.log.beginAgain()
        homeNetwork.events.beginAgain()
        accessory.keepAsItIs()
        homeNetwork.keepAsItIs()
    }

    /// Lets the person remove every accessory in Settings.
    func removeAccessories() async {
        let setup = phone.part(AccessorySetup.self)
        for (app, record) in phone.store.everything { await setup.remove(record, from: app) }
    }
}

/// How an attempt ended.
private enum AttemptEnd: Sendable {
    case returned
    case threw(any Error)
    case overran
    case cutShort
}

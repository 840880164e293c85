import HILPhone
import HILRecord
import HILTiming

/// The calls of a recorded scenario's script.
extension PlayedPerson {
    /// What a person sees that is not on a screen.
    public enum Loss: Sendable {
        /// The phone's Bluetooth link to an accessory has ended.
        case link
        /// The phone has lost its Wi-Fi network.
        case network
    }

    /// Presses a button of the app, once it is there and not under way. ``finishes(_:failing:fileID:filePath:line:)`` waits for its end.
    ///
    /// - Throws: `TimedOut`.
    public func presses(_ button: String) async throws {
        try await lab.given("the app has the button “\(button)”", within: PlayedPerson.patience) {
            self.canPress(button) ? true : nil
        }
        try await done(.press(button: button))
    }

    /// Waits until what a button began is done, and records whether it ended as it should.
    ///
    /// - Parameter failure: How it fails; nil if it works. Numbers in it do not matter.
    /// - Throws: `TimedOut`.
    public func finishes(
        _ button: String, failing failure: String? = nil, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) async throws {
        let told = try await ending(of: button)
        let text = failure == nil ? "“\(button)” works" : "“\(button)” fails as it was recorded"
        lab.expect(
            told.map(Failure.alike), equals: failure.map(Failure.alike), text, fileID: fileID, filePath: filePath,
            line: line)
    }

    /// Does an action on a screen of this kind, as soon as that is on top and allows the action.
    ///
    /// - Throws: ``ScreenMissing``.
    public func does(_ action: PersonAction, on kind: Screen.Kind) async throws {
        let deadline = ContinuousClock.now + PlayedPerson.patience
        while true {
            let left = max(.zero, deadline - .now)
            try await lab.phone.shows(
                "a screen \(kind.rawValue) on which to \(action)", since: lab.phone.screenMark, within: left
            ) { $0.kind == kind && $0.allows(action) }
            // The screen may have changed again, or still carry out the action before.
            if await perform(.act(action, on: kind)) { return }
            let mark = lab.phone.log.mark
            _ = try await lab.phone.log.first(
                .screen, since: mark, within: left, waitingFor: "a screen on which to \(action)")
        }
    }

    /// Opens a page of Settings. ``does(_:on:)-(PersonAction,_)`` acts on it, and `.done` closes it.
    public func opens(_ page: Screen.Kind) async throws {
        try await done(.openSettings(page))
        try await lab.phone.shows(page, since: lab.phone.screenMark, within: PlayedPerson.patience)
    }

    /// Moves the boards so many metres apart.
    ///
    /// - Throws: `RigLacks` if this rig cannot set the distance.
    public func moves(to metres: Double) async throws { try await move(to: metres) }

    /// Moves the boards out of each other's range.
    ///
    /// - Throws: `RigLacks` if this rig cannot set the distance.
    public func movesAway() async throws { try await move(to: nil) }

    private func move(to metres: Double?) async throws {
        let rig = lab.rig.connection
        _ = try rig.facet(rig.distance, .distance, lab.recorder)
        try await done(.move(metres: metres))
    }

    /// Gets a notification of an app on the phone.
    ///
    /// - Parameter isForwarded: Whether to wait until the accessory has got it and alerts.
    public func gets(
        from app: String, title: String, body: String, isForwarded: Bool = false
    ) async throws {
        let mark = lab.forwarding.mark
        let notification = PhoneNotification(app: app, title: title, body: body)
        lab.recorder.record(play: .did(.post(app: app, title: title, body: body)))
        post(notification)
        guard isForwarded else { return }
        let alerted = try await lab.forwarding.next(
            .added(notification.identifier), since: mark, within: PlayedPerson.patience)
        lab.expect(alerted, "the accessory alerts: “\(title)”")
    }

    /// Waits until a screen of this kind is on top; nil for the app itself.
    public func sees(_ kind: Screen.Kind?) async throws {
        try await lab.given("the phone shows \(kind?.rawValue ?? "the app")", within: PlayedPerson.patience) {
            self.lab.phone.screen.last?.kind == kind ? true : nil
        }
    }

    /// Waits until the phone has lost something since the last such call.
    public func loses(_ loss: Loss) async throws {
        switch loss {
        case .link:
            marks.phone = try await lab.phone.log.first(
                .disconnected, since: marks.phone, within: PlayedPerson.patience
            ).mark
        case .network:
            marks.phone = try await lab.phone.log.first(
                .wifiLost(), since: marks.phone, within: PlayedPerson.patience
            ).mark
        }
    }

    /// Expects a failure of the played scenario; its numbers do not matter. If it does not come, that is a failure.
    public func expects(failure: String) { lab.recorder.foresee(failure) }

    /// Waits until the body of the played scenario has ended.
    public func seesTheEnd() async throws {
        _ = try await bodyEnding.first(within: PlayedPerson.patience, waitingFor: "the end of the scenario")
    }

    /// Waits until steps of this name of the played scenario have ended so many times, from its beginning on.
    public func passes(_ step: String, times count: Int = 1) async throws {
        try await lab.given("step “\(step)” has ended", within: PlayedPerson.patience) {
            self.lab.recorder.endedSteps(step) >= count ? true : nil
        }
    }

    private func done(_ command: PlayCommand) async throws {
        guard await perform(command) else { throw NotPossible(what: command.words) }
    }
}

/// The person could not do what they did when it was recorded.
struct NotPossible: Error, CustomStringConvertible {
    let what: String

    var description: String { "the person could not \(what), as they did when it was recorded: see the story for why" }
}

extension PlayCommand {
    /// What it is, after “could not”.
    fileprivate var words: String {
        switch self {
        case .press(let button): "press “\(button)”"
        case .act(let action, let kind): "\(action) on the screen \(kind.rawValue)"
        case .openSettings: "open Settings"
        case .move: "move the boards"
        case .post: "get a notification"
        }
    }
}

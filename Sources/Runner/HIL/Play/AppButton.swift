import HILRecord
import HILTiming

/// Something that a person can do in an app, or with the accessory in their hand: a button of `hil play`.
public struct AppButton: Sendable {
    /// What it says, in a word or two: `Add Lamp`. It is unique among the buttons of a scenario.
    public let title: String
    /// How long it may take in a run that nobody plays by hand.
    public let limit: Duration
    let location: SourceLocation
    let press: @MainActor @Sendable () async throws -> Void

    /// - Parameters:
    ///   - title: What it says, in a word or two. It is unique among the buttons of a scenario.
    ///   - limit: How long it may take in a run that nobody plays by hand; 30 s by default.
    ///   - press: Does it. An error is a failure; in `hil play` it is shown beside the button.
    public init(
        _ title: String, within limit: Duration = .seconds(30), fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, press: @escaping @MainActor @Sendable () async throws -> Void
    ) {
        location = SourceLocation(file: fileID, path: filePath, line: line)
        self.title = title
        self.limit = limit
        self.press = press
    }
}

extension Lab {
    /// Gives the person buttons to press.
    ///
    /// In `hil play` they appear on the phone, and this call returns when the command ends. In any other run a willing
    /// person presses each of them once, in this order, each when the one before it is done, as a step of its name.
    ///
    /// A scenario with such buttons and the tag ``Tag/play`` is what `hil play` starts when no other is named.
    ///
    /// - Throws: In a run that nobody plays by hand, the error of a button.
    public func offer(_ buttons: AppButton...) async throws {
        if let played { return try await played.offer(buttons) }
        for button in buttons {
            phone.person.taps(button.title)
            let place = button.location
            try await step(
                button.title, within: button.limit, fileID: place.file, filePath: place.path, line: place.line
            ) { try await button.press() }
        }
    }
}

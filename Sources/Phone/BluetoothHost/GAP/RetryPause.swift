/// How long a part of GAP waits after a refusal of the controller before it tries again: twice as long each time.
package struct RetryPause: Sendable, Hashable {
    /// The pause after the first refusal. Assumed.
    package var first: Duration = .seconds(1)
    /// The longest pause. Assumed.
    package var longest: Duration = .seconds(32)

    package init() {}
}

/// The pause after refusals.
struct RetryTimer: Sendable {
    private let pause: RetryPause
    private var length: Duration = .zero
    /// When the next try is due; nil without a pause.
    private(set) var end: Duration?

    init(_ pause: RetryPause) { self.pause = pause }

    func allowsTry(at now: Duration) -> Bool { end.map { $0 <= now } ?? true }

    /// Notes that a try begins. The next refusal makes a longer pause.
    mutating func began() { end = nil }

    mutating func refused(at now: Duration) {
        length = min(max(length * 2, pause.first, .milliseconds(10)), max(pause.longest, pause.first))
        end = now + length
    }

    mutating func succeeded() { (length, end) = (.zero, nil) }
}

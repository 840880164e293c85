/// When the phone launches an extension again whose process has ended.
///
/// Apple documents that the system relaunches extensions
/// (<https://developer.apple.com/documentation/accessorytransportextension/accessorytransportsession/transportstaterestoreidentifier>),
/// but not when. Assumed: at once, because the session needs the extension; then with pauses as those of `launchd`, whose
/// jobs are not launched more often than every ten seconds (`ThrottleInterval` in launchd.plist(5)).
public struct ExtensionRelaunch: Sendable, Hashable {
    /// The pause after the first end.
    package var firstPause: Duration = .zero
    /// The pause after the second end in a row. It doubles with each further one.
    package var pause: Duration = .seconds(1)
    /// The longest pause.
    package var longestPause: Duration = .seconds(10)
    /// A process that ran this long begins the count again.
    package var steadyTime: Duration = .seconds(10)
    /// After this many ends in a row, the session ends. The next notification begins another.
    package var limit = 6

    package init() {}
}

/// The ends of an extension's process in a row.
struct ExtensionRelaunches {
    private(set) var count = 0

    /// Notes an end.
    ///
    /// - Parameter time: How long the process ran.
    /// - Returns: The pause before the next launch; nil if it is not launched again.
    mutating func ended(after time: Duration, _ policy: ExtensionRelaunch) -> Duration? {
        if time >= policy.steadyTime { count = 0 }
        count += 1
        guard count < policy.limit else { return nil }
        guard count > 1 else { return policy.firstPause }
        return min(policy.longestPause, policy.pause * (1 << min(count - 2, 16)))
    }
}

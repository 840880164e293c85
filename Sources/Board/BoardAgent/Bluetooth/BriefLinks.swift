import RadioModel

/// Knows which links ended at once, before the kernel was done with their beginning.
///
/// After such a link, Linux sometimes does not switch advertising on again (seen with 6.12 and 7.2): it ends the link from its own
/// side at the same time, and then takes the controller's report for that of a link that it does not know.
struct BriefLinks<Instant: InstantProtocol>: Sendable where Instant.Duration == Duration {
    /// What counts as at once.
    private static var limit: Duration { .milliseconds(300) }

    private var beginnings: [DeviceAddress: Instant] = [:]

    mutating func began(with device: DeviceAddress, at now: Instant) { beginnings[device] = now }

    /// A link has ended.
    ///
    /// - Returns: Whether that was at once.
    mutating func ended(with device: DeviceAddress, at now: Instant) -> Bool {
        guard let beginning = beginnings.removeValue(forKey: device) else { return false }
        return beginning.duration(to: now) < BriefLinks.limit
    }
}

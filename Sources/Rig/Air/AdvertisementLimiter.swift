/// Decides which advertisements a controller hears: equal ones ten times a second.
///
/// An accessory that advertises every 20 ms makes a scanning controller ask for fifty scan responses a second; its host
/// hears ten (``ReportLimiter``). The other forty took three tenths of a rig's processor time while somebody waited at a
/// picker. A controller whose host wants a link hears every advertisement.
struct AdvertisementLimiter {
    /// The time between two equal advertisements: that between two equal reports.
    static let interval = ReportLimiter.interval
    /// The most advertisements that are remembered.
    static let limit = 512

    private struct Heard: Hashable {
        let bytes: [UInt8]
        /// In dBm; nil out of range.
        let signal: Int8?
    }

    /// When an equal advertisement was last heard.
    private var heard: [Heard: ContinuousClock.Instant] = [:]

    /// How many advertisements are remembered.
    var memory: Int { heard.count }

    /// Handles a command of the controller's host. A host that starts to scan hears every device anew.
    mutating func command(_ packet: [UInt8]) {
        if ReportLimiter.isScanEnable(packet) { heard.removeAll() }
    }

    /// Whether the controller hears a legacy advertisement.
    ///
    /// - Parameter signal: In dBm; a new one counts as news.
    mutating func passes(_ advertisement: [UInt8], signal: Int8?, at now: ContinuousClock.Instant) -> Bool {
        let key = Heard(bytes: advertisement, signal: signal)
        if let last = heard[key], now - last < AdvertisementLimiter.interval { return false }
        if heard.count >= AdvertisementLimiter.limit {
            heard = heard.filter { now - $0.value < AdvertisementLimiter.interval }
            if heard.count >= AdvertisementLimiter.limit { heard.removeAll() }
        }
        heard[key] = now
        return true
    }
}

extension Clock where Duration == Swift.Duration {
    /// Says whether so many seconds from now are over; nil is never.
    func isPast(_ seconds: Double?) -> @Sendable () -> Bool {
        guard let seconds else { return { false } }
        let end = now.advanced(by: .seconds(seconds))
        return { now >= end }
    }
}

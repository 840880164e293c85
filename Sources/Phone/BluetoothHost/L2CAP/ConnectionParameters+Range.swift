import RadioModel

extension ConnectionParameters {
    /// What is out of the specification's range; nil if nothing is.
    ///
    /// The supervision timeout must be longer than twice the longest time without a connection event.
    ///
    /// Source: Core Specification 6.0, Vol 3, Part A, 4.20, and Vol 6, Part B, 4.5.2.
    var problem: String? {
        guard (6...3200).contains(shortestInterval) else { return "the shortest interval is not 7.5 ms to 4 s" }
        guard (6...3200).contains(longestInterval) else { return "the longest interval is not 7.5 ms to 4 s" }
        guard shortestInterval <= longestInterval else { return "the shortest interval is longer than the longest" }
        guard latency < 500 else { return "the latency is more than 499 events" }
        guard (10...3200).contains(timeout) else { return "the supervision timeout is not 100 ms to 32 s" }
        // In units of 1.25 ms. A unit of the timeout is 8 of them.
        guard Int(timeout) * 8 > 2 * (1 + Int(latency)) * Int(longestInterval) else {
            return "the supervision timeout is too short for the interval and the latency"
        }
        return nil
    }
}

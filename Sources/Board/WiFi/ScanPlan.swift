/// Decides on which channels a scan listens.
///
/// If the channels in use are known, the scan listens only on those. A channel that comes into use meanwhile is added,
/// so every network that existed before the scan started is found. If they are not known, the scan listens on all
/// channels.
package struct ScanPlan: Sendable {
    /// Where to listen if no channel is in use: a scan needs at least one.
    private static let idle = [2412]

    private var listened: Set<Int>?
    private var isOver = false

    package init() {}

    /// The channels to listen on next.
    ///
    /// - Parameter inUse: The channels in use now, as centre frequencies in MHz; nil if they are not known.
    /// - Returns: Centre frequencies in MHz; empty for all channels of the radio; nil when the scan is complete.
    package mutating func next(inUse: [Int]?) -> [Int]? {
        guard !isOver else { return nil }
        guard let inUse else {
            isOver = true
            return listened == nil ? [] : nil
        }
        let wanted = listened == nil && inUse.isEmpty ? ScanPlan.idle : inUse
        let new = Set(wanted).subtracting(listened ?? [])
        guard !new.isEmpty else {
            isOver = true
            return nil
        }
        listened = (listened ?? []).union(new)
        return new.sorted()
    }
}

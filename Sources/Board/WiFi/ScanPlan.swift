/// On which channels one scan listens.
///
/// Where somebody knows the channels in use, those are enough, and a channel that comes into use meanwhile is listened on as
/// well: a network that was there before the scan began is found. Where nobody knows, all channels are listened on.
package struct ScanPlan: Sendable {
    /// Where a radio listens that knows that nothing is in use: somewhere it must.
    private static let idle = [2412]

    private var listened: Set<Int>?
    private var isOver = false

    package init() {}

    /// What to listen on next.
    ///
    /// - Parameter inUse: The channels that are in use now, as far as is known, MHz; nil where nobody knows.
    /// - Returns: MHz, none for every channel of the radio; nil when the scan is complete.
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

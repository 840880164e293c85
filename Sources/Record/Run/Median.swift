extension [Double] {
    /// The median: the middle value, or the mean of the two in the middle; nil if there are none.
    package var median: Double? {
        if isEmpty { return nil }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}

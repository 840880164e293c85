/// Makes the numbers of deliveries on the phone's side. ``GATTFraming`` describes them.
package struct DeliveryNumbering: Sendable {
    /// The bit of a number for a delivery that is only valid directly after the previous one.
    package static let follows: UInt32 = 1 << 31
    /// The bit of a number for a delivery whose receipt with outcome 0 the phone does not await.
    package static let isQuiet: UInt32 = 1 << 30
    static let placeMask = isQuiet - 1

    private var last: UInt32 = 0

    /// The first number is 1.
    package init() {}

    /// The number of the next delivery.
    ///
    /// - Parameters:
    ///   - isUnanswered: Whether an earlier delivery on this link is unanswered.
    ///   - isQuiet: Whether the receipt of another delivery is enough.
    package mutating func next(afterUnanswered isUnanswered: Bool, isQuiet: Bool = false) -> UInt32 {
        last = (last &+ 1) & Self.placeMask
        return last | (isUnanswered ? Self.follows : 0) | (isQuiet ? Self.isQuiet : 0)
    }
}

/// Checks the order of deliveries on the die's side. One that follows another is accepted only after that one.
package struct DeliverySequence: Sendable {
    /// The number of the latest delivery over the link; nil before the first.
    private var last: UInt32?

    /// Starts the order for a new link.
    package init() {}

    /// Whether to accept a delivery: an independent one, the one after the latest, or an earlier one.
    package mutating func takes(_ number: UInt32) -> Bool {
        let place = number & DeliveryNumbering.placeMask
        if number & DeliveryNumbering.follows != 0 {
            guard let last else { return false }
            let step = (place &- last) & DeliveryNumbering.placeMask
            // Numbers in the upper half are behind the latest one, not ahead.
            if step == 0 || step > DeliveryNumbering.placeMask / 2 { return true }
            guard step == 1 else { return false }
        }
        last = place
        return true
    }
}

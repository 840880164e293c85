/// The numbers of deliveries on the phone's side; their meaning is in ``GATTFraming``.
package struct DeliveryNumbering: Sendable {
    /// The bit of a number that says that the delivery counts only right after the one before.
    package static let follows: UInt32 = 1 << 31
    /// The bit of a number that says that a receipt with outcome 0 is not waited for.
    package static let isQuiet: UInt32 = 1 << 30
    static let placeMask = isQuiet - 1

    private var last: UInt32 = 0

    /// The first number is 1.
    package init() {}

    /// The number of the next delivery.
    ///
    /// - Parameters:
    ///   - isUnanswered: Whether one that was sent before on this link is not answered yet.
    ///   - isQuiet: Whether the receipt of another one will do.
    package mutating func next(afterUnanswered isUnanswered: Bool, isQuiet: Bool = false) -> UInt32 {
        last = (last &+ 1) & Self.placeMask
        return last | (isUnanswered ? Self.follows : 0) | (isQuiet ? Self.isQuiet : 0)
    }
}

/// The order of deliveries on the die's side: one that follows another is taken only if that one came.
package struct DeliveryOrder: Sendable {
    /// The number of the latest delivery that came over the link; nil before the first.
    private var last: UInt32?

    /// For a new link.
    package init() {}

    /// Whether a delivery is to be taken: one that follows none, the one right after the latest, or one that came before.
    package mutating func takes(_ number: UInt32) -> Bool {
        let place = number & DeliveryNumbering.placeMask
        if number & DeliveryNumbering.follows != 0 {
            guard let last else { return false }
            let step = (place &- last) & DeliveryNumbering.placeMask
            // The upper half of the numbers is behind the latest, not before it.
            if step == 0 || step > DeliveryNumbering.placeMask / 2 { return true }
            guard step == 1 else { return false }
        }
        last = place
        return true
    }
}

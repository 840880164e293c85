/// The messages of a session that are not settled yet, in the order in which they were sent: which of them may leave now.
///
/// Messages leave in that order, and do not wait for each other's answers, so that the link is not idle meanwhile. Once one
/// of them was not taken, no other leaves until all that have left are answered; then the first in the line goes alone.
struct DeliveryLine {
    private enum Stage {
        case waiting
        /// Handed to the transport, and not answered yet.
        case gone
        /// The transport did not take it.
        case returned
    }

    private var members: [(number: Int, stage: Stage)] = []
    private var lastNumber = 0

    /// A place at the end of the line, by a number that names it.
    mutating func join() -> Int {
        lastNumber += 1
        members.append((lastNumber, .waiting))
        return lastNumber
    }

    /// Whether this one may leave beside those before it, of which fewer than `limit` are on their way.
    func mayLeave(_ number: Int, among limit: Int) -> Bool {
        guard let place = place(of: number), place < limit else { return false }
        return members[..<place].allSatisfy { $0.stage == .gone }
    }

    /// Whether nothing is before this one, nor on its way.
    func isAlone(_ number: Int) -> Bool {
        place(of: number) == 0 && members.dropFirst().allSatisfy { $0.stage != .gone }
    }

    /// The transport has it.
    mutating func left(_ number: Int) { place(of: number).map { members[$0].stage = .gone } }

    /// The transport did not take it: it keeps its place.
    mutating func returned(_ number: Int) { place(of: number).map { members[$0].stage = .returned } }

    /// It is there, or given up.
    mutating func settled(_ number: Int) { members.removeAll { $0.number == number } }

    private func place(of number: Int) -> Int? { members.firstIndex { $0.number == number } }
}

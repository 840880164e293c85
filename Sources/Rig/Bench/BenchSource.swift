import RigModel

/// Gives benches to a run: named ones, or places that a coordinator lends.
package protocol BenchSource: Sendable {
    /// Takes a bench for this run alone, and waits until one is free.
    ///
    /// - Parameter excluded: The names of benches that the run has left out, because they do not work.
    /// - Returns: Nil if no more benches can become free.
    /// - Throws: ``RigFailure`` with the reason and what to do about it; `CancellationError`.
    func take(excluding excluded: Set<String>) async throws -> LentBench?

    /// Releases all benches. Nothing is lent after that.
    func close() async
}

/// A bench that a run has.
package struct LentBench: Sendable {
    package let address: BenchAddress
    /// Waits until the bench is no longer lent, without ``giveBack`` being called. Returns why:
    /// `its coordinator does not answer any more`.
    package let lost: @Sendable () async throws -> String
    /// Releases it. It is called once.
    package let giveBack: @Sendable () async -> Void
    /// Switches a board's power off and on again with 10 s between; nil if that is not possible.
    package var cyclePower: (@Sendable (_ board: BoardAddress) async throws -> Void)?

    package init(
        _ address: BenchAddress, lost: @escaping @Sendable () async throws -> String,
        giveBack: @escaping @Sendable () async -> Void,
        cyclePower: (@Sendable (_ board: BoardAddress) async throws -> Void)? = nil
    ) {
        self.address = address
        self.lost = lost
        self.giveBack = giveBack
        self.cyclePower = cyclePower
    }
}

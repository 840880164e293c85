import TestSupport
import Testing

@testable import HILPhone

@Suite struct ExtensionRelaunchTests {
    @Test("Pauses double up to ten seconds; a process that ran for ten seconds begins the count again", .covers("T6"))
    func pauses() {
        var ends = ExtensionRelaunches()
        var policy = ExtensionRelaunch()
        policy.limit = 9
        let pauses = (1...9).map { _ in ends.ended(after: .seconds(1), policy) }
        let expected: [Duration?] = [0, 1, 2, 4, 8, 10, 10, 10].map { .seconds($0) } + [nil]
        #expect(pauses == expected)
        #expect(ends.ended(after: .seconds(10), policy) == .zero)
        #expect(ends.ended(after: .zero, policy) == .seconds(1))
    }
}

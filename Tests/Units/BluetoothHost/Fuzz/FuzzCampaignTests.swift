import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Hostile peers of each layer of the phone's host")
struct FuzzCampaignTests {
    @Test(
        "Any packets in any state trap nothing, fill no memory and break no promise of the layer",
        arguments: FuzzedLayer.real)
    func layer(_ layer: FuzzedLayer) async {
        guard let finding = await FuzzCampaign(layer: layer).run() else { return }
        Issue.record(
            """
            \(layer), HIL_FUZZ_SEED=\(FuzzCampaign.seed), \(finding.course.steps.count) steps of the course with the seed \
            \(finding.course.seed): \(finding.course.steps)
            \(finding.lines.joined(separator: "\n"))
            """)
    }

    @Test("A campaign that fails, by a trap as well, ends with the shortest course")
    func shortens() async throws {
        var ends: Set<String?> = []
        for seed in 1...2 as ClosedRange<UInt64> {
            let finding = try #require(await FuzzCampaign(layer: .broken, seed: seed, steps: 3000).run())
            #expect(finding.course.steps.count == 2, "\(finding)")
            #expect(finding.lines.prefix(2) == ["7", "7"], "\(finding)")
            ends.insert(finding.lines.dropFirst(2).first)
        }
        // After a trap, the packet that led to it is the last line.
        #expect(ends == [nil, "the promise is broken"])
    }
}

/// It breaks at the second 7 that it hears.
struct BrokenMachine: FuzzedMachine {
    static let mustMeet: Set<String> = []
    let met: Set<String> = []
    var numbers = SeededNumbers(seed: 0)
    var log: FuzzLog?
    private let traps: Bool
    private var sevens = 0

    init(seed: UInt64) { traps = seed.isMultiple(of: 2) }

    mutating func step() -> String? {
        let number = chance(100)
        log?.add("\(number)")
        if number == 7 { sevens += 1 }
        guard sevens > 1 else { return nil }
        precondition(!traps, "trapped")
        return "the promise is broken"
    }
}

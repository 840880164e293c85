import BoardProtocol
import Foundation
import Testing

@testable import VirtualRig

struct AgentEndsTests {
    private func line(_ source: String, _ text: String) throws -> [UInt8] {
        Array(try JSONEncoder().encode(JournalLine(t: 1, source: source, line: text))) + [0x0A]
    }

    @Test("The agent's own first line about its end is the reason; others, and half a line, are not")
    func reason() throws {
        let end = "the agent ends: bluetoothd did not start"
        let before = try line("agent", "starting as accessory board") + line("bluetoothd", end)
        #expect(AgentEnds.reason(in: before) == nil)
        let all = try before + line("agent", end) + line("agent", "the agent ends: again")
        #expect(AgentEnds.reason(in: all) == end)
        #expect(AgentEnds.reason(in: Array("no JSON\n".utf8)) == nil)
        let half = try before + line("agent", end).dropLast(9)
        #expect(AgentEnds.reason(in: half) == nil)
    }

    @Test("A journal that comes later is read")
    func later() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/journal.jsonl"
            async let found = AgentEnds(journal: path).first()
            let text = try line("agent", "the agent ends: no bus")
            try Data(text).write(to: URL(fileURLWithPath: path))
            #expect(try await found == "the agent ends: no bus")
        }
    }
}

import BoardProtocol
import Foundation
import HILPOSIX

/// The lines of a board's journal with which its agent tells why it ends.
struct AgentEnds: Sendable {
    /// The path of the journal, a JSON object per line.
    let journal: String
    /// How often the file is read, which is on this machine.
    private static let period = Duration.milliseconds(100)
    /// The most bytes of the file that are read: a board that starts writes less.
    private static let limit = 1 << 18

    /// Waits for the first end, and returns its reason; nil if the journal grew too long for one.
    ///
    /// - Throws: `CancellationError`.
    func first() async throws -> String? {
        while true {
            let text = (try? Descriptor.open(journal, O_RDONLY).read(upTo: Self.limit)) ?? []
            if let reason = AgentEnds.reason(in: text) { return reason }
            guard text.count < Self.limit else { return nil }
            try await Task.sleep(for: Self.period)
        }
    }

    /// The reason in the first line of the agent that tells of its end.
    static func reason(in text: [UInt8]) -> String? {
        for line in text.split(separator: UInt8(ascii: "\n")) {
            guard let line = try? JSONDecoder().decode(JournalLine.self, from: Data(line)), line.source == "agent",
                line.line.hasPrefix(JournalLine.agentEnds)
            else { continue }
            return line.line
        }
        return nil
    }
}

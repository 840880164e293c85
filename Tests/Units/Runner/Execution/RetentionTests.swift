import Foundation
import HILPOSIX
import Testing

@testable import HILExecution

struct RetentionTests {
    private let parent = NSTemporaryDirectory() + "hil-retention-\(UUID().uuidString)"

    /// Five runs, the oldest first; the second is the newest in which something failed.
    private func makeRuns() throws -> [String] {
        let names = (1...5).map { "2026010\($0)-120000-abcd" }
        for (index, name) in names.enumerated() {
            try FileManager.default.createDirectory(atPath: "\(parent)/\(name)/s", withIntermediateDirectories: true)
            let verdict = index < 2 ? "failed" : "passed"
            let json = #"{"result":{"judgement":{"verdict":"\#(verdict)","failures":[]}}}"#
            try Data(json.utf8).write(to: URL(fileURLWithPath: "\(parent)/\(name)/s/verdict.json"))
            try Data(count: 1 << 20).write(to: URL(fileURLWithPath: "\(parent)/\(name)/s/capture.pcapng"))
            // A second hard link of a file needs no space.
            try FileManager.default.linkItem(
                atPath: "\(parent)/\(name)/s/capture.pcapng", toPath: "\(parent)/\(name)/attachment")
        }
        try FileManager.default.createDirectory(atPath: "\(parent)/mine", withIntermediateDirectories: true)
        return names
    }

    @Test("Old runs are removed by number, but not the newest, the newest failed one, a running one, or other folders")
    func number() throws {
        defer { try? FileManager.default.removeItem(atPath: parent) }
        let names = try makeRuns()
        let underWay = try Descriptor.open("\(parent)/\(names[2])", O_RDONLY | O_DIRECTORY)
        #expect(flock(underWay.raw, LOCK_EX | LOCK_NB) == 0)
        #expect(Retention(runs: 1, bytes: nil).apply(to: parent) == [names[3], names[0]])
        let left = try FileManager.default.contentsOfDirectory(atPath: parent).sorted()
        #expect(left == [names[1], names[2], names[4], "mine"])
    }

    @Test("Old runs are removed by size")
    func size() throws {
        defer { try? FileManager.default.removeItem(atPath: parent) }
        let names = try makeRuns()
        #expect(Retention(runs: nil, bytes: 10 << 20).apply(to: parent).isEmpty)
        #expect(Retention(runs: nil, bytes: 5 << 19).apply(to: parent) == [names[2], names[0]])
    }

    @Test("The limits are read as a person writes them")
    func limits() {
        #expect(Retention("20") == Retention(runs: 20, bytes: nil))
        #expect(Retention("500MiB") == Retention(runs: nil, bytes: 500 << 20))
        #expect(Retention("20,2GiB") == .standard)
        #expect(Retention("all") == Retention(runs: nil, bytes: nil))
        for text in ["", "0", "-1", "2 GiB", "20,", "99999999999"] { #expect(Retention(text) == nil, "\(text)") }
    }
}

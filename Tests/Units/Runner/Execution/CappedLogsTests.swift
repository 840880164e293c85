import BoardProtocol
import Foundation
import HIL
import HILRecord
import StubRig
import Testing

@testable import HILExecution

@Suite("The logs of an attempt and the folder of a run have a limit")
struct CappedLogsTests {
    private let folder = NSTemporaryDirectory() + "hil-logs-\(UUID().uuidString)"

    private func write(_ name: String, _ line: String, megabytes: Int = 1) throws {
        let path = "\(folder)/\(name)"
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        let lines = Data(Array(repeating: "\(line)\n", count: (megabytes << 20) / (line.utf8.count + 1)).joined().utf8)
        try lines.write(to: URL(fileURLWithPath: path))
    }

    @Test("What was cut is said in the file and in a warning, and in a journal by its own writer's line")
    func settle() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write("worker.log", "spam")
        try write("host/kernel.log", "short", megabytes: 0)
        try write("accessory/journal.jsonl", #"{"t":7,"source":"hostapd","line":"spam"}"#)
        try write("capture.pcapng", "not a log")
        let warnings = CappedLogs(folder: folder, limit: 64 << 10).settle()
        #expect(
            warnings.map(\.text) == [
                "worker.log was cut: only the beginning and end of its 1 MB are kept",
                "accessory/journal.jsonl was cut: only the beginning and end of its 1 MB are kept",
            ])
        let text = try String(contentsOfFile: "\(folder)/worker.log", encoding: .utf8)
        #expect(text.hasPrefix("spam\n") && text.hasSuffix("\nspam\n") && text.utf8.count < 65 << 10)
        #expect(
            text.contains(
                /\n\[98\d{4} bytes are left out here: only the beginning and end of a log are kept, 65536 bytes\]\n/))
        let journal = try JournalSplitter.split(in: "\(folder)/accessory", of: .accessory)
        #expect(journal.filter { $0.line.contains("left out here") }.map(\.source) == ["hostapd"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/capture.pcapng")).count > 1_000_000)
    }

    @Test("A worker that writes without end takes a bounded part of the disk, and its verdict says so")
    func worker() async throws {
        let test = try TestRun()
        let path = test.folder.path
        let record = try await test.perform { name, worker in
            guard name == "second" else { return worker.pass() }
            let line = Data(String(repeating: "x", count: 1 << 20).utf8) + Data("\n".utf8)
            let file =
                FileHandle(forWritingAtPath: "\(path)/second/worker.log")
                ?? {
                    _ = FileManager.default.createFile(atPath: "\(path)/second/worker.log", contents: nil)
                    return FileHandle(forWritingAtPath: "\(path)/second/worker.log")!
                }()
            for _ in 0..<12 { file.write(line) }
            worker.pass()
        }
        let cut = "worker.log was cut: only the beginning and end of its 12 MB"
        #expect(record["second"]?.result?.warnings?.map(\.text).contains { $0.hasPrefix(cut) } == true)
        #expect(record["first"]?.result?.warnings?.contains { $0.text.contains("was cut") } != true)
        let size = try FileManager.default.attributesOfItem(atPath: "\(path)/second/worker.log")[.size] as? Int
        #expect((size ?? .max) < 9 << 20)
    }

    @Test("Beyond its limit a run keeps nothing of what passed, and of what failed all but the boards")
    func budget() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let budget = FolderBudget(3 << 20)
        func attempt(_ failures: [Failure]) -> AttemptResult {
            AttemptResult(Judgement(failures), seconds: 1, evidence: ["story.txt"], boards: "rig.snapshot")
        }
        func took(_ name: String, _ failures: [Failure]) throws -> (AttemptResult, [String]) {
            for file in ["story.txt", "rig.snapshot/memory"] { try write("\(name)/\(file)", "x") }
            let place = "\(folder)/\(name)"
            let kept = budget.take([attempt(failures)], in: place, isGood: failures.isEmpty)
            return (kept[0], try FileManager.default.contentsOfDirectory(atPath: place).sorted())
        }
        let first = try took("first", [])
        #expect(first.0.evidence == ["story.txt"] && first.1 == ["rig.snapshot", "story.txt"])
        let second = try took("second", [])
        #expect(second.0.evidence == [] && second.0.boards == nil && second.1 == [])
        #expect(second.0.missing == ["all of it: the run's folder has reached 3 MiB (--keep sets another limit)"])
        let third = try took("third", [Failure(.product, "wrong")])
        #expect(third.0.evidence == ["story.txt"] && third.0.boards == nil && third.1 == ["story.txt"])
        #expect(third.0.missing.first?.hasPrefix("both boards as they were: the run's folder has") == true)
    }
}

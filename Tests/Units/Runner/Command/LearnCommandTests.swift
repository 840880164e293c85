import Foundation
import TestSupport
import Testing

@testable import HILCommand

@Suite("hil learn")
struct LearnCommandTests {
    private func learn(to out: String) async throws {
        var request = Request.Learning()
        request.captures = [fixture("Captures/bumble-central.btsnoop")]
        request.out = out
        try await LearnCommand(request: request, results: "/nonexistent", say: { _ in }, note: { _ in }).run()
    }

    @Test("replaces an earlier personality, also behind a link, and no other file")
    func out() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hil-learn-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (phone, link, work) = ("\(folder)/Phone.swift", "\(folder)/Link.swift", "\(folder)/Work.swift")
        try await learn(to: phone)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: phone)
        try await learn(to: link)
        #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == phone)
        try Data("let mine = 1".utf8).write(to: URL(fileURLWithPath: work))
        for taken in [work, folder, "/dev/null"] {
            let error = await #expect(throws: UsageError.self) { try await learn(to: taken) }
            #expect(error?.description.contains("was not written by `hil learn`") == true)
        }
        #expect(try String(contentsOfFile: work, encoding: .utf8) == "let mine = 1")
        let nowhere = await #expect(throws: UsageError.self) { try await learn(to: "\(folder)/none/Phone.swift") }
        #expect(nowhere?.description.contains("is its folder there") == true)
    }

    @Test("writes no JSON into a file of Swift")
    func json() {
        let error = #expect(throws: UsageError.self) {
            try Arguments.parse(["learn", "a.pklg", "--out", "A.swift", "--format", "json"])
        }
        #expect(error?.description.contains("> FILE") == true)
    }
}

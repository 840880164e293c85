import Foundation
import HILRecord
import TestSupport
import Testing

@testable import HIL

/// An error that ends a scenario points at the line that threw it.
@Suite("Where an error was thrown", .serialized)
struct ThrowSitesTests {
    private struct Broken: Error {}

    private static let line = #line + 1
    private static func helper() throws { throw Broken() }

    private static let lineAfterWait = #line + 3
    private static func waitingHelper() async throws {
        try await Task.sleep(for: .milliseconds(1))
        throw Broken()
    }

    private static let lineOfDecoder = #line + 2
    private static func decodingHelper() async throws {
        _ = try JSONDecoder().decode([Int].self, from: Data("{}".utf8))
    }

    /// - Parameter package: By default this checkout, whose tests are a team's own sources here.
    private static func site(in package: String = checkout, _ body: () async throws -> Void) async -> HILRecord
        .SourceLocation?
    {
        // Of this process the testing library loses the backtraces of errors, which nobody reads here.
        ThrowSites.watch()
        do { try await body() } catch { return await ThrowSites.location(of: error, in: package) }
        return nil
    }

    @Test("is a helper's line, however it is reached")
    func helpers() async throws {
        let thrown = try #require(await Self.site { try Self.helper() })
        #expect(thrown.path == #filePath && thrown.line == Self.line, "\(thrown)")
        let afterWait = try #require(await Self.site { try await Self.waitingHelper() })
        #expect(afterWait.line == Self.lineAfterWait, "\(afterWait)")
        let passedOn = try #require(await Self.site { try await Task { try Self.helper() }.value })
        #expect(passedOn.line == Self.line, "\(passedOn)")
    }

    @Test("is not where the harness passes it on")
    func passedOn() async throws {
        // The recorder's line is no team's own: it throws again what the helper threw.
        let recorder = ScenarioRecorder { _ in }
        let here = HILRecord.SourceLocation(file: "Tests/Here.swift", path: "/Tests/Here.swift", line: 1)
        let thrown = try #require(
            await Self.site { try await recorder.call(at: here) { try await Self.waitingHelper() } })
        #expect(thrown.line == Self.lineAfterWait, "\(thrown)")
    }

    @Test("is the team's own line above a library's")
    func library() async throws {
        let thrown = try #require(await Self.site { try await Self.decodingHelper() })
        #expect(thrown.line == Self.lineOfDecoder, "\(thrown)")
    }

    @Test("is not known of another package's sources")
    func elsewhere() async { #expect(await Self.site(in: "/nowhere") { try Self.helper() } == nil) }
}

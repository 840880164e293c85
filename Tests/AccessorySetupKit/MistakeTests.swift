import AccessorySetupKit
import CoreBluetooth
import Phone
import RuleCoverage
import Testing

/// Mistakes of the guide to AccessorySetupKit that can be seen while the app runs.
@Suite(.timeLimit(.minutes(1))) struct MistakeTests {
    @Test(
        "A session that is used before its activation, or activated twice, is a warning that says what to call",
        .covers("K16"))
    func activation() async throws {
        let stand = try await Stand()
        let early = stand.phone.asCurrent { ASAccessorySession() }
        try stand.show(early, [stand.item()])
        #expect(stand.phone.warnings.map(\.rule) == ["K16"])
        #expect(stand.phone.warnings[0].text.contains("activate(on:eventHandler:)"))
        early.activate(on: stand.queue) { _ in }
        early.activate(on: stand.queue) { _ in }
        #expect(stand.phone.warnings.map(\.rule) == ["K16", "K16"])
    }

    @Test("A session that is used after its end is a warning that says to make another", .covers("K8"))
    func invalidated() async throws {
        let stand = try await Stand()
        let session = stand.session()
        session.invalidate()
        try stand.show(session, [stand.item()])
        #expect(try await stand.told(until: "invalidated").contains("activated"))
        #expect(stand.phone.warnings.map(\.rule) == ["K8"])
        #expect(stand.phone.warnings[0].text.contains("make a new one"))
    }

    @Test("An app that does as it should is warned of nothing")
    func none() async throws {
        let stand = try await Stand()
        stand.addDie()
        let session = stand.session()
        try stand.show(session, [stand.item()])
        _ = try await stand.told(until: "done")
        session.invalidate()
        #expect(stand.phone.warnings.isEmpty)
    }
}

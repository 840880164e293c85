import HILTiming
import HostRadio
import TestSupport
import Testing

@testable import HILPhone
@testable import Network

/// What becomes of the connections of an app that is suspended.
@Suite("NWConnection of a suspended app")
struct SuspendedConnectionTests {
    typealias Stand = NWConnectionTests.Stand

    @Test("It ends with ECONNABORTED, which the app hears when it is awake again", .covers("W20"))
    func ends() async throws {
        let stand = try await Stand()
        try await stand.join()
        let connection = stand.connection()
        try await stand.expect(.state(.preparing), .state(.ready), .viable(true))
        let host = try await stand.host()
        stand.receive(connection)
        stand.phone.suspendApp()
        try await host.closings.wait(for: "the end of the connection") { host.isClosed }
        #expect(stand.log.count == 3, "a suspended app hears nothing")
        stand.phone.resumeApp()
        try await stand.wait(for: 5)
        #expect(stand.log.events.contains(.state(.failed(.posix(.ECONNABORTED)))))
        #expect(stand.log.events.contains(.received(nil, isComplete: false, .posix(.ECONNABORTED))))
    }

    @Test("By a policy it stays, and its data waits for the app", .covers("W20"))
    func stays() async throws {
        let stand = try await Stand()
        stand.phone.policy.closesSocketsOfSuspendedApps = false
        try await stand.join()
        let connection = stand.connection()
        try await stand.expect(.state(.preparing), .state(.ready), .viable(true))
        stand.receive(connection)
        stand.phone.suspendApp()
        try await stand.host().deliver(Data("on".utf8))
        stand.phone.resumeApp()
        try await stand.expect(
            .state(.preparing), .state(.ready), .viable(true), .received(Data("on".utf8), isComplete: false, nil))
    }

    @Test("A new connection works after that", .covers("W20"))
    func opensAgain() async throws {
        let stand = try await Stand()
        try await stand.join()
        stand.connection()
        try await stand.wait(for: 3)
        stand.phone.suspendApp()
        stand.phone.resumeApp()
        try await stand.wait(for: 4)
        stand.connection()
        try await stand.wait(for: 7)
        #expect(stand.log.events.suffix(2) == [.state(.ready), .viable(true)])
    }
}

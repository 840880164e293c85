import HILTiming
import HILURLLoading
import TestSupport
import Testing

@testable import HILPhone

/// Requests before the person has answered, connections that are kept, and an app that is suspended.
extension URLLoadingTests {
    private func asked(_ stand: Stand) async throws {
        _ = try await stand.phone.log.first(within: .seconds(20), waitingFor: "the person to be asked") {
            if case .screen(let screen?) = $0.kind { screen.kind == .localNetworkPermission } else { false }
        }
    }

    @Test(
        "The first request asks the person and fails at once; the next one after the answer succeeds",
        .covers("W8", "W13"))
    func firstFails() async throws {
        let stand = try await Stand(mayUseNetwork: nil)
        stand.phone.policy.asksForAddresses = true
        await stand.joinWithPage()
        stand.phone.person.isWilling = false
        #expect(await Self.code(of: "http://192.0.2.1/") == .notConnectedToInternet)
        try await asked(stand)
        #expect(stand.notes.contains { $0.contains("before the person has answered") })
        #expect(stand.streams.events.isEmpty)
        stand.phone.person.will(.allow)
        _ = try await stand.phone.log.first(within: .seconds(20), waitingFor: "the answer") {
            if case .note("local network", _) = $0.kind { true } else { false }
        }
        #expect(await Self.code(of: "http://192.0.2.1/") == nil)
    }

    @Test(
        "A session that waits for connectivity, or a policy, waits for the answer", .covers("W8"),
        arguments: [true, false])
    func waits(byPolicy: Bool) async throws {
        let stand = try await Stand(mayUseNetwork: nil)
        stand.phone.policy.asksForAddresses = true
        stand.phone.policy.requestsWaitForLocalNetworkPermission = byPolicy
        await stand.joinWithPage()
        stand.phone.person.isWilling = false
        let configuration = URLSessionConfiguration.ephemeral
        if !byPolicy { configuration.waitsForConnectivity = true }
        async let page = URLSession(configuration: configuration).data(from: URL(string: "http://192.0.2.1/")!)
        try await asked(stand)
        stand.phone.person.will(.allow)
        #expect(try await page.0 == Data("on".utf8))
    }

    @Test("A session keeps its connection for the next request", .covers("W13"))
    func keepsConnections() async throws {
        let stand = try await Stand()
        await stand.join { heard, stream in
            guard heard.hasSuffix("\r\n\r\n") else { return }
            stream.deliver(Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\non".utf8))
        }
        let session = Self.session()
        for _ in 1...3 {
            #expect(try await session.data(from: URL(string: "http://192.0.2.1/")!).0 == Data("on".utf8))
        }
        #expect(stand.streams.events.count == 1)
    }

    @Test("A kept connection that ended while the app was suspended is replaced", .covers("W13", "W20"))
    func replacesConnections() async throws {
        let stand = try await Stand()
        await stand.joinWithPage()
        let session = Self.session()
        let url = URL(string: "http://192.0.2.1/")!
        #expect(try await session.data(from: url).0 == Data("on".utf8))
        stand.phone.suspendApp()
        let stream = try #require(stand.streams.events.first)
        try await stream.closings.wait(for: "the end of the connection") { stream.isClosed }
        stand.phone.resumeApp()
        #expect(try await session.data(from: url).0 == Data("on".utf8))
        #expect(stand.streams.events.count == 2)
    }
}

import Glibc
import HILPOSIX
import HILTiming
import HILURLLoading
import HostRadio
import RadioModel
import Synchronization
import TestSupport
import Testing

@testable import HILPhone

/// One after the other: a process has one phone that its URL sessions belong to.
@Suite("URLSession on the phone", .serialized, .timeLimit(.minutes(2)))
struct URLLoadingTests {
    /// An app without any code of its own.
    final class App: AppUnderTest {
        static let bundle = AppBundle(identifier: "com.example.gadgets", folder: fixture("GadgetApp"))
        init() {}
    }

    /// An app that may speak HTTP with names that end with `.local`.
    final class LocalApp: AppUnderTest {
        static let bundle = AppBundle(
            identifier: "com.example.gadgets.local",
            infoPlist: fixture("GadgetApp/LocalNetworking.plist"),
            resources: fixture("GadgetApp"))
        init() {}
    }

    /// A phone on a network whose router is a host that answers as `answer` says.
    final class Stand: Sendable {
        let radio = InMemoryRadio()
        let phone: Phone
        /// What the host was asked, and the port.
        let asked = Mutex<[(UInt16, String)]>([])
        let streams = EventLog<InMemoryStream>()

        /// - Parameter mayUseNetwork: The person's answer to the app; nil if they were not asked yet.
        init<Launched: AppUnderTest>(_ app: Launched.Type = App.self, mayUseNetwork: Bool? = true) async throws {
            phone = Phone(radio: radio)
            phone.becomeCurrent()
            _ = try await phone.launch(app)
            if let mayUseNetwork { phone.localNetworkAccess.set(mayUseNetwork, for: app.bundle.identifier) }
        }

        /// - Parameter answer: Called with all that the phone has sent so far, and the stream; nil to refuse connections.
        func join(
            _ answer: (@Sendable (String, InMemoryStream) -> Void)?, beforeStream: (@Sendable () async -> Void)? = nil
        ) async {
            var network = InMemoryRadio.Network(
                WiFiNetwork(
                    ssid: "Lamp 7", bssid: DeviceAddress("02:00:00:00:00:09")!, frequency: 2412, signal: -40,
                    security: .open))
            if let answer {
                network.onStream = { [self] stream in
                    streams.append(stream)
                    let heard = Mutex("")
                    stream.onSend { [self] bytes, _ in
                        let all = heard.withLock { heard in
                            heard += String(decoding: bytes, as: UTF8.self)
                            return heard
                        }
                        asked.withLock { $0.append((stream.port, all)) }
                        answer(all, stream)
                    }
                }
            }
            network.beforeStream = beforeStream
            radio.add(network)
            let (wifi, request) = (phone.network, HotspotRequest(name: .exact("Lamp 7")))
            let outcome = await withCheckedContinuation { (answer: CheckedContinuation<HotspotFailure?, Never>) in
                wifi.apply(request) { answer.resume(returning: $0) }
            }
            #expect(outcome == nil)
        }

        /// Joins a network whose router answers each request with a page.
        func joinWithPage(_ page: String = "on") async {
            await join { heard, stream in
                guard heard.hasSuffix("\r\n\r\n") else { return }
                stream.deliver(Data("HTTP/1.1 200 OK\r\nContent-Length: \(page.utf8.count)\r\n\r\n\(page)".utf8))
            }
        }

        var notes: [String] {
            phone.log.events.compactMap { if case .note("URLSession", let text) = $0.kind { text } else { nil } }
        }

        var warnings: [String] {
            phone.log.events.compactMap { if case .warning(let rule, _) = $0.kind { rule } else { nil } }
        }
    }

    /// A session of its own, whose connections no other test uses.
    static func session() -> URLSession { URLSession(configuration: .ephemeral) }

    private static func code(of request: URLRequest) async -> URLError.Code? {
        do {
            _ = try await session().data(for: request)
            return nil
        } catch { return (error as? URLError)?.code }
    }

    static func code(of url: String) async -> URLError.Code? {
        await code(of: URLRequest(url: URL(string: url)!))
    }

    @Test("A page is loaded over the phone's network, by address, port and path", .covers("W13"))
    func page() async throws {
        let stand = try await Stand()
        await stand.joinWithPage()
        let (data, response) = try await Self.session().data(from: URL(string: "http://192.0.2.1:8080/status?x=1")!)
        #expect(data == Data("on".utf8))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        let (port, request) = try #require(stand.asked.withLock { $0 }.first)
        #expect(port == 8080)
        #expect(request.hasPrefix("GET /status?x=1 HTTP/1.1\r\nHost: 192.0.2.1:8080\r\n"))
        let (shared, _) = try await URLSession.shared.data(from: URL(string: "http://192.0.2.1/")!)
        #expect(shared == Data("on".utf8))
    }

    @Test("Much data goes in both directions", .covers("W13"))
    func much() async throws {
        let stand = try await Stand()
        let body = String(repeating: "0123456789abcdef", count: 50_000)
        await stand.join { heard, stream in
            guard let end = heard.range(of: "\r\n\r\n"),
                heard.utf8.count
                    - heard.utf8.distance(
                        from: heard.startIndex, to: end.upperBound) == body.utf8.count
            else { return }
            stream.deliver(Data("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8))
            stream.deliver(Data(heard[end.upperBound...].utf8))
            stream.end()
        }
        var request = URLRequest(url: URL(string: "http://192.0.2.1/")!)
        request.httpMethod = "POST"
        // Without it, libcurl asks whether to send so much, and waits a second for an answer.
        request.setValue("", forHTTPHeaderField: "Expect")
        let (data, _) = try await Self.session().upload(for: request, from: Data(body.utf8))
        #expect(data == Data(body.utf8))
        #expect(stand.streams.events.count == 1)
    }

    @Test("Without a network there is no internet; a host that refuses cannot be connected to", .covers("W13"))
    func unreachable() async throws {
        let stand = try await Stand()
        #expect(await Self.code(of: "http://192.0.2.1/") == .notConnectedToInternet)
        await stand.join(nil)
        #expect(await Self.code(of: "http://192.0.2.1/") == .cannotConnectToHost)
        #expect(await Self.code(of: "http://[fe80::1]/") != nil)
        #expect(stand.notes.count >= 2)
        #expect(stand.notes.first?.hasPrefix("192.0.2.1:80 is not reached: POSIXErrorCode") == true)
    }

    @Test("A configuration that waits for connectivity lets a request wait for a network", .covers("W13"))
    func waiting() async throws {
        let stand = try await Stand()
        let configuration = URLSessionConfiguration.ephemeral
        #expect(!configuration.waitsForConnectivity)
        configuration.waitsForConnectivity = true
        let session = URLSession(configuration: configuration)
        #expect(session.configuration.waitsForConnectivity)
        async let page = session.data(from: URL(string: "http://192.0.2.1/")!)
        _ = try await stand.phone.log.first(within: .seconds(20), waitingFor: "the request") {
            if case .note("URLSession", _) = $0.kind { true } else { false }
        }
        await stand.joinWithPage()
        #expect(try await page.0 == Data("on".utf8))
    }

    @Test("A request that gives up before the host is reached ends the attempt", .covers("W13"))
    func impatient() async throws {
        let stand = try await Stand()
        let (release, gate) = AsyncStream<Never>.makeStream()
        await stand.join({ _, _ in }, beforeStream: { for await _ in release {} })
        var request = URLRequest(url: URL(string: "http://192.0.2.1/")!)
        request.timeoutInterval = 1
        #expect(await Self.code(of: request) == .timedOut)
        gate.finish()
        let stream = try await stand.streams.first(within: .seconds(20), waitingFor: "the late connection").event
        try await stream.closings.wait(for: "the end of the connection") { stream.isClosed }
    }

    @Test("What Apple's configurations have besides is kept")
    func settings() throws {
        let configuration = URLSessionConfiguration.default
        #expect(configuration.allowsExpensiveNetworkAccess && configuration.allowsConstrainedNetworkAccess)
        configuration.allowsExpensiveNetworkAccess = false
        let copy = try #require(configuration.copy() as? URLSessionConfiguration)
        #expect(!copy.allowsExpensiveNetworkAccess && copy.allowsConstrainedNetworkAccess)
    }

    @Test("A host that does not answer is a timeout, of the request's own length", .covers("W13"))
    func silent() async throws {
        let stand = try await Stand()
        await stand.join { _, _ in }
        var request = URLRequest(url: URL(string: "http://192.0.2.1/")!)
        request.timeoutInterval = 1
        #expect(await Self.code(of: request) == .timedOut)
        // The session has closed its connection.
        let stream = try #require(stand.streams.events.first)
        try await stream.closings.wait(for: "the end of the connection") { stream.isClosed }
    }

    @Test("A host that is lost in the middle of its answer is an error", .covers("W13"))
    func lost() async throws {
        let stand = try await Stand()
        await stand.join { _, stream in
            stream.deliver(Data("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly".utf8))
            stream.fail()
        }
        #expect(await Self.code(of: "http://192.0.2.1/") == .networkConnectionLost)
    }

    @Test(
        "An answer that only the end of the connection ends is not taken for whole when its host is lost",
        .covers("W13"))
    func lostWithoutLength() async throws {
        let stand = try await Stand()
        await stand.join { _, stream in
            stream.deliver(Data("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nonly".utf8))
        }
        var request = URLRequest(url: URL(string: "http://192.0.2.1/")!)
        request.timeoutInterval = 1
        let listener = Listener()
        let session = URLSession(configuration: .ephemeral, delegate: listener, delegateQueue: nil)
        session.dataTask(with: request).resume()
        _ = try await listener.received.first(within: .seconds(20), waitingFor: "the part that comes")
        stand.streams.events.first?.fail()
        let outcome = try await listener.ended.first(within: .seconds(20), waitingFor: "the end").event
        #expect(outcome == .timedOut)
        #expect(stand.notes.first?.hasPrefix("192.0.2.1:80 was lost: POSIXErrorCode") == true)
    }

    /// Records what a session tells of a task.
    private final class Listener: NSObject, URLSessionDataDelegate {
        let received = EventLog<Data>()
        let ended = EventLog<URLError.Code?>()

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            received.append(data)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            ended.append((error as? URLError)?.code)
        }
    }

    @Test("A name with a dot before local needs NSAllowsLocalNetworking for HTTP", .covers("W14"))
    func plainHTTP() async throws {
        let strict = try await Stand()
        strict.radio.addHost("lamp.local")
        await strict.joinWithPage()
        #expect(await Self.code(of: "http://lamp.local/") == .networkConnectionLost)
        #expect(strict.streams.events.isEmpty)
        #expect(strict.warnings == ["W14"])

        let open = try await Stand(LocalApp.self)
        open.radio.addHost("lamp.local")
        await open.joinWithPage()
        #expect(await Self.code(of: "http://lamp.local/") == nil)
        #expect(open.warnings.isEmpty)
    }

    @Test("TLS needs no exception", .covers("W14"))
    func tls() async throws {
        let stand = try await Stand()
        stand.radio.addHost("lamp.local")
        await stand.join { _, stream in stream.end() }
        #expect(await Self.code(of: "https://lamp.local/") != nil)
        #expect(stand.streams.events.map(\.port) == [443])
        #expect(stand.warnings.isEmpty)
    }

    @Test("An app that has ended hears nothing more, and its connections to hosts are closed", .covers("W13"))
    func endedApp() async throws {
        let stand = try await Stand()
        await stand.join { _, _ in }
        let outcome = Mutex<String?>(nil)
        let task = Self.session().dataTask(with: URL(string: "http://192.0.2.1/")!) { _, _, error in
            outcome.withLock { $0 = "\(String(describing: error))" }
        }
        task.resume()
        let stream = try await stand.streams.first(within: .seconds(20), waitingFor: "a connection").event
        stand.phone.terminateApp()
        try await stream.closings.wait(for: "the end of the connection") { stream.isClosed }
        #expect(outcome.withLock { $0 } == nil)
        task.cancel()
    }

    @Test("A program that this process starts keeps its own way to the network")
    func programs() async throws {
        _ = try await Stand()
        #expect(getenv("all_proxy").map { String(cString: $0) }?.hasPrefix("socks5h://localhost/proc/self/fd/") == true)
        let (read, write) = try Descriptor.pipe()
        let child = try ChildProcess.spawn(
            ["sh", "-c", "printf %s \"$all_proxy$http_proxy$no_proxy\""], streams: [.null, .descriptor(write)])
        write.close()
        #expect(!String(decoding: try read.read(), as: UTF8.self).contains("/proc/self/fd/"))
        _ = await child.wait()
    }
}

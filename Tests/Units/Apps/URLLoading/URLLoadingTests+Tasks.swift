import HILTiming
import Synchronization
import TestSupport
import Testing

@testable import HILPhone
@testable import HILURLLoading

/// Tasks with a closure or a delegate: on the phone's network like asynchronous calls, with the same codes.
extension URLLoadingTests {
    /// How an app makes a request.
    enum Way: String, CaseIterable, CustomTestStringConvertible {
        case asynchronous, closure, delegate, taskOfSharedSession, upload, download

        var testDescription: String { rawValue }

        /// The shared session lives longer than a test: each of its requests goes to a port of its own.
        private static let ports = Atomic<Int>(8000)

        /// Loads a page, and returns its text, or the code of the error.
        func load(_ request: URLRequest) async -> Outcome {
            var request = request
            if self == .taskOfSharedSession {
                let port = Self.ports.add(1, ordering: .relaxed).newValue
                request.url = URL(string: "http://192.0.2.1:\(port)/")
            }
            return await load(unshared: request)
        }

        private func load(unshared request: URLRequest) async -> Outcome {
            switch self {
            case .asynchronous:
                do {
                    let (data, _) = try await URLLoadingTests.session().data(for: request)
                    return .page(String(decoding: data, as: UTF8.self))
                } catch { return .failed((error as? URLError)?.code) }
            case .closure, .taskOfSharedSession:
                let session = self == .closure ? URLLoadingTests.session() : .shared
                return await outcome { done in
                    session.dataTask(with: request) { data, _, error in done(data, error) }
                }
            case .upload:
                var request = request
                request.httpMethod = "POST"
                return await outcome { [request] done in
                    URLLoadingTests.session().uploadTask(with: request, from: Data("x".utf8)) { data, _, error in
                        done(data, error)
                    }
                }
            case .download:
                return await outcome { done in
                    URLLoadingTests.session().downloadTask(with: request) { file, _, error in
                        done(file.flatMap { try? Data(contentsOf: $0) }, error)
                    }
                }
            case .delegate:
                let delegate = TaskDelegate()
                URLSession(configuration: .default, delegate: delegate, delegateQueue: nil).dataTask(with: request)
                    .resume()
                return (try? await delegate.outcome()) ?? .failed(nil)
            }
        }

        private func outcome(
            _ make: (@escaping @Sendable (Data?, (any Error)?) -> Void) -> URLSessionTask
        ) async -> Outcome {
            await withCheckedContinuation { answer in
                make { data, error in
                    let page = data.map { String(decoding: $0, as: UTF8.self) } ?? ""
                    answer.resume(returning: error.map { .failed(($0 as? URLError)?.code) } ?? .page(page))
                }.resume()
            }
        }
    }

    enum Outcome: Sendable, Equatable {
        case page(String)
        case failed(URLError.Code?)
    }

    /// Records what a session tells of its tasks.
    final class TaskDelegate: NSObject, URLSessionDataDelegate {
        enum Call: Sendable, Equatable {
            case redirected(String?)
            case received(Data)
            case ended(URLError.Code?)
        }

        let calls = EventLog<Call>()
        private let follows: Bool

        /// - Parameter follows: Whether it lets the session follow redirects.
        init(follows: Bool = true) { self.follows = follows }

        func outcome() async throws -> Outcome {
            let end = try await calls.first(within: .seconds(20), waitingFor: "the end of the task") {
                if case .ended = $0 { true } else { false }
            }.event
            if case .ended(let code?) = end { return .failed(code) }
            let page = calls.events.reduce(into: Data()) { if case .received(let data) = $1 { $0 += data } }
            return .page(String(decoding: page, as: UTF8.self))
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            calls.append(.redirected(request.url?.absoluteString))
            completionHandler(follows ? request : nil)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            calls.append(.received(data))
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            calls.append(.ended((error as? URLError)?.code))
        }
    }

    private static func request(_ url: String = "http://192.0.2.1/", within seconds: TimeInterval = 60) -> URLRequest {
        var request = URLRequest(url: URL(string: url)!)
        request.timeoutInterval = seconds
        return request
    }

    @Test("A page is loaded in each way", .covers("W13"), arguments: Way.allCases)
    func page(_ way: Way) async throws {
        let stand = try await Stand()
        await stand.join { heard, stream in
            guard heard.hasSuffix(heard.hasPrefix("POST") ? "\r\n\r\nx" : "\r\n\r\n") else { return }
            stream.deliver(Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\non".utf8))
        }
        #expect(await way.load(Self.request()) == .page("on"))
        #expect(stand.asked.withLock { $0.count } > 0)
    }

    @Test("Errors have an iPhone's codes in each way", .covers("W13"), arguments: Way.allCases)
    func codes(_ way: Way) async throws {
        let offline = try await Stand()
        #expect(await way.load(Self.request()) == .failed(.notConnectedToInternet))
        await offline.join(nil)
        #expect(await way.load(Self.request()) == .failed(.cannotConnectToHost))

        let lost = try await Stand()
        await lost.join { _, stream in
            stream.deliver(Data("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly".utf8))
            stream.fail()
        }
        #expect(await way.load(Self.request()) == .failed(.networkConnectionLost))

        let silent = try await Stand()
        await silent.join { _, _ in }
        #expect(await way.load(Self.request(within: 1)) == .failed(.timedOut))
    }

    @Test(
        "A host that ends the connection without an answer has lost it", .covers("W13"),
        arguments: [Way.asynchronous, .closure, .delegate])
    func ended(_ way: Way) async throws {
        let stand = try await Stand()
        await stand.join { _, stream in stream.end() }
        #expect(await way.load(Self.request()) == .failed(.networkConnectionLost))
    }

    @Test("Without permission for the local network there is none, in each way", .covers("W8"), arguments: Way.allCases)
    func refused(_ way: Way) async throws {
        let stand = try await Stand(mayUseNetwork: false)
        stand.phone.policy.asksForAddresses = true
        await stand.joinWithPage()
        #expect(await way.load(Self.request()) == .failed(.notConnectedToInternet))
    }

    @Test("A cancelled task is cancelled, not lost", .covers("W13"))
    func cancelled() async throws {
        let stand = try await Stand()
        await stand.join { _, _ in }
        let delegate = TaskDelegate()
        let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
        let task = session.dataTask(with: Self.request())
        task.resume()
        _ = try await stand.streams.first(within: .seconds(20), waitingFor: "the connection")
        task.cancel()
        #expect(try await delegate.outcome() == .failed(.cancelled))
    }

    @Test("A task that is cancelled just as it ends tells of one end", .covers("W13"))
    func cancelledAtItsEnd() throws {
        let client = EndCounter()
        let task = Self.session().dataTask(with: Self.request())
        let loading = ExplainedLoading(task: task, cachedResponse: nil, client: client)
        for _ in 0..<2 { loading.client?.urlProtocol(loading, didFailWithError: URLError(.cancelled)) }
        loading.client?.urlProtocolDidFinishLoading(loading)
        #expect(client.ends == 1)
    }

    /// A host that sends `/` on to `/page`.
    private func redirecting() async throws -> Stand {
        let stand = try await Stand()
        await stand.join { heard, stream in
            guard heard.hasSuffix("\r\n\r\n") else { return }
            let isFirst = heard.components(separatedBy: "GET ").last?.hasPrefix("/ ") ?? false
            let answer =
                isFirst
                ? "302 Found\r\nLocation: http://192.0.2.1/page\r\nContent-Length: 0\r\n\r\n"
                : "200 OK\r\nContent-Length: 2\r\n\r\non"
            stream.deliver(Data("HTTP/1.1 \(answer)".utf8))
        }
        return stand
    }

    @Test(
        "A redirect is followed over the phone's network, and a delegate may refuse it", .covers("W13"),
        arguments: [true, false])
    func redirects(follows: Bool) async throws {
        let stand = try await redirecting()
        let delegate = TaskDelegate(follows: follows)
        let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
        session.dataTask(with: Self.request()).resume()
        #expect(try await delegate.outcome() == .page(follows ? "on" : ""))
        #expect(delegate.calls.events.first == .redirected("http://192.0.2.1/page"))
        #expect(stand.asked.withLock { $0.last?.1.contains("GET /page ") } == follows)
        if follows { #expect(await Way.closure.load(Self.request()) == .page("on")) }
    }

    @Test("An error after a redirect is that of the second host", .covers("W13"))
    func redirectedAway() async throws {
        let stand = try await Stand()
        await stand.join { heard, stream in
            guard heard.hasSuffix("\r\n\r\n") else { return }
            stream.deliver(
                Data("HTTP/1.1 302 Found\r\nLocation: http://lamp.local/\r\nContent-Length: 0\r\n\r\n".utf8))
        }
        // Blocked before it is sent (W14).
        #expect(await Way.closure.load(Self.request()) == .failed(.networkConnectionLost))
        #expect(stand.warnings == ["W14"])
    }

    @Test("Tasks with closures keep the connection of their session", .covers("W13"))
    func keepsConnectionOfTasks() async throws {
        let stand = try await Stand()
        await stand.joinWithPage()
        let session = Self.session()
        for _ in 1...3 {
            let page = await withCheckedContinuation { answer in
                session.dataTask(with: Self.request()) { data, _, _ in answer.resume(returning: data) }.resume()
            }
            #expect(page == Data("on".utf8))
        }
        #expect(stand.streams.events.count == 1)
    }

    @Test("A task that is suspended and resumed ends once", .covers("W13"))
    func suspended() async throws {
        let stand = try await Stand()
        await stand.joinWithPage()
        let delegate = TaskDelegate()
        let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
        let task = session.dataTask(with: Self.request())
        task.resume()
        task.suspend()
        task.resume()
        #expect(try await delegate.outcome() == .page("on"))
    }

    @Test("A protocol of the app comes before the phone's network")
    func ownProtocols() async throws {
        _ = try await Stand()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [CannedLoading.self] + (configuration.protocolClasses ?? [])
        let page = await withCheckedContinuation { answer in
            URLSession(configuration: configuration).dataTask(with: Self.request()) { data, _, _ in
                answer.resume(returning: data)
            }.resume()
        }
        #expect(page == Data("canned".utf8))
    }

    /// Answers each request by itself, as an app's tests do.
    final class CannedLoading: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { true }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            guard let url = request.url,
                let response = HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
            else { return }
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data("canned".utf8))
            client?.urlProtocolDidFinishLoading(self)
        }

        override func stopLoading() {}
    }
}

/// Counts the ends of which a protocol tells.
private final class EndCounter: NSObject, URLProtocolClient, @unchecked Sendable {
    // Unchecked because the protocol of Foundation is not Sendable. One test uses it, on one thread.
    private(set) var ends = 0

    func urlProtocol(_ loading: URLProtocol, didFailWithError error: any Error) { ends += 1 }
    func urlProtocolDidFinishLoading(_ loading: URLProtocol) { ends += 1 }
    func urlProtocol(_: URLProtocol, wasRedirectedTo _: URLRequest, redirectResponse _: URLResponse) {}
    func urlProtocol(_: URLProtocol, cachedResponseIsValid _: CachedURLResponse) {}
    func urlProtocol(_: URLProtocol, didReceive _: URLResponse, cacheStoragePolicy _: URLCache.StoragePolicy) {}
    func urlProtocol(_: URLProtocol, didLoad _: Data) {}
    func urlProtocol(_: URLProtocol, didReceive _: URLAuthenticationChallenge) {}
    func urlProtocol(_: URLProtocol, didCancel _: URLAuthenticationChallenge) {}
}

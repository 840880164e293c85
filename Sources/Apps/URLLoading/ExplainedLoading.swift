import Foundation
import FoundationNetworking
import Synchronization

/// Loads HTTP as Foundation does, and gives the errors an iPhone's codes on their way to the app: to closures, delegates
/// and asynchronous methods alike.
///
/// Foundation's own protocol does all the work. This one stands before it in each session (``ProtocolHook``).
final class ExplainedLoading: URLProtocol {
    /// Foundation's own protocol for HTTP.
    static let foundations = (URLSessionConfiguration.default.protocolClasses ?? [])
        .compactMap { $0 as? URLProtocol.Type }
        .first { $0 != ExplainedLoading.self && $0.canInit(with: URLRequest(url: URL(string: "http://host/")!)) }

    private var loading: URLProtocol?
    private let end = OneEnd()

    /// Hears of one end of each start.
    ///
    /// A task that an app cancels just as it ends would tell of two ends, and Foundation ends the program at the second:
    /// it looks for a task that it has let go of.
    override var client: (any URLProtocolClient)? {
        get { super.client.map { ExplainingClient($0, end) } }
        set { super.client = newValue }
    }

    override class func canInit(with request: URLRequest) -> Bool { foundations?.canInit(with: request) ?? false }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    // Foundation calls these on the queue of the task. A task that is suspended and resumed starts its protocol again.

    override func startLoading() {
        end.begin()
        if loading == nil, let task, let client {
            loading = Self.foundations?.init(task: task, cachedResponse: cachedResponse, client: client)
        }
        loading?.startLoading()
    }

    override func stopLoading() {
        // A task that was resumed before it was stopped has no error yet, and Foundation ends the program for that.
        guard let task, task.state == .suspended || task.error != nil else { return }
        loading?.stopLoading()
    }
}

/// Whether the end of a start was told.
private final class OneEnd: Sendable {
    private let isTold = Mutex(false)

    func begin() { isTold.withLock { $0 = false } }

    /// Whether this end is the first one since the start.
    func isFirst() -> Bool {
        isTold.withLock { isTold in
            defer { isTold = true }
            return !isTold
        }
    }
}

/// Passes on what a protocol says to its client, explains its errors, and tells of one end.
private final class ExplainingClient: NSObject, URLProtocolClient, @unchecked Sendable {
    // Unchecked because the protocol of Foundation is not Sendable. This object never changes.
    private let client: any URLProtocolClient
    private let end: OneEnd

    init(_ client: any URLProtocolClient, _ end: OneEnd) { (self.client, self.end) = (client, end) }

    func urlProtocol(_ loading: URLProtocol, didFailWithError error: any Error) {
        guard end.isFirst() else { return }
        client.urlProtocol(
            loading, didFailWithError: LoadingFailure.explain(error, of: loading.task?.currentRequest?.url))
    }

    func urlProtocol(_ loading: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
        client.urlProtocol(loading, wasRedirectedTo: request, redirectResponse: redirectResponse)
    }

    func urlProtocol(_ loading: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
        client.urlProtocol(loading, cachedResponseIsValid: cachedResponse)
    }

    func urlProtocol(
        _ loading: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) { client.urlProtocol(loading, didReceive: response, cacheStoragePolicy: policy) }

    func urlProtocol(_ loading: URLProtocol, didLoad data: Data) { client.urlProtocol(loading, didLoad: data) }

    func urlProtocolDidFinishLoading(_ loading: URLProtocol) {
        guard end.isFirst() else { return }
        client.urlProtocolDidFinishLoading(loading)
    }

    func urlProtocol(_ loading: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        client.urlProtocol(loading, didReceive: challenge)
    }

    func urlProtocol(_ loading: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
        client.urlProtocol(loading, didCancel: challenge)
    }
}

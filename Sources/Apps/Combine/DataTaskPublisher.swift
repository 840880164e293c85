import HILURLLoading

extension URLSession {
    /// Loads a request for each subscriber, and gives the body with its response. Source: Foundation,
    /// URLSession.DataTaskPublisher.
    public struct DataTaskPublisher: Publisher {
        public typealias Output = (data: Data, response: URLResponse)
        public typealias Failure = URLError

        public let request: URLRequest
        public let session: URLSession

        public init(request: URLRequest, session: URLSession) {
            self.request = request
            self.session = session
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == URLError {
            subscriber.receive(subscription: Load(request, in: session, for: AnySubscriber(subscriber)))
        }
    }

    /// Loads a URL for each subscriber.
    public func dataTaskPublisher(for url: URL) -> DataTaskPublisher { dataTaskPublisher(for: URLRequest(url: url)) }

    /// Loads a request for each subscriber. Its errors have the codes of an iPhone.
    public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
        DataTaskPublisher(request: request, session: self)
    }
}

/// One loading of a request. It begins when its subscriber asks for the value.
private final class Load: Subscription, @unchecked Sendable {  // The lock guards the state.
    let combineIdentifier = CombineIdentifier()
    private let lock = NSLock()
    private let request: URLRequest
    private let session: URLSession
    private var subscriber: AnySubscriber<URLSession.DataTaskPublisher.Output, URLError>?
    private var task: URLSessionDataTask?

    init(
        _ request: URLRequest, in session: URLSession,
        for subscriber: AnySubscriber<URLSession.DataTaskPublisher.Output, URLError>
    ) {
        self.request = request
        self.session = session
        self.subscriber = subscriber
    }

    func request(_ demand: Subscribers.Demand) {
        let task: URLSessionDataTask? = lock.withLock {
            guard demand > .none, subscriber != nil, self.task == nil else { return nil }
            let task = session.dataTask(with: request) { data, response, error in
                self.end(data, response, error)
            }
            self.task = task
            return task
        }
        task?.resume()
    }

    private func end(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
        let subscriber = lock.withLock {
            defer { (self.subscriber, task) = (nil, nil) }
            return self.subscriber
        }
        guard let subscriber else { return }
        if let response, error == nil {
            _ = subscriber.receive((data: data ?? Data(), response: response))
            return subscriber.receive(completion: .finished)
        }
        subscriber.receive(completion: .failure(error as? URLError ?? URLError(.unknown)))
    }

    func cancel() {
        let task = lock.withLock {
            defer { (subscriber, self.task) = (nil, nil) }
            return self.task
        }
        task?.cancel()
    }
}

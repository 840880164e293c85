import Phone

/// A connection to a host on the network that the phone is on, over TCP.
///
/// Without a network, and where nobody accepts it, the connection waits, and tries again when the phone has come to another
/// network. Callbacks come on the queue that ``start(queue:)`` names, in the order of what happened. One that is let go of is
/// cancelled.
public final class NWConnection: Sendable, CustomDebugStringConvertible {
    /// What has become of a connection.
    public enum State: Sendable, Equatable {
        /// It was not started yet.
        case setup
        /// It cannot be made now; it will be tried again when the phone's network has changed.
        case waiting(NWError)
        case preparing
        /// Data can be sent and received.
        case ready
        /// It is over.
        case failed(NWError)
        /// The app has ended it; nothing is told afterwards.
        case cancelled
    }

    /// What data belongs to.
    public final class ContentContext: Sendable {
        /// Whether nothing is sent after it.
        public let isFinal: Bool
        /// For logs.
        public let identifier: String

        public init(identifier: String, isFinal: Bool = false) {
            self.identifier = identifier
            self.isFinal = isFinal
        }

        /// Some of the bytes of a stream, with more to come.
        public static let defaultMessage = ContentContext(identifier: "Default Message")
        /// The last bytes of a stream.
        public static let finalMessage = ContentContext(identifier: "Final Message", isFinal: true)
        /// The whole stream; complete, it ends.
        public static let defaultStream = ContentContext(identifier: "Default Stream", isFinal: true)
    }

    /// When a send is over.
    public enum SendCompletion: Sendable {
        /// Called when the system has taken the data, which says nothing of its arrival, or cannot any more.
        case contentProcessed(@Sendable (NWError?) -> Void)
        /// The data may be sent again; nobody is told.
        case idempotent
    }

    public let endpoint: NWEndpoint
    public let parameters: NWParameters
    private let core: ConnectionCore

    /// A connection that is yet to be started.
    public init(to endpoint: NWEndpoint, using parameters: NWParameters) {
        let phone = Phone.current
        guard let app = phone.app else {
            AppCrash.crash("hil", "Network was used with no app running: launch the app on the phone first")
        }
        self.endpoint = endpoint
        self.parameters = parameters.copy()
        core = ConnectionCore(to: endpoint, over: parameters.requiredInterfaceType, for: app, on: phone)
    }

    /// A connection that is yet to be started.
    public convenience init(host: NWEndpoint.Host, port: NWEndpoint.Port, using parameters: NWParameters) {
        self.init(to: .hostPort(host: host, port: port), using: parameters)
    }

    deinit { core.end(abruptly: true, silently: true) }

    // MARK: Its life

    public var state: State { core.state }

    /// Where callbacks come; nil before ``start(queue:)``.
    public var queue: DispatchQueue? { core.handlers.queue }

    /// Called each time that ``state`` has changed.
    public var stateUpdateHandler: (@Sendable (State) -> Void)? {
        get { core.handlers.onState }
        set { core.set { $0.onState = newValue } }
    }

    /// Called when the network that the connection goes over is lost, with false, and before that when it is there.
    public var viabilityUpdateHandler: (@Sendable (Bool) -> Void)? {
        get { core.handlers.onViability }
        set { core.set { $0.onViability = newValue } }
    }

    /// The way by which the connection leaves the phone; nil before it was started.
    public var currentPath: NWPath? { queue == nil ? nil : core.path }

    /// Begins to connect; a second call has no effect.
    public func start(queue: DispatchQueue) { core.start(on: queue) }

    /// Tries a connection that waits again, now.
    public func restart() { core.retry() }

    /// Ends the connection once what was sent before has been taken.
    public func cancel() { core.end(abruptly: false, silently: false) }

    /// Ends the connection, and drops what was not taken yet.
    public func forceCancel() { core.end(abruptly: true, silently: false) }

    // MARK: Its data

    /// Sends data, after what was sent before, and as soon as the connection is ready.
    ///
    /// - Parameters:
    ///   - content: Nil, complete, ends this direction, and so does a complete context that is final.
    ///   - isComplete: Whether the context ends with this.
    public func send(
        content: Data?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true,
        completion: SendCompletion
    ) {
        let isLast = isComplete && (content == nil || contentContext.isFinal)
        core.send(ConnectionCore.Send(content: content ?? Data(), isLast: isLast, completion: completion))
    }

    /// Asks for data once: at least so much, unless the stream ends before, and at most so much.
    ///
    /// - Parameter completion: Called once: the data, nil at the end of the stream; its context; whether the stream is
    ///   complete; and what went wrong.
    public func receive(
        minimumIncompleteLength: Int, maximumLength: Int,
        completion: @escaping @Sendable (Data?, ContentContext?, Bool, NWError?) -> Void
    ) {
        let maximum = max(1, maximumLength)
        core.receive(
            ConnectionCore.Receive(
                minimum: min(max(1, minimumIncompleteLength), maximum), maximum: maximum, completion: completion))
    }

    public var debugDescription: String { "[NWConnection to \(endpoint.debugDescription), \(state)]" }
}

import Foundation

// Operators that stop at an error of the app, and those that end early. Source: Combine, Publisher.

extension Publisher {
    /// Gives each transformed value, without nil; an error ends it.
    public func tryCompactMap<T>(_ transform: @escaping (Output) throws -> T?) -> AnyPublisher<T, any Error> {
        tryMap(transform).compactMap { $0 }.eraseToAnyPublisher()
    }

    /// Gives the values that match; an error ends it.
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> AnyPublisher<Output, any Error> {
        tryCompactMap { try isIncluded($0) ? $0 : nil }
    }

    /// Gives the first value that matches and ends; an error ends it.
    public func tryFirst(where predicate: @escaping (Output) throws -> Bool) -> AnyPublisher<Output, any Error> {
        tryFilter(predicate).first()
    }

    /// Gives the values until one does not match, and ends.
    public func prefix(while predicate: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
        operate { next, tie in
            (
                { value in
                    guard !tie.isCancelled else { return .none }
                    if predicate(value) { return next.receive(value) }
                    tie.cancel()
                    next.receive(completion: .finished)
                    return .none
                }, { if !tie.isCancelled { next.receive(completion: $0) } }
            )
        }
    }

    /// Gives the values until another publisher gives one, and ends.
    public func prefix<P: Publisher>(untilOutputFrom publisher: P) -> AnyPublisher<Output, Failure> {
        operate { next, tie in
            let other = publisher.first().sink(
                receiveCompletion: { _ in },
                receiveValue: { _ in
                    guard !tie.isCancelled else { return }
                    tie.cancel()
                    next.receive(completion: .finished)
                })
            return (
                { value in withExtendedLifetime(other) { tie.isCancelled ? .none : next.receive(value) } },
                { completion in
                    other.cancel()
                    if !tie.isCancelled { next.receive(completion: completion) }
                }
            )
        }
    }

    /// Leaves out the values until one does not match.
    public func drop(while predicate: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
        operate { next, _ in
            var isDropping = true
            return (
                { value in
                    isDropping = isDropping && predicate(value)
                    return isDropping ? .max(1) : next.receive(value)
                }, next.receive(completion:)
            )
        }
    }

    /// Gives the result of the values so far.
    public func scan<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T) -> AnyPublisher<T, Failure>
    {
        operate { next, _ in
            var result = initialResult
            return (
                { value in
                    result = nextPartialResult(result, value)
                    return next.receive(result)
                }, next.receive(completion:)
            )
        }
    }

    /// Gives the result of all values, at the end.
    public func reduce<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T) -> AnyPublisher<
        T, Failure
    > {
        operate { next, _ in
            var result = initialResult
            return (
                { value in
                    result = nextPartialResult(result, value)
                    return .max(1)
                },
                { completion in
                    if case .finished = completion { _ = next.receive(result) }
                    next.receive(completion: completion)
                }
            )
        }
    }

    /// Gives all values as one array, at the end.
    public func collect() -> AnyPublisher<[Output], Failure> { reduce([]) { $0 + [$1] } }

    /// Gives the last value, at the end.
    public func last() -> AnyPublisher<Output, Failure> {
        reduce(Output?.none) { $1 }.compactMap { $0 }.eraseToAnyPublisher()
    }

    /// Gives only the end.
    public func ignoreOutput() -> Publishers.IgnoreOutput<Self> { Publishers.IgnoreOutput(upstream: self) }

    /// Writes a line for everything that happens: `lamp: receive value: (7)`.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of each line.
    ///   - stream: Where the lines go; nil is standard output.
    public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> AnyPublisher<Output, Failure>
    {
        let lines = Lines(prefix.isEmpty ? "" : "\(prefix): ", stream)
        return handleEvents(
            receiveSubscription: { lines.write("receive subscription: (\($0))") },
            receiveOutput: { lines.write("receive value: (\($0))") },
            receiveCompletion: { completion in
                switch completion {
                case .finished: lines.write("receive finished")
                case .failure(let error): lines.write("receive error: (\(error))")
                }
            }, receiveCancel: { lines.write("receive cancel") },
            receiveRequest: { lines.write("request \($0.max.map { "max: (\($0))" } ?? "unlimited")") })
    }
}

/// Where the lines of a printed publisher go.
private final class Lines: @unchecked Sendable {  // The lock guards the stream.
    private let lock = NSLock()
    private let prefix: String
    private var stream: (any TextOutputStream)?

    init(_ prefix: String, _ stream: (any TextOutputStream)?) {
        self.prefix = prefix
        self.stream = stream
    }

    func write(_ text: String) {
        lock.withLock {
            if stream == nil { Swift.print(prefix + text) } else { stream?.write("\(prefix)\(text)\n") }
        }
    }
}

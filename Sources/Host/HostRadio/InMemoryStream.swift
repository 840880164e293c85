import Foundation
import RadioModel
import Synchronization

/// A TCP connection without a network: a phone at one end, a test at the other.
public final class InMemoryStream: RadioStream {
    private struct State {
        var toPhone = Data()
        var isEnded = false
        var failure: RadioError?
        var waiting: CheckedContinuation<Void, Never>?
        var onSend: (@Sendable (Data, Bool) -> Void)?
        var unheard: [(Data, Bool)] = []
        var isClosed = false
    }

    /// The port that the phone connected to.
    public let port: UInt16
    private let state = Mutex(State())

    /// - Parameter port: What the phone connected to.
    public init(port: UInt16 = 0) { self.port = port }

    // MARK: The far end

    /// Called with everything that the phone sends, in order, and whether that was its last; with what it sent before, too.
    public func onSend(_ body: @escaping @Sendable (Data, Bool) -> Void) {
        let unheard = state.withLock { state in
            state.onSend = body
            defer { state.unheard = [] }
            return state.unheard
        }
        for (bytes, isLast) in unheard { body(bytes, isLast) }
    }

    /// Sends to the phone.
    public func deliver(_ bytes: Data) { wake { $0.toPhone += bytes } }

    /// Ends the direction to the phone, which reads what was sent to its end.
    public func end() { wake { $0.isEnded = true } }

    /// The connection is lost; by default as where its network goes away.
    public func fail(code: Int32 = ECONNABORTED) {
        wake { $0.failure = $0.failure ?? .streamFailed(code: code, reason: "as the test wants it") }
    }

    /// The rig breaks down under the connection.
    public func breakDown(_ fault: String) { wake { $0.failure = $0.failure ?? .rig(fault) } }

    /// Whether the phone has closed it.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    // MARK: The phone's end

    public func send(_ bytes: Data, isLast: Bool) async throws {
        let hear = try state.withLock { state in
            if let failure = state.failure { throw failure }
            if state.onSend == nil { state.unheard.append((bytes, isLast)) }
            return state.onSend
        }
        hear?(bytes, isLast)
    }

    public func receive(upTo limit: Int) async throws -> Data {
        while true {
            let bytes: Data? = try state.withLock { state in
                if let failure = state.failure { throw failure }
                guard state.toPhone.isEmpty else {
                    defer { state.toPhone = Data(state.toPhone.dropFirst(limit)) }
                    return Data(state.toPhone.prefix(limit))
                }
                return state.isEnded ? Data() : nil
            }
            if let bytes { return bytes }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.toPhone.isEmpty, !state.isEnded, state.failure == nil else { return true }
                    state.waiting = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    public func close() {
        wake { state in
            state.isClosed = true
            state.failure = state.failure ?? .streamFailed(code: ECONNABORTED, reason: "it was closed")
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}

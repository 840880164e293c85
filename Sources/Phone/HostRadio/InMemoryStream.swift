import Foundation
import HILTiming
import RadioModel
import Synchronization

/// A TCP connection without a network, or the datagrams to and from one peer: the phone is at one end, a test at the other.
package final class InMemoryStream: RadioStream {
    private struct State {
        /// The bytes that the phone has not read yet; over UDP each is a datagram.
        var toPhone: [Data] = []
        var isEnded = false
        var failure: RadioError?
        var waiting: CheckedContinuation<Void, Never>?
        var onSend: (@Sendable (Data, Bool) -> Void)?
        /// The bytes that the phone sent before the test listened.
        var undelivered: [(Data, Bool)] = []
        var isClosed = false
    }

    /// The port that the phone connected to.
    package let port: UInt16
    package let transport: InternetTransport
    /// An event each time that the phone closes the connection.
    package let closings = EventLog<Void>()
    private let state = Mutex(State())

    /// - Parameter port: The port that the phone connected to.
    package init(port: UInt16 = 0, by transport: InternetTransport = .tcp) {
        (self.port, self.transport) = (port, transport)
    }

    // MARK: The test's end

    /// Calls `body` with all bytes that the phone sends, in order, including earlier data. The Boolean marks the last
    /// data.
    package func onSend(_ body: @escaping @Sendable (Data, Bool) -> Void) {
        let undelivered = state.withLock { state in
            state.onSend = body
            defer { state.undelivered = [] }
            return state.undelivered
        }
        for (bytes, isLast) in undelivered { body(bytes, isLast) }
    }

    /// Sends bytes to the phone, by UDP as one datagram.
    package func deliver(_ bytes: Data) { wake { $0.toPhone.append(bytes) } }

    /// Ends the direction to the phone. The phone can still read the bytes that were sent before.
    package func end() { wake { $0.isEnded = true } }

    /// Breaks the connection. The default code is that of a lost network.
    package func fail(code: Int32 = ECONNABORTED) {
        wake { $0.failure = $0.failure ?? .streamFailed(code: code, reason: "broken by the test") }
    }

    /// Simulates a broken rig: the connection ends with an error of the rig.
    package func breakDown(_ fault: String) { wake { $0.failure = $0.failure ?? .rig(fault) } }

    /// Whether the phone has closed the connection.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    // MARK: The phone's end

    package func send(_ bytes: Data, isLast: Bool) async throws {
        let onSend = try state.withLock { state in
            if let failure = state.failure { throw failure }
            if state.onSend == nil { state.undelivered.append((bytes, isLast)) }
            return state.onSend
        }
        onSend?(bytes, isLast)
    }

    package func receive(upTo limit: Int) async throws -> Data {
        while true {
            let bytes: Data? = try state.withLock { state in
                if let failure = state.failure { throw failure }
                guard !state.toPhone.isEmpty else { return state.isEnded ? Data() : nil }
                // The part of a datagram that exceeds the room is lost.
                guard transport == .tcp else { return state.toPhone.removeFirst().prefix(limit) }
                let bytes = state.toPhone.reduce(Data(), +)
                let rest = Data(bytes.dropFirst(limit))
                state.toPhone = rest.isEmpty ? [] : [rest]
                return bytes.prefix(limit)
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

    package func close() {
        wake { state in
            state.isClosed = true
            state.failure = state.failure ?? .streamFailed(code: ECONNABORTED, reason: "it was closed")
        }
        closings.append(())
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

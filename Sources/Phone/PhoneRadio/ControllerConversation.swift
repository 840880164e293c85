import BoardProtocol
import HILPOSIX
import RadioModel
import Synchronization

/// The runner's end of the packets of a taken controller.
final class ControllerConversation: Sendable {
    /// How many bytes may wait until the board takes them: 1 MiB. A host sends far less while its controller takes
    /// nothing.
    static let mostWaiting = 1 << 20

    private struct State {
        /// nil until the board has answered.
        var session: UInt32?
        /// Messages from before that.
        var early: [ControllerFrame] = []
        /// Packets for the reader.
        var received = Queue<[UInt8]>()
        /// How many packets have come, and how many the reader has got.
        var (count, read): (UInt64, UInt64) = (0, 0)
        /// The bytes of packets that the reader has got and the board does not know of.
        var untold = 0
        var reader: CheckedContinuation<[UInt8]?, any Error>?
        /// Packets for the board.
        var waiting = Queue<[UInt8]>()
        var waitingBytes = 0
        var window = ControllerWindow()
        /// How it ended: nil as a failure is an end without one.
        var end: Result<Void, RadioError>?
    }

    private let tell: @Sendable (ControllerFrame) -> Void
    private let state = Mutex(State())

    /// - Parameter tell: Queues a message for the board. It never waits.
    init(_ tell: @escaping @Sendable (ControllerFrame) -> Void) { self.tell = tell }

    /// The board has answered: this is the session of the messages.
    func begin(_ session: UInt32) {
        let problem: String? = state.withLock { state in
            state.session = session
            defer { state.early = [] }
            for message in state.early { if let problem = apply(message, &state) { return problem } }
            return nil
        }
        finish(problem)
    }

    /// Takes a message of the board; nil is the end of its agent.
    func receive(_ message: ControllerFrame?) {
        finish(
            state.withLock { state in
                guard let message else { return "the agent of the host board is lost" }
                guard state.session == nil else { return apply(message, &state) }
                // The board sends no more than the window without an answer.
                guard state.early.count < 10_000 else { return "the host board sends too much" }
                state.early.append(message)
                return nil
            })
    }

    /// Applies a message of the board.
    ///
    /// - Returns: Why the controller is lost; nil if it is not.
    private func apply(_ message: ControllerFrame, _ state: inout State) -> String? {
        guard message.session == state.session else { return nil }
        switch message.content {
        case .packets(let first, let packets):
            guard first == state.count else { return "\(first &- state.count) of its packets were lost on the way" }
            state.count += UInt64(packets.count)
            for packet in packets { state.received.append(packet) }
            return nil
        case .taken(let count):
            guard state.window.take(upTo: count) != nil else {
                return "the host board has taken packets that were never sent"
            }
            flush(&state)
            return nil
        case .ended(let why): return why
        }
    }

    private func finish(_ problem: String?) {
        if let problem {
            state.withLock {
                if $0.end == nil { $0.end = .failure(.rig("the phone's controller is lost: \(problem)")) }
            }
        }
        resumeReader()
    }

    /// The next packet; nil when the transport is closed. Packets that came before a loss are given first.
    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let old = state.withLock { state in
                    defer { state.reader = continuation }
                    return state.reader
                }
                old?.resume(returning: nil)
                if Task.isCancelled { return endReader() }
                resumeReader()
            }
        } onCancel: {
            endReader()
        }
    }

    /// Sends a packet, or keeps it until the board has taken enough.
    func send(_ packet: [UInt8]) throws(RadioError) {
        if let problem = H4.problem(with: packet) { throw .rig("the phone's host stack sent \(problem)") }
        try state.withLock { state throws(RadioError) in
            if let end = state.end {
                try end.get()
                throw .rig("the phone's controller was given back")
            }
            guard state.waitingBytes + packet.count <= ControllerConversation.mostWaiting else {
                throw .rig("the host board takes no packets of the phone: \(state.waitingBytes >> 10) KiB wait")
            }
            state.waiting.append(packet)
            state.waitingBytes += packet.count
            flush(&state)
        }
    }

    /// Ends the conversation.
    ///
    /// - Returns: False if it was closed before.
    func close() -> Bool {
        let isFirst = state.withLock { state in
            if case .success? = state.end { return false }
            state.end = .success(())
            (state.received, state.waiting) = (Queue(), Queue())
            return true
        }
        resumeReader()
        return isFirst
    }

    /// Sends what may be sent. Messages keep their order, because each is queued under the lock.
    private func flush(_ state: inout State) {
        guard let session = state.session, state.end == nil else { return }
        let first = state.window.sent
        var packets: [[UInt8]] = []
        while state.window.hasRoom, let packet = state.waiting.popFirst() {
            state.window.send(packet.count)
            state.waitingBytes -= packet.count
            packets.append(packet)
        }
        if !packets.isEmpty { tell(ControllerFrame(session: session, .packets(first: first, packets))) }
    }

    /// Gives the waiting reader a packet, or the end.
    private func resumeReader() {
        typealias Resumption = (CheckedContinuation<[UInt8]?, any Error>, Result<[UInt8]?, any Error>)
        let resumed: Resumption? = state.withLock { state in
            guard let reader = state.reader else { return nil }
            if let packet = state.received.popFirst() {
                state.reader = nil
                note(packet, &state)
                return (reader, .success(packet))
            }
            guard let end = state.end else { return nil }
            state.reader = nil
            return (reader, end.map { nil }.mapError { $0 as any Error })
        }
        if let (reader, result) = resumed { reader.resume(with: result) }
    }

    /// Tells the board of packets that the reader has got: when none is left, or when many are.
    private func note(_ packet: [UInt8], _ state: inout State) {
        state.read += 1
        state.untold += packet.count
        guard let session = state.session, state.end == nil,
            state.received.isEmpty || state.untold >= ControllerWindow.size / 4
        else { return }
        state.untold = 0
        tell(ControllerFrame(session: session, .taken(state.read)))
    }

    private func endReader() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }
}

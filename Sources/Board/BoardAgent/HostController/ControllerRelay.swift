import BoardProtocol
import Dispatch
import HILBlueZ
import HILPOSIX
import Synchronization

/// Relays the packets of a taken controller to the runner and back.
final class ControllerRelay: Sendable {
    let session: UInt32
    private let send: @Sendable (ControllerFrame) -> Void
    private let emit: @Sendable (BoardEvent) -> Void
    /// Writes to the controller, which may be slow.
    private let writes = DispatchQueue(label: "controller-write")
    private let state = Mutex(State())

    private struct State {
        var channel: UserChannel?
        var queue = ControllerQueue()
        /// How many packets of the runner have come, and how many the kernel has taken.
        var (received, written): (UInt64, UInt64) = (0, 0)
        /// How many bytes of the runner's packets wait for the kernel.
        var pending = 0
        var isEnded = false
    }

    /// - Parameters:
    ///   - open: Opens the controller: gives each packet to the first closure; calls the second one, once, with the
    ///     reason if it is lost.
    ///   - send: Queues a message for the runner. It never waits.
    ///   - emit: Reports how many advertising reports were left out.
    init(
        session: UInt32, send: @escaping @Sendable (ControllerFrame) -> Void,
        emit: @escaping @Sendable (BoardEvent) -> Void,
        open: (@escaping @Sendable ([UInt8]) -> Void, @escaping @Sendable (String) -> Void) throws(SystemError) ->
            UserChannel
    ) throws(SystemError) {
        (self.session, self.send, self.emit) = (session, send, emit)
        let channel = try open({ [weak self] in self?.receive($0) }, { [weak self] in self?.end(because: $0) })
        state.withLock { $0.channel = channel }
    }

    /// Takes a message of the runner. Returns at once.
    func take(_ message: ControllerFrame) {
        switch message.content {
        case _ where message.session != session: break  // Late: that controller was given back.
        case .packets(let first, let packets): write(packets, first: first)
        case .taken(let count):
            guard state.withLock({ $0.queue.take(upTo: count) }) else {
                return end(because: "the runner has taken packets that were never sent")
            }
            pass()
        case .ended: break
        }
    }

    /// Closes the controller; returns when the kernel has it again.
    func close() async {
        let (channel, dropped) = state.withLock { state in
            state.isEnded = true
            return (state.channel, state.queue.takeDropped(isLast: true))
        }
        if dropped > 0 { emit(.reportsDropped(dropped)) }
        channel?.stop()
        // After the last write, which fails now.
        await withCheckedContinuation { continuation in writes.async { continuation.resume() } }
        await channel?.close()
    }

    // MARK: - From the controller

    /// On the channel's thread.
    private func receive(_ packet: [UInt8]) {
        if let problem = H4.problem(with: packet) { return end(because: "it sent \(problem)") }
        do throws(ControllerQueue.Overflow) {
            try state.withLock { state throws(ControllerQueue.Overflow) in try state.queue.add(packet) }
        } catch { return end(because: "the runner takes no packets: \(error.bytes >> 10) KiB wait for it") }
        pass()
    }

    /// Sends what may be sent. Messages keep their order, because each is queued under the lock.
    private func pass() {
        let dropped = state.withLock { state in
            guard !state.isEnded else { return 0 }
            while let content = state.queue.next() { send(ControllerFrame(session: session, content)) }
            return state.queue.takeDropped()
        }
        if dropped > 0 { emit(.reportsDropped(dropped)) }
    }

    // MARK: - To the controller

    private func write(_ packets: [[UInt8]], first: UInt64) {
        let bytes = packets.reduce(0) { $0 + $1.count }
        let problem: String? = state.withLock { state in
            guard state.received == first else {
                return "\(first &- state.received) packets of the runner were lost on the way"
            }
            // The last packet may go beyond the window.
            guard state.pending < ControllerWindow.size, bytes < 2 * ControllerWindow.size else {
                return "the runner sends more packets than were taken"
            }
            state.received += UInt64(packets.count)
            state.pending += bytes
            return nil
        }
        if let problem { return end(because: problem) }
        writes.async { [self] in
            let channel = state.withLock { $0.isEnded ? nil : $0.channel }
            guard let channel else { return }
            do throws(SystemError) { for packet in packets { try channel.send(packet) } } catch {
                return end(because: "\(error)")
            }
            state.withLock { state in
                state.pending -= bytes
                state.written += UInt64(packets.count)
                send(ControllerFrame(session: session, .taken(state.written)))
            }
        }
    }

    /// Tells the runner, once, that the controller is lost.
    private func end(because why: String) {
        let isFirst = state.withLock { state in
            defer { state.isEnded = true }
            return !state.isEnded
        }
        if isFirst { send(ControllerFrame(session: session, .ended(why))) }
    }
}

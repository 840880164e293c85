import RadioModel
import Synchronization

/// One controller that several host stacks use by turns, each through an end of its own.
///
/// Only the end whose turn it is gets packets, and only its packets reach the controller. Who has the turn next resets the
/// controller, as each stack does when it is switched on; so the stack before must be off.
package final class SharedController: Sendable {
    private struct State {
        var turn = 0
        var ends = 0
        /// A packet for the end whose turn it is, until that end asks for it.
        var packet: [UInt8]?
        /// Waits until the packet is taken: so the transport sees how fast its reader is.
        var pump: CheckedContinuation<Void, Never>?
        var readers: [Int: CheckedContinuation<[UInt8]?, any Error>] = [:]
        var closed: Set<Int> = []
        /// How the transport ended; nil while it works.
        var end: Result<Void, any Error>?
    }

    private let transport: any ControllerTransport
    private let state = Mutex(State())

    /// - Parameter transport: The way to the controller. Nobody else reads its packets.
    package init(_ transport: any ControllerTransport) {
        self.transport = transport
        Task { [weak self, packets = transport.packets] in
            do {
                for try await packet in packets {
                    guard let self else { return }
                    await self.pass(packet)
                }
                self?.finish(.success(()))
            } catch { self?.finish(.failure(error)) }
        }
    }

    deinit { transport.close() }

    /// A further end. The first one has the turn at the start.
    package func makeEnd() -> End {
        End(
            self,
            number: state.withLock { state in
                defer { state.ends += 1 }
                return state.ends
            })
    }

    /// Closes the transport: the controller loses all links.
    package func close() { transport.close() }

    /// One stack's way to the controller.
    package final class End: ControllerTransport {
        package let packets: AsyncThrowingStream<[UInt8], any Error>
        private let controller: SharedController
        private let number: Int

        fileprivate init(_ controller: SharedController, number: Int) {
            (self.controller, self.number) = (controller, number)
            packets = AsyncThrowingStream { try await controller.next(of: number) }
        }

        deinit { close() }

        /// Sends a packet. Out of turn it is lost, as in a controller that has been reset.
        package func send(_ packet: [UInt8]) throws(RadioError) { try controller.send(packet, by: number) }

        /// Gives the turn to this end. What was on its way to another one is lost.
        package func takeTurn() { controller.give(to: number) }

        /// Ends the packets of this end. The controller stays.
        package func close() { controller.close(number) }
    }

    private func send(_ packet: [UInt8], by number: Int) throws(RadioError) {
        // Under the lock, so that nothing is sent after the turn was given away.
        try state.withLock { state throws(RadioError) in
            if state.turn == number { try transport.send(packet) }
        }
    }

    private func give(to number: Int) {
        let pump = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.turn != number else { return nil }
            state.turn = number
            defer { (state.packet, state.pump) = (nil, nil) }
            return state.pump
        }
        pump?.resume()
    }

    private func close(_ number: Int) {
        let (reader, pump) = state.withLock { state in
            state.closed.insert(number)
            let reader = state.readers.removeValue(forKey: number)
            let pump = state.turn == number ? state.pump : nil
            if state.turn == number { (state.packet, state.pump) = (nil, nil) }
            return (reader, pump)
        }
        reader?.resume(returning: nil)
        pump?.resume()
    }

    /// Gives a packet to the end whose turn it is; returns when it has taken it, or has lost its turn.
    private func pass(_ packet: [UInt8]) async {
        await withCheckedContinuation { continuation in
            let (reader, isDone) = state.withLock { state in
                let reader = state.readers.removeValue(forKey: state.turn)
                let waits = reader == nil && !state.closed.contains(state.turn)
                if waits { (state.packet, state.pump) = (packet, continuation) }
                return (reader, !waits)
            }
            reader?.resume(returning: packet)
            if isDone { continuation.resume() }
        }
    }

    private func finish(_ end: Result<Void, any Error>) {
        let readers = state.withLock { state in
            state.end = end
            defer { state.readers = [:] }
            return state.readers
        }
        for reader in readers.values { reader.resume(with: end.map { nil }) }
    }

    private func next(of number: Int) async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let next = state.withLock { SharedController.answer(number, continuation, &$0) }
                if let answer = next.answer { continuation.resume(with: answer) }
                next.pump?.resume()
            }
        } onCancel: {
            let reader = state.withLock { $0.readers.removeValue(forKey: number) }
            reader?.resume(returning: nil)
        }
    }

    /// What a reader gets at once; nil if it waits.
    private static func answer(
        _ number: Int, _ reader: CheckedContinuation<[UInt8]?, any Error>, _ state: inout State
    ) -> (answer: Result<[UInt8]?, any Error>?, pump: CheckedContinuation<Void, Never>?) {
        if Task.isCancelled || state.closed.contains(number) { return (.success(nil), nil) }
        if state.turn == number, let packet = state.packet {
            defer { (state.packet, state.pump) = (nil, nil) }
            return (.success(packet), state.pump)
        }
        if let end = state.end { return (end.map { nil }, nil) }
        state.readers[number] = reader
        return (nil, nil)
    }
}

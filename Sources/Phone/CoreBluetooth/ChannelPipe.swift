import Foundation
import HostRadio

/// The bytes of an L2CAP channel on their way between the radio and the app's streams.
final class ChannelPipe: @unchecked Sendable {
    // Unchecked because of the lock, which guards everything that changes.

    /// How many bytes may wait in each direction. Beyond that, the radio's flow control makes the peer wait.
    static let capacity = 65_536

    /// Called with the events of one direction, on any thread.
    typealias Listener = @Sendable (Stream.Event) -> Void

    private struct State {
        var incoming = Data()
        var outgoing = Data()
        var hasEnded = false
        var error: (any Error)?
        var onInput: Listener?
        var onOutput: Listener?
        /// Wakes the reading task when there is room, and the sending task when there are bytes.
        var reader: CheckedContinuation<Void, Never>?
        var sender: CheckedContinuation<Void, Never>?
    }

    private let channel: any RadioChannel
    private let lock = NSLock()
    private var state = State()
    private var tasks: [Task<Void, Never>] = []

    init(_ channel: any RadioChannel) { self.channel = channel }

    func start() {
        let tasks = [Task { await self.readAll() }, Task { await self.sendAll() }]
        lock.withLock { self.tasks = tasks }
    }

    // MARK: The streams

    var hasBytes: Bool { lock.withLock { !state.incoming.isEmpty } }
    var hasRoom: Bool { lock.withLock { !state.hasEnded && state.outgoing.count < Self.capacity } }
    var hasEnded: Bool { lock.withLock { state.hasEnded } }
    var error: (any Error)? { lock.withLock { state.error } }

    func onInput(_ listener: Listener?) { lock.withLock { state.onInput = listener } }
    func onOutput(_ listener: Listener?) { lock.withLock { state.onOutput = listener } }

    /// Takes up to `limit` received bytes; none if there are none.
    func read(upTo limit: Int) -> Data {
        let (bytes, reader) = lock.withLock {
            let bytes = Data(state.incoming.prefix(limit))
            state.incoming = Data(state.incoming.dropFirst(bytes.count))
            defer { state.reader = nil }
            return (bytes, state.reader)
        }
        reader?.resume()
        return bytes
    }

    /// Takes as many bytes as there is room for.
    ///
    /// - Returns: How many; -1 when the channel has ended.
    func write(_ bytes: Data) -> Int {
        let (count, sender) = lock.withLock { () -> (Int, CheckedContinuation<Void, Never>?) in
            guard !state.hasEnded else { return (-1, nil) }
            let taken = bytes.prefix(max(0, Self.capacity - state.outgoing.count))
            state.outgoing += taken
            defer { state.sender = nil }
            return (taken.count, state.sender)
        }
        sender?.resume()
        return count
    }

    /// Ends the channel.
    func close() {
        channel.close()
        end(nil)
    }

    // MARK: The radio

    private func readAll() async {
        do {
            while true {
                await waitForRoom()
                let packet = try await channel.receive()
                guard !packet.isEmpty, !hasEnded else { break }
                let listener = lock.withLock {
                    state.incoming += packet
                    return state.onInput
                }
                listener?(.hasBytesAvailable)
            }
            end(nil)
        } catch { end(error) }
    }

    private func sendAll() async {
        do {
            while let packet = await nextPacket() {
                try await channel.send(packet)
                let listener = lock.withLock { state.onOutput }
                listener?(.hasSpaceAvailable)
            }
        } catch { end(error) }
    }

    private func waitForRoom() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isFree = lock.withLock {
                guard !state.hasEnded, state.incoming.count >= Self.capacity else { return true }
                state.reader = continuation
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// The next packet to send; nil when the channel has ended.
    private func nextPacket() async -> Data? {
        while true {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isReady = lock.withLock {
                    guard !state.hasEnded, state.outgoing.isEmpty else { return true }
                    state.sender = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
            let (packet, hasEnded) = lock.withLock {
                let packet = Data(state.outgoing.prefix(max(channel.mtu, 1)))
                state.outgoing = Data(state.outgoing.dropFirst(packet.count))
                return (packet, state.hasEnded)
            }
            if hasEnded { return nil }
            if !packet.isEmpty { return packet }
        }
    }

    private func end(_ error: (any Error)?) {
        let (listeners, waiting) = lock.withLock {
            () -> ([Listener?], [CheckedContinuation<Void, Never>?]) in
            guard !state.hasEnded else { return ([], []) }
            state.hasEnded = true
            state.error = error
            defer { (state.reader, state.sender) = (nil, nil) }
            return ([state.onInput, state.onOutput], [state.reader, state.sender])
        }
        for continuation in waiting { continuation?.resume() }
        for listener in listeners { listener?(error == nil ? .endEncountered : .errorOccurred) }
    }
}

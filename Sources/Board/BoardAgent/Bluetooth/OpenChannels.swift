import Glibc
import HILBlueZ
import HILPOSIX
import RadioModel
import Synchronization

/// The L2CAP channels of a board, by number.
///
/// No data is kept here: received packets stay in the kernel, whose flow control makes a peer wait.
final class OpenChannels: Sendable {
    private struct State {
        var channels: [Int: LEChannel] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// Takes over a channel, and returns its number.
    func add(_ channel: LEChannel) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.channels[state.lastNumber] = channel
            return state.lastNumber
        }
    }

    /// Sends a packet of 1 to the channel's MTU bytes.
    func send(_ packet: [UInt8], on number: Int) async throws {
        let channel = try channel(number)
        guard (1...max(channel.sendMTU, 1)).contains(packet.count) else {
            throw RadioError.invalid("a packet has 1 to \(channel.sendMTU) bytes, not \(packet.count)")
        }
        do { try await channel.send(packet) } catch let error as SystemError {
            throw RadioError.streamFailed(code: error.code, reason: "\(error)")
        }
    }

    /// Waits for a packet. Returns an empty one when the channel has ended.
    func receive(from number: Int) async throws -> [UInt8] {
        let channel = try channel(number)
        do { return try await channel.receive() } catch let error as SystemError {
            throw RadioError.streamFailed(code: error.code, reason: "\(error)")
        }
    }

    /// Closes a channel. Calling it again does no harm.
    func close(_ number: Int) { state.withLock { $0.channels.removeValue(forKey: number) }?.close() }

    /// Closes all channels: the conversation with the runner has ended.
    func endAll() {
        let ended = state.withLock { state in
            defer { state.channels = [:] }
            return state.channels.values
        }
        for channel in ended { channel.close() }
    }

    private func channel(_ number: Int) throws(RadioError) -> LEChannel {
        guard let channel = state.withLock({ $0.channels[number] }) else {
            throw .streamFailed(code: ECONNABORTED, reason: "L2CAP channel \(number) is no longer open")
        }
        return channel
    }
}

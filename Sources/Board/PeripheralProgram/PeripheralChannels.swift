import FoundationEssentials
import HILBlueZ
import HILPOSIX
import PeripheralModel
import RadioModel
import Synchronization

/// The L2CAP channels of an accessory as data, by number.
final class PeripheralChannels: Sendable {
    /// The most channels at once.
    private static let limit = 16

    /// Passes on new channels, once it knows their port.
    final class Acceptor: Sendable {
        private let port = Mutex<UInt16>(0)
        private let take: @Sendable (LEChannel, UInt16) -> Void

        init(_ take: @escaping @Sendable (LEChannel, UInt16) -> Void) { self.take = take }

        func setPort(_ number: UInt16) { port.withLock { $0 = number } }
        func accept(_ channel: LEChannel) { take(channel, port.withLock { $0 }) }
    }

    private struct State {
        var channels: [Int: LEChannel] = [:]
        var lastNumber = 0
        var listeners: [UInt16: LEChannelListener] = [:]
    }

    private let state = Mutex(State())
    private let tell: @Sendable (PeripheralEvent) -> Void

    init(tell: @escaping @Sendable (PeripheralEvent) -> Void) { self.tell = tell }

    /// Makes the function that a listener calls with each channel.
    func acceptor(echoes: Bool) -> Acceptor {
        Acceptor { [weak self] channel, port in _ = self?.add(channel, at: port, echoes: echoes, isOwn: false) }
    }

    /// Keeps a listener, and returns its port.
    func listen(_ listener: LEChannelListener, _ acceptor: Acceptor) -> UInt16 {
        acceptor.setPort(listener.port)
        state.withLock { $0.listeners[listener.port] = listener }
        return listener.port
    }

    func stopListening(at port: UInt16) { _ = state.withLock { $0.listeners.removeValue(forKey: port) } }

    /// Takes over a channel, and reports it and its packets.
    ///
    /// - Parameter isOwn: Whether the accessory opened it.
    /// - Returns: Its number; 0 if there are too many.
    func add(_ channel: LEChannel, at port: UInt16, echoes: Bool, isOwn: Bool) -> Int {
        let number: Int? = state.withLock { state in
            guard state.channels.count < Self.limit else { return nil }
            state.lastNumber += 1
            state.channels[state.lastNumber] = channel
            return state.lastNumber
        }
        guard let number else {
            channel.close()
            return 0
        }
        if !isOwn { tell(.channelOpened(number, port: port, mtu: channel.sendMTU)) }
        Task { [weak self] in
            while let packet = try? await channel.receive(), !packet.isEmpty {
                self?.tell(.received(Data(packet), channel: number))
                guard echoes else { continue }
                for piece in stride(from: 0, to: packet.count, by: max(channel.sendMTU, 1)) {
                    try? await channel.send(Array(packet[piece...].prefix(channel.sendMTU)))
                }
            }
            guard let self, state.withLock({ $0.channels.removeValue(forKey: number) }) != nil else { return }
            tell(.channelClosed(number))
        }
        return number
    }

    /// Sends a packet of 1 to the channel's MTU bytes.
    func send(_ packet: [UInt8], on number: Int) async throws {
        guard let channel = state.withLock({ $0.channels[number] }) else {
            throw RadioError.invalid("the L2CAP channel \(number) is no longer open")
        }
        guard (1...max(channel.sendMTU, 1)).contains(packet.count) else {
            throw RadioError.invalid("a packet has 1 to \(channel.sendMTU) bytes, not \(packet.count)")
        }
        do { try await channel.send(packet) } catch let error as SystemError {
            throw RadioError.invalid("the L2CAP channel \(number) accepts no packets: \(error)")
        }
    }

    /// Closes a channel. Calling it again does no harm.
    func close(_ number: Int) { state.withLock { $0.channels.removeValue(forKey: number) }?.close() }

    /// Closes all channels and listeners.
    func endAll() {
        let ended = state.withLock { state in
            defer { (state.channels, state.listeners) = ([:], [:]) }
            return Array(state.channels.values)
        }
        for channel in ended { channel.close() }
    }
}

import BoardProtocol
import DieProgram
import DieProtocol
import Foundation
import HostRadio
import Synchronization

/// The relay and the push service in memory. One end has the phone's streams, the other end is the die.
final class InMemoryInternet: Sendable {
    private struct State {
        var relay = InMemoryInternet.fresh
        var streams: [Int: InMemoryStream] = [:]
        var isUp = true
        /// The mailbox that the die attends, and the number of its connection.
        var mailbox: UUID?
        var die: Int?
        var reader = DieRelay.Reader()
        var onDie: @Sendable (DieLogic.Input) -> Void = { _ in }
    }

    private static var fresh: SimulatedInternet { SimulatedInternet([DieRelayService()]) }

    private let state = Mutex(State())
    /// All bytes that the relay has received or sent.
    let carried = Mutex<[Data]>([])
    // Work is done in order, and never inside a call of the die or the phone.
    private let queue = DispatchQueue(label: "internet")

    /// Sets the handler that receives the relay's events for the die.
    func onDie(_ take: @escaping @Sendable (DieLogic.Input) -> Void) { state.withLock { $0.onDie = take } }

    /// Accepts a connection of the phone; false while the relay is down.
    func accept(_ stream: InMemoryStream) -> Bool {
        let port = stream.port == PushService.port ? PushService.port : DieRelay.port
        let number = state.withLock { state -> Int? in
            guard state.isUp, let number = state.relay.opened(port: port) else { return nil }
            state.streams[number] = stream
            return number
        }
        guard let number else { return false }
        stream.onSend { [weak self] bytes, _ in self?.receive(bytes, from: number) }
        return true
    }

    /// The die attends a mailbox; nil for none.
    func attend(_ mailbox: UUID?) {
        queue.async { [self] in
            state.withLock { state in
                if let die = state.die { state.relay.closed(die) }
                (state.mailbox, state.die) = (mailbox, nil)
            }
            connectDie()
        }
    }

    /// Disconnects the die from the relay, or connects it again.
    func setDieThere(_ isAvailable: Bool) {
        queue.async { [self] in
            guard !isAvailable else { return connectDie() }
            let (wasAttended, tell) = state.withLock { state in
                if let die = state.die { state.relay.closed(die) }
                defer { state.die = nil }
                return (state.die != nil, state.onDie)
            }
            if wasAttended { tell(.relayLost) }
        }
    }

    /// The die sends a message to the relay.
    func send(_ message: DieRelay.Message) {
        guard let bytes = try? DieRelay.frame(message), let die = state.withLock({ $0.die }) else { return }
        receive(bytes, from: die)
    }

    /// Takes the relay down, with all that it stored, or starts it again.
    func setUp(_ isUp: Bool) {
        queue.async { [self] in
            let (lost, wasAttended, tell) = state.withLock { state in
                state.isUp = isUp
                defer { if !isUp { (state.relay, state.streams, state.die) = (InMemoryInternet.fresh, [:], nil) } }
                return (isUp ? [] : Array(state.streams.values), !isUp && state.die != nil, state.onDie)
            }
            for stream in lost { stream.fail(code: ECONNRESET) }
            if wasAttended { tell(.relayLost) }
            if isUp { connectDie() }
        }
    }

    private func connectDie() {
        let attend = state.withLock { state -> (Int, UUID)? in
            guard state.isUp, let mailbox = state.mailbox, let die = state.relay.opened(port: DieRelay.port) else {
                return nil
            }
            state.die = die
            state.reader = DieRelay.Reader()
            return (die, mailbox)
        }
        guard let (die, mailbox) = attend, let bytes = try? DieRelay.frame(.attend(mailbox: mailbox)) else { return }
        receive(bytes, from: die)
    }

    private func receive(_ bytes: Data, from connection: Int) {
        carried.withLock { $0.append(bytes) }
        queue.async { [self] in
            for output in state.withLock({ $0.relay.received(bytes, from: connection) }) {
                guard case .send(let bytes, let peer) = output else { continue }
                carried.withLock { $0.append(bytes) }
                let (stream, isDie) = state.withLock { ($0.streams[peer], $0.die == peer) }
                stream?.deliver(bytes)
                guard isDie else { continue }
                let (messages, tell) = state.withLock { state in
                    ((try? state.reader.push(bytes)) ?? [], state.onDie)
                }
                for message in messages { tell(.relayed(message)) }
            }
        }
    }
}

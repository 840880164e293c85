import BoardProtocol
import Foundation
import HILPOSIX
import HostRadio
import Synchronization

/// The phone's connection to the push service, which brings messages of accessories over the internet.
///
/// The system keeps the connection as long as it has sessions for the internet, over any network that the phone is on.
/// Apps are not involved. Source: Apple's article "Responding to forwarded notifications"; the connection itself is not
/// documented.
package final class PushClient: PhoneComponent {
    private struct State {
        var tokens: Set<Data> = []
        var stream: (any RadioStream)?
        var watch: LinkWatch?
        /// Wakes the task that connects: the network changed, or a pause is over.
        var wakes: AsyncStream<Void>.Continuation?
    }

    private let link: PhoneLink
    private let state = Mutex(State())

    package init(phone: Phone) { link = PhoneLink(phone) }

    deinit { disconnect() }

    /// Accepts messages for a token from now on. Connects if this is the first token.
    func register(_ token: Data) {
        let stream = state.withLock { state in
            state.tokens.insert(token)
            return state.stream
        }
        if let stream { Task { try? await stream.send(Self.bytes(.register(token: token)), isLast: false) } }
        begin()
    }

    /// Ignores messages for a token from now on. Disconnects if this was the last token.
    func forget(_ token: Data) {
        let isLast = state.withLock { state in
            state.tokens.remove(token)
            return state.tokens.isEmpty
        }
        if isLast { disconnect() }
    }

    private func disconnect() {
        let before = state.withLock { state in
            defer { state = State() }
            return state
        }
        before.wakes?.finish()
        before.stream?.close()
    }

    // MARK: The connection

    /// Connects now, and again after each loss.
    private func begin() {
        let (changes, wakes) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let isFirst = state.withLock { state in
            guard state.wakes == nil else { return false }
            state.wakes = wakes
            return true
        }
        guard isFirst, let phone = link.phone else { return }
        let watch = phone.network.watchLink { wakes.yield() }
        state.withLock { $0.watch = watch }
        wakes.yield()
        Task { [weak self] in
            for await _ in changes {
                // While it reads, the task holds only the stream, so that the phone can be released.
                guard let stream = await self?.connect() else { continue }
                var reader = FrameReader(limit: PushService.maximumPayload)
                while let bytes = try? await stream.receive(upTo: 65_536), !bytes.isEmpty {
                    for item in reader.push(bytes) { await self?.handle(item, from: stream) }
                }
                self?.lost(stream)
            }
        }
    }

    private func connect() async -> (any RadioStream)? {
        guard let phone = link.phone, phone.network.link != nil else { return nil }
        let stream: any RadioStream
        do { stream = try await phone.network.openStream(to: PushService.host, port: PushService.port) } catch {
            // The phone's network has recorded the error.
            wakeAfterPause()
            return nil
        }
        let tokens = state.withLock { state -> Set<Data> in
            // The last token may have been removed while the phone connected.
            if !state.tokens.isEmpty { state.stream = stream }
            return state.tokens
        }
        guard !tokens.isEmpty else {
            stream.close()
            return nil
        }
        do {
            for token in tokens { try await stream.send(Self.bytes(.register(token: token)), isLast: false) }
            return stream
        } catch {
            lost(stream)
            return nil
        }
    }

    private func lost(_ stream: any RadioStream) {
        stream.close()
        state.withLock { $0.stream = nil }
        wakeAfterPause()
    }

    private func wakeAfterPause() {
        let (clock, pause, wakes) = (link.clock, link.policy.pushPause, state.withLock { $0.wakes })
        Task {
            try? await clock.sleep(for: pause)
            wakes?.yield()
        }
    }

    // MARK: Messages

    private func handle(_ item: FrameReader.Item, from stream: any RadioStream) async {
        guard case .frame(let frame) = item, case .push(let number, let token, let body)? = PushMessage(frame) else {
            return
        }
        do {
            let push = try AccessoryPush(decoding: body)
            try link.phone?.notifications.receiveFromInternet(
                TransportMessage(sessionID: push.session, data: push.sealed), pushToken: token)
        } catch {
            link.phone?.record(.note("push", "a notification of \(body.count) bytes is dropped: \(error)"))
        }
        // Also for a dropped one: sent again, it would be dropped again.
        try? await stream.send(Self.bytes(.taken(number: number)), isLast: false)
    }

    private static func bytes(_ message: PushMessage) -> Data { Data(message.frame.bytes) }
}

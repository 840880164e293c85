import Dispatch
import Glibc
import HILPOSIX
import Synchronization

/// The socket through which workers reach the agent of a board. It passes their bytes on, for one client after the
/// other.
final class AgentRelay: Sendable {
    /// How many bytes may wait for a client that does not read. Above that, it is disconnected.
    private static let sendLimit = 64 << 20

    let path: String
    private let listener: Descriptor
    private let client = Mutex<Descriptor?>(nil)
    private let writes = DispatchQueue(label: "relay-write")
    private let waiting = Atomic<Int>(0)

    /// - Parameter send: Passes bytes to the board. Called on a separate thread.
    init(at path: String, _ send: @escaping @Sendable ([UInt8]) -> Void) throws(SystemError) {
        self.path = path
        listener = try UnixSocket.listen(at: path)
        startThread(named: "relay") { [self] in
            // It fails when the listener is shut down.
            while let next = try? UnixSocket.accept(on: listener) {
                client.withLock { $0 = next }
                while let bytes = try? next.read(), !bytes.isEmpty { send(bytes) }
                client.withLock { $0 = nil }
            }
        }
    }

    /// Passes bytes of the agent to the client, without waiting for it; without a client they are lost, as on an unread
    /// port.
    func take(_ bytes: [UInt8]) {
        guard let client = client.withLock({ $0 }) else { return }
        guard waiting.add(bytes.count, ordering: .relaxed).newValue <= AgentRelay.sendLimit else {
            waiting.subtract(bytes.count, ordering: .relaxed)
            return client.shutDown()
        }
        writes.async { [self] in
            // An error means that the client is gone, which its reader notices.
            try? client.write(bytes)
            waiting.subtract(bytes.count, ordering: .relaxed)
        }
    }

    /// Ends the connection of the client, which shows it that the agent is gone.
    func hangUp() { client.withLock { $0 }?.shutDown() }

    func close() {
        listener.shutDown()
        hangUp()
        unlink(path)
    }
}

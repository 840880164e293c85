import Glibc
import HILPOSIX
import HILTiming
import Synchronization

/// The socket at which workers reach the agent of a board: it passes their bytes on, for one client after the other.
final class AgentRelay: Sendable {
    let path: String
    private let listener: Descriptor
    private let client = Mutex<Descriptor?>(nil)
    private let isClosed = Mutex(false)

    /// - Parameter send: Passes bytes to the board. Called on a thread of its own.
    init(at path: String, _ send: @escaping @Sendable ([UInt8]) -> Void) throws(SystemError) {
        self.path = path
        listener = try UnixSocket.listen(at: path)
        startThread(named: "relay") { [self] in
            while let next = try? UnixSocket.accept(on: listener) {
                client.withLock { $0 = next }
                while let bytes = try? next.read(), !bytes.isEmpty { send(bytes) }
                client.withLock { $0 = nil }
                if isClosed.withLock({ $0 }) { return }
            }
        }
    }

    /// Passes bytes of the agent to the client; without one they are lost, as on a port that nobody reads.
    func take(_ bytes: [UInt8]) {
        guard let client = client.withLock({ $0 }) else { return }
        // An error means that the client has gone, which its reader notices.
        try? client.write(bytes)
    }

    /// Ends the connection of the client, which then knows that the agent is gone.
    func hangUp() { client.withLock { $0 }?.shutDown() }

    func close() {
        isClosed.withLock { $0 = true }
        hangUp()
        listener.shutDown()
        unlink(path)
    }
}

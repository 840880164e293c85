import HILPOSIX
import HILTiming
import RadioModel

/// Sends a datagram and waits for the answer.
enum UDPExchange {
    /// - Parameter interface: The network interface to use; nil for the kernel's choice.
    /// - Throws: ``RadioModel/RadioError/noAnswer(_:)`` if the peer does not answer in time.
    static func run(
        _ request: [UInt8], with peer: NetworkPlace, over interface: String?, within limit: Duration
    ) async throws -> [UInt8] {
        let target = "\(peer.address):\(peer.port)"
        do {
            return try await withDeadline(limit, waitingFor: "\(target) to answer") {
                let socket = try UDPSocket(to: peer, over: interface)
                try await socket.send(request)
                return try await socket.receive()
            }
        } catch let error as TimedOut {
            throw RadioError.noAnswer("\(target): \(error)")
        } catch let error as SystemError {
            throw RadioError.noAnswer("\(target): \(error)")
        }
    }
}

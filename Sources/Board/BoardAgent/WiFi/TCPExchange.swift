import HILPOSIX
import HILTiming
import HILWiFi
import RadioModel

/// Sends a request over TCP and reads the answer.
enum TCPExchange {
    /// The longest answer in bytes: 1 MiB.
    static let limit = 1 << 20

    /// Connects, sends, and reads until the peer closes the connection.
    ///
    /// - Parameter interface: The network interface to use; nil for the kernel's choice.
    /// - Throws: ``RadioModel/RadioError/noAnswer(_:)`` if the peer does not answer in time or breaks the connection.
    static func run(
        _ request: [UInt8], with address: String, port: UInt16, over interface: String?, within limit: Duration
    ) async throws -> [UInt8] {
        let target = "\(address):\(port)"
        guard let peer = try? internetAddress(address, port: port) else {
            throw RadioError.invalid("\(address) is not an IPv4 address")
        }
        do {
            return try await withDeadline(limit, waitingFor: "\(target) to answer") {
                let socket = try await TCPSocket(connectingTo: peer, over: interface)
                try await socket.send(request)
                var answer: [UInt8] = []
                while true {
                    let bytes = try await socket.receive()
                    if bytes.isEmpty { return answer }
                    answer += bytes
                    guard answer.count <= TCPExchange.limit else {
                        throw RadioError.noAnswer("\(target): the answer is longer than \(TCPExchange.limit) bytes")
                    }
                }
            }
        } catch let error as TimedOut {
            throw RadioError.noAnswer("\(target): \(error)")
        } catch let error as SystemError {
            throw RadioError.noAnswer("\(target): \(error)")
        }
    }
}

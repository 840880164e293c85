import HILPOSIX
import RadioModel

/// A controller behind a Unix socket that speaks H4, as the virtual air offers it.
package final class SocketTransport: ControllerTransport {
    package let packets: AsyncThrowingStream<[UInt8], any Error>
    private let socket: Descriptor

    /// - Parameter path: The path of the socket.
    /// - Throws: ``RadioModel/RadioError/rig(_:)`` if nothing listens there.
    package convenience init(path: String) throws(RadioError) {
        do { self.init(try UnixSocket.connect(to: path)) } catch {
            throw .rig("the phone's controller cannot be reached: \(error)")
        }
    }

    /// - Parameter socket: Connected to the controller.
    init(_ socket: Descriptor) {
        self.socket = socket
        let (packets, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        self.packets = packets
        startThread(named: "phone-hci") {
            var reader = H4Reader(sentBy: .controller)
            do {
                while case let bytes = try socket.read(), !bytes.isEmpty {
                    reader.push(bytes)
                    while let packet = try reader.next() { continuation.yield(packet) }
                }
                continuation.finish()
            } catch let error as H4Reader.Malformed {
                continuation.finish(
                    throwing: RadioError.rig("the phone's controller sent bytes that are not HCI: \(error)"))
            } catch {
                continuation.finish(throwing: RadioError.rig("the phone's controller is lost: \(error)"))
            }
            socket.close()
        }
    }

    deinit { close() }

    package func send(_ packet: [UInt8]) throws(RadioError) {
        do { try socket.write(packet) } catch { throw .rig("the phone's controller is lost: \(error)") }
    }

    package func close() { socket.shutDown() }
}

import BoardProtocol
import Foundation
import HILPOSIX
import RadioModel
import RigModel
import Synchronization

/// An air that gives host stacks a socket, and sends back what it receives.
final class EchoingAir: HostStackControl {
    let folder = NSTemporaryDirectory() + "stacks-\(UUID().uuidString.prefix(8))"
    private let detached = Mutex<[AdapterID]>([])
    private let connection = Mutex<Descriptor?>(nil)

    var detachedStacks: [AdapterID] { detached.withLock { $0 } }

    func attachStack(at address: DeviceAddress?) async throws -> HostStackPort {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let listener = try UnixSocket.listen(at: "\(folder)/stack")
        startThread(named: "echo") { [self] in
            guard let socket = try? UnixSocket.accept(on: listener) else { return }
            connection.withLock { $0 = socket }
            while let bytes = try? socket.read(), !bytes.isEmpty { try? socket.write(bytes) }
        }
        let own = DeviceAddress("02:00:00:00:02:B8")!
        return HostStackPort(adapter: 8, address: address ?? own, socket: "\(folder)/stack")
    }

    /// Ends the connection, as an air does that cuts a program off.
    func hangUp() { connection.withLock { $0?.shutDown() } }

    func detachStack(_ adapter: AdapterID) async throws {
        detached.withLock { $0.append(adapter) }
        connection.withLock { $0?.shutDown() }
        try? FileManager.default.removeItem(atPath: folder)
    }
}

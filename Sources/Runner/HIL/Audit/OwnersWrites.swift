import HILBluetoothHost
import RadioModel
import Synchronization

/// What the owner's phone writes to attributes, in order, each value once.
final class OwnersWrites: Sendable {
    struct Write: Sendable, Hashable {
        var handle: UInt16
        var value: [UInt8]
        /// Whether it was a Write Command, which has no answer.
        var isCommand = false
    }

    /// The most writes that are kept: the last ones.
    private static let most = 50

    private let writes = Mutex<[Write]>([])

    var all: [Write] { writes.withLock(\.self) }

    func note(_ packet: RawPacket) {
        guard packet.direction == .sent, packet.channel == RawPacket.attributes,
            let pdu = try? ATTPDU.decode(Array(packet.payload))
        else { return }
        switch pdu {
        case .writeRequest(let handle, let value): add(Write(handle: handle, value: value))
        case .writeCommand(let handle, let value): add(Write(handle: handle, value: value, isCommand: true))
        default: break
        }
    }

    private func add(_ write: Write) {
        writes.withLock { writes in
            writes.removeAll { $0 == write }
            writes = (writes + [write]).suffix(OwnersWrites.most)
        }
    }
}

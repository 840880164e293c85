import HILBluetoothHost
import RadioModel
import Synchronization

/// What the owner's phone writes to attributes, in order, each value once.
final class OwnersWrites: Sendable {
    /// How a value is written.
    enum Form: Sendable, Hashable {
        /// A Write Request.
        case request
        /// A Write Command, which has no answer.
        case command
        /// In pieces that are prepared, and then executed: it is too long for one packet.
        case long

        /// In words that follow what is written.
        var words: String {
            switch self {
            case .request: ""
            case .command: " without response"
            case .long: " in pieces"
            }
        }
    }

    struct Write: Sendable, Hashable {
        var handle: UInt16
        var value: [UInt8]
        var form = Form.request
    }

    private struct State {
        var writes: [Write] = []
        /// The values whose pieces have come, and that are not executed yet.
        var prepared: [Write] = []

        mutating func prepare(_ piece: AttributeWrite) {
            let known = prepared.firstIndex { $0.handle == piece.handle }
            // A piece at the beginning begins the value anew: the link may have been lost in the middle.
            var value = known.map { prepared[$0].value } ?? []
            guard piece.offset <= value.count else { return }
            value = Array((value.prefix(Int(piece.offset)) + piece.value).prefix(OwnersWrites.longest))
            if let known { prepared.remove(at: known) }
            prepared = (prepared + [Write(handle: piece.handle, value: value, form: .long)]).suffix(OwnersWrites.most)
        }

        mutating func add(_ write: Write) {
            writes.removeAll { $0 == write }
            writes = (writes + [write]).suffix(OwnersWrites.most)
        }
    }

    /// The most writes that are kept: the last ones.
    private static let most = 50
    /// An attribute has at most so many bytes (Core Specification 6.0, Vol 3, Part F, 3.2.9).
    private static let longest = 512

    private let state = Mutex(State())

    var all: [Write] { state.withLock(\.writes) }

    func note(_ packet: RawPacket) {
        guard packet.direction == .sent, packet.channel == RawPacket.attributes,
            let pdu = try? ATTPDU.decode(Array(packet.payload))
        else { return }
        state.withLock { state in
            switch pdu {
            case .writeRequest(let handle, let value): state.add(Write(handle: handle, value: value))
            case .writeCommand(let handle, let value): state.add(Write(handle: handle, value: value, form: .command))
            case .prepareWriteRequest(let piece): state.prepare(piece)
            case .executeWriteRequest(let commits):
                if commits { for write in state.prepared { state.add(write) } }
                state.prepared = []
            default: break
            }
        }
    }
}

import BoardProtocol

/// An event that the air sends to all its clients.
package enum AirEvent: Sendable, Hashable, Codable {
    /// A radio is plugged in, under this name.
    case attached(BoardRole, AirRadio, adapter: AdapterID = .first, name: String)
    /// A radio was pulled out; the reason is empty if a client asked for that.
    case detached(BoardRole, AirRadio, adapter: AdapterID = .first, reason: String)
    /// A board's port is gone: its virtual machine ended or closed it.
    case lost(BoardRole, AirRadio)
    /// Bytes from a board or a client were not a valid message, and were skipped.
    case refused(from: String, why: String)
    /// A fault fired: the fault, the packet, and its count out of all ordered firings.
    case fired(fault: String, packet: String?, count: Int, of: Int)
    /// The boards have reached the end of a walk, at this distance in metres; nil is out of range.
    case arrived(metres: Double?)
    /// The host stack of this controller connected, disconnected, or sent something wrong.
    case hostStack(AdapterID, HostStackEvent)
    /// The capture ended early, for this reason.
    case captureFailed(String)
}

/// The names in JSON of values that have no label.
extension AirEvent {
    enum AttachedCodingKeys: String, CodingKey { case _0 = "board", _1 = "radio", adapter, name }
    enum DetachedCodingKeys: String, CodingKey { case _0 = "board", _1 = "radio", adapter, reason }
    enum LostCodingKeys: String, CodingKey { case _0 = "board", _1 = "radio" }
    enum HostStackCodingKeys: String, CodingKey { case _0 = "adapter", _1 = "event" }
    enum CaptureFailedCodingKeys: String, CodingKey { case _0 = "why" }
}

extension AirEvent: CustomStringConvertible {
    package var description: String {
        switch self {
        case .attached(let board, let radio, _, let name):
            "\(name) is plugged into the \(board.rawValue) board (\(radio.rawValue))"
        case .detached(let board, let radio, let adapter, let reason):
            "\(radio.rawValue)\(adapter == .first ? "" : " adapter \(adapter)") is pulled out of the "
                + "\(board.rawValue) board" + (reason.isEmpty ? "" : ": \(reason)")
        case .lost(let board, let radio): "the \(board.rawValue) board's \(radio.rawValue) port is gone"
        case .refused(let from, let why): "\(from): refused: \(why)"
        case .fired(let fault, let packet, let count, let all):
            "fault \(count) of \(all): \(fault)" + (packet.map { " (\($0))" } ?? "")
        case .arrived(let metres): metres.map { "the boards are \($0) m apart" } ?? "the boards are out of range"
        case .hostStack(.phone, let event): "the phone's host stack: \(event)"
        case .hostStack(let adapter, let event): "host stack \(adapter): \(event)"
        case .captureFailed(let why): "the capture ended: \(why)"
        }
    }
}

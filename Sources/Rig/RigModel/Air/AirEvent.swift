import BoardProtocol

/// What the air tells all its clients, unasked.
public enum AirEvent: Sendable, Hashable, Codable {
    /// A radio is plugged in, under this name.
    case attached(BoardRole, AirRadio, adapter: AdapterID = .first, name: String)
    /// A radio is gone; the reason is empty when that was asked for.
    case detached(BoardRole, AirRadio, adapter: AdapterID = .first, reason: String)
    /// A board's port is gone: its virtual machine ended or let go of it.
    case lost(BoardRole, AirRadio)
    /// Bytes from a board or a client were no message, and were skipped.
    case refused(from: String, why: String)
    /// A fault fired: which, at which packet, and the how manieth time of how many.
    case fired(fault: String, packet: String?, count: Int, of: Int)
    /// The boards are at the end of a walk.
    case arrived(metres: Double?)
    /// The capture ended early.
    case captureFailed(String)
}

/// What an event in JSON calls the values of its cases that have no label.
extension AirEvent {
    enum AttachedCodingKeys: String, CodingKey { case _0 = "board", _1 = "radio", adapter, name }
    enum DetachedCodingKeys: String, CodingKey { case _0 = "board", _1 = "radio", adapter, reason }
    enum LostCodingKeys: String, CodingKey { case _0 = "board", _1 = "radio" }
    enum CaptureFailedCodingKeys: String, CodingKey { case _0 = "why" }
}

extension AirEvent: CustomStringConvertible {
    public var description: String {
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
        case .captureFailed(let why): "the capture ended: \(why)"
        }
    }
}

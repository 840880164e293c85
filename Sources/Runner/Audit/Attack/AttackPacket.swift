import HILBluetoothHost
import RadioModel

/// A packet that an attacker sends on a link as it is: a frame of L2CAP with its header, right or wrong, or a piece of one.
package struct AttackPacket: Sendable, Hashable {
    package var bytes: [UInt8]
    /// Whether the link layer marks it as more of the frame before.
    package var continues = false
    /// Whether the next packet follows at once, although this one is a request that gets an answer.
    package var isHasty = false

    package init(_ bytes: [UInt8], continues: Bool = false, isHasty: Bool = false) {
        (self.bytes, self.continues, self.isHasty) = (bytes, continues, isHasty)
    }

    /// A frame.
    ///
    /// - Parameter length: The length that its header says; nil for the right one.
    init(_ channel: ChannelIdentifier, _ payload: [UInt8], saying length: Int? = nil, isHasty: Bool = false) {
        var bytes: [UInt8] = []
        bytes.append(uint16: UInt16(truncatingIfNeeded: length ?? payload.count))
        bytes.append(uint16: channel.rawValue)
        self.init(bytes + payload, isHasty: isHasty)
    }

    /// The frame, if it is a whole one.
    private var frame: L2CAPFrame? { continues ? nil : try? L2CAPFrame(bytes) }

    /// The request of the attribute protocol that it is, if the peer's application may take its time to answer it.
    ///
    /// A further request meanwhile is a mistake of the attacker's, for which most peers end the link.
    package var question: ATTOpcode? {
        guard !isHasty, let frame, frame.channel == .attributes, let pdu = try? ATTPDU.decode(frame.payload) else {
            return nil
        }
        switch pdu.opcode {
        case .readRequest, .readBlobRequest, .readMultipleRequest, .readMultipleVariableRequest, .writeRequest,
            .prepareWriteRequest, .executeWriteRequest, .readByTypeRequest:
            return pdu.opcode
        default: return nil
        }
    }

    /// Whether a frame answers this kind of request.
    package static func answers(_ frame: L2CAPFrame, _ question: ATTOpcode) -> Bool {
        guard frame.channel == .attributes else { return false }
        return frame.payload.first == question.response?.rawValue
            || frame.payload.starts(with: [ATTOpcode.errorResponse.rawValue, question.rawValue])
    }
}

// The text of a packet: `+` before a continuation, `!` before a hasty one, and its bytes in hexadecimal.
extension AttackPacket {
    package init?(_ text: some StringProtocol) {
        var rest = Substring(text)
        var isHasty = false
        var continues = false
        while let mark = rest.first, mark == "+" || mark == "!" {
            if mark == "+" { continues = true } else { isHasty = true }
            rest = rest.dropFirst()
        }
        guard let bytes = Hex.bytes(rest.utf8) else { return nil }
        self.init(bytes, continues: continues, isHasty: isHasty)
    }

    /// What ``init(_:)-swift.init`` reads.
    package var text: String { (continues ? "+" : "") + (isHasty ? "!" : "") + Hex.text(bytes) }
}

extension AttackPacket: CustomStringConvertible {
    /// Its name and its first bytes: `Write Request, handle 0x0012: 12 12 00 FF (3 bytes more)`.
    package var description: String {
        guard !continues else { return "more of the frame before: \(Hex.spaced(bytes))" }
        guard let frame else { return "a frame with a wrong header: \(Hex.spaced(bytes))" }
        return "\(AttackPacket.name(of: frame)): \(Hex.spaced(frame.payload))"
    }

    private static func name(of frame: L2CAPFrame) -> String {
        guard let code = frame.payload.first else { return "an empty frame on \(frame.channel)" }
        switch frame.channel {
        case .attributes:
            if let pdu = try? ATTPDU.decode(frame.payload) { return "\(pdu)" }
            return ATTOpcode(rawValue: code).map { "a malformed \($0.name)" } ?? "an unknown ATT opcode"
        case .securityManager:
            return SMPCommand.Code(rawValue: code).map { "\($0)" } ?? "an unknown SMP code"
        case .leSignaling: return SignalingCode(rawValue: code)?.name ?? "an unknown signalling code"
        default: return "a frame on \(frame.channel)"
        }
    }
}

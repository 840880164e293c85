import HILBluetoothHost
import RadioModel

/// Puts packets of the links of a phone and an accessory together to procedures.
struct ConversationBuilder: Sendable {
    /// The most procedures of one conversation, so that a hostile capture does not take all memory.
    static let most = 50_000

    /// A frame's place.
    struct Place: Sendable {
        var frame: Int
        /// Nanoseconds since the first frame of the capture.
        var time: UInt64
    }

    var conversation: Conversation
    /// The number of the current link, from 1.
    private(set) var link = 0
    /// The attributes of the server on each side.
    var attributes: [Procedure.Side: AttributeNames] = [:]
    /// The procedure that an answer to each client belongs to.
    var asking: [Procedure.Side: Int] = [:]
    /// The last procedure of each client, which its next request may continue.
    var last: [Procedure.Side: Int] = [:]
    var pairing: Int?
    /// Whether a pairing of this link reached its keys.
    var hasPaired = false
    private var latest: [Procedure.Kind: Int] = [:]

    init(_ name: String, _ vantage: Conversation.Vantage, interface: String, accessory: String) {
        conversation = Conversation(
            name: name, vantage: vantage, interface: interface, phones: [], accessory: accessory)
    }

    /// A new link.
    mutating func beginLink(with phone: String) {
        link += 1
        // A server may have changed between links, but a phone with a bond discovers nothing again.
        (asking, last, latest, pairing, hasPaired) = ([:], [:], [:], nil, false)
        if !conversation.phones.contains(phone) { conversation.phones.append(phone) }
    }

    /// Adds a procedure.
    ///
    /// - Returns: Its index; nil if there are too many.
    @discardableResult
    mutating func add(
        _ kind: Procedure.Kind, by side: Procedure.Side, _ subject: String = "", _ values: [(String, String)] = [],
        at place: Place
    ) -> Int? {
        guard conversation.procedures.count < ConversationBuilder.most else {
            gap("there is more than \(ConversationBuilder.most) procedures; the rest is left out")
            return nil
        }
        conversation.procedures.append(
            Procedure(
                kind: kind, side: side, subject: subject,
                values: values.map { Procedure.Value(name: $0.0, text: $0.1) },
                frame: place.frame, lastFrame: place.frame, time: place.time, link: link))
        let index = conversation.procedures.count - 1
        latest[kind] = index
        return index
    }

    /// Adds a frame to a procedure, and values to it.
    mutating func extend(_ index: Int?, _ values: [(String, String)] = [], at place: Place) {
        guard let index, conversation.procedures.indices.contains(index) else { return }
        conversation.procedures[index].lastFrame = place.frame
        for value in values { conversation.procedures[index].set(value.0, value.1) }
    }

    /// Adds the result to the latest procedure of a kind on this link, or a procedure with the result alone.
    mutating func finish(
        _ kind: Procedure.Kind, by side: Procedure.Side, _ values: [(String, String)], at place: Place
    ) {
        if let index = latest[kind] { return extend(index, values, at: place) }
        add(kind, by: side, "", values, at: place)
    }

    /// Adds the result to the latest procedure of a kind on this link, if there is one.
    mutating func complete(_ kind: Procedure.Kind, _ values: [(String, String)], at place: Place) {
        extend(latest[kind], values, at: place)
    }

    mutating func gap(_ text: String) {
        if !conversation.gaps.contains(text) { conversation.gaps.append(text) }
    }

    func procedure(_ index: Int?) -> Procedure? {
        index.flatMap { conversation.procedures.indices.contains($0) ? conversation.procedures[$0] : nil }
    }
}

extension Procedure.Side {
    var other: Procedure.Side { self == .phone ? .accessory : .phone }
}

// L2CAP.
extension ConversationBuilder {
    /// Takes a whole frame of L2CAP with its header.
    mutating func take(_ bytes: [UInt8], from side: Procedure.Side, at place: Place) {
        guard let frame = try? L2CAPFrame(bytes) else {
            return gap("frame \(place.frame) is no whole frame of L2CAP")
        }
        switch frame.channel {
        case .attributes: takeAttributes(frame.payload, from: side, at: place)
        case .securityManager: takeSecurity(frame.payload, from: side, at: place)
        case .leSignaling:
            for packet in SignalingPacket.split(frame.payload).packets { takeSignal(packet, from: side, at: place) }
        case _ where frame.channel.rawValue < 0x40:
            add(
                .greeting, by: side, "0x\(Hex.text([UInt8(frame.channel.rawValue & 0xFF)]))",
                [("bytes", Hex.text(frame.payload.prefix(64)))], at: place)
        default: break
        }
    }

    private mutating func takeSignal(_ packet: SignalingPacket, from side: Procedure.Side, at place: Place) {
        guard packet.isWhole, let code = SignalingCode(rawValue: packet.code),
            let command = try? SignalingCommand(code, data: packet.data)
        else { return gap("frame \(place.frame) has a signalling command of an unknown form") }
        switch command {
        case .parameterUpdateRequest(let parameters):
            add(.connectionParameters, by: side, "", [("asked for", "\(parameters)")], at: place)
        case .parameterUpdateResponse(let isAccepted):
            finish(
                .connectionParameters, by: side.other, [("answer", isAccepted ? "accepted" : "rejected")], at: place)
        case .creditBasedConnectionRequest(let psm, _, let terms), .enhancedConnectionRequest(let psm, let terms, _):
            add(
                .channel, by: side, "PSM 0x\(Hex.text([UInt8(psm >> 8), UInt8(psm & 0xFF)]))",
                [("MTU", "\(terms.mtu)"), ("MPS", "\(terms.mps)"), ("credits", "\(terms.credits)")], at: place)
        case .creditBasedConnectionResponse(_, _, let result):
            finish(.channel, by: side.other, [("result", result == 0 ? "open" : "refused (\(result))")], at: place)
        default: break
        }
    }
}

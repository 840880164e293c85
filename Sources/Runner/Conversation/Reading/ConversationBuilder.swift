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

    /// What the next packets of one link can belong to.
    struct OngoingProcedures: Sendable {
        /// The procedure that an answer to each client belongs to.
        var asking: [Procedure.Side: Int] = [:]
        /// The last procedure of each client, which its next request may continue.
        var last: [Procedure.Side: Int] = [:]
        var pairing: Int?
        /// The latest of each kind.
        var latest: [Procedure.Kind: Int] = [:]
    }

    /// What could not be read, once for all frames that have it.
    private struct Flaw: Sendable {
        var text: String
        var first: Int
        var count = 1

        var description: String {
            count == 1 ? "frame \(first) has \(text)" : "\(count) frames have \(text); the first is frame \(first)"
        }
    }

    var conversation: Conversation
    /// The number of the link that packets are taken from, from 1.
    private(set) var link = 0
    var ongoing = OngoingProcedures()
    /// Those of the other links that are up.
    private var others: [Int: OngoingProcedures] = [:]
    private var isUp = false
    /// The attributes of the server on each side.
    var attributes: [Procedure.Side: AttributeNames] = [:]
    private var phones: Set<String> = []
    private var flaws: [Flaw] = []

    init(_ name: String, _ vantage: Conversation.Vantage, interface: String, accessory: String) {
        conversation = Conversation(
            name: name, vantage: vantage, interface: interface, phones: [], accessory: accessory)
    }

    /// The conversation with what could not be read.
    var finished: Conversation {
        var whole = conversation
        whole.gaps += flaws.map(\.description)
        return whole
    }

    /// A new link, from which packets are taken until another is resumed.
    ///
    /// - Returns: Its number.
    @discardableResult
    mutating func beginLink(_ begun: Conversation.Link) -> Int {
        leave()
        conversation.links.append(begun)
        // A server may have changed between links, but a phone with a bond discovers nothing again.
        (link, ongoing, isUp) = (conversation.links.count, OngoingProcedures(), true)
        if phones.insert(begun.phone).inserted { conversation.phones.append(begun.phone) }
        return link
    }

    /// The next packets are of this link, one of several that are up.
    mutating func resume(_ number: Int) {
        guard number != link else { return }
        leave()
        (link, ongoing, isUp) = (number, others.removeValue(forKey: number) ?? OngoingProcedures(), true)
    }

    /// The link is down.
    mutating func endLink() { (ongoing, isUp) = (OngoingProcedures(), false) }

    private mutating func leave() { if isUp { others[link] = ongoing } }

    /// The capture does not show the content of a packet of the link.
    mutating func missed(at place: Place) {
        guard conversation.links.indices.contains(link - 1), conversation.links[link - 1].firstUnseen == nil else {
            return
        }
        conversation.links[link - 1].firstUnseen = place.frame
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
        ongoing.latest[kind] = index
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
        if let index = ongoing.latest[kind] { return extend(index, values, at: place) }
        add(kind, by: side, "", values, at: place)
    }

    /// Adds the result to the latest procedure of a kind on this link.
    ///
    /// - Returns: Whether there is one.
    @discardableResult
    mutating func complete(_ kind: Procedure.Kind, _ values: [(String, String)], at place: Place) -> Bool {
        extend(ongoing.latest[kind], values, at: place)
        return ongoing.latest[kind] != nil
    }

    /// The latest procedure of a kind on this link.
    func latest(_ kind: Procedure.Kind) -> Procedure? { procedure(ongoing.latest[kind]) }

    /// The link has new parameters: the result of what an end asked for, or what the phone chose unasked.
    mutating func changeParameters(_ result: String, at place: Place) {
        let isAsked = latest(.connectionParameters).map { $0["result"] == nil && $0["answer"] != "rejected" } ?? false
        guard !isAsked else {
            complete(.connectionParameters, [("result", result)], at: place)
            return
        }
        add(.connectionParameters, by: .phone, "", [("result", result)], at: place)
    }

    mutating func gap(_ text: String) {
        if !conversation.gaps.contains(text) { conversation.gaps.append(text) }
    }

    /// - Parameter text: What frames have: `a PDU of an unknown form`. There are few such texts.
    mutating func flaw(_ text: String, at place: Place) {
        if let index = flaws.firstIndex(where: { $0.text == text }) {
            flaws[index].count += 1
        } else {
            flaws.append(Flaw(text: text, first: place.frame))
        }
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
            missed(at: place)
            return flaw("a part of a frame of L2CAP, without the rest", at: place)
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
        else { return flaw("a signalling command of an unknown form", at: place) }
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

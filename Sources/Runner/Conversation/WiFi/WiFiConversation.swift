import RadioModel

/// Finds the conversations of stations with access points in frames of 802.11.
struct WiFiConversation: Sendable {
    /// A station and an access point.
    struct Pair: Hashable {
        var station, accessPoint: String
    }

    /// How far a station has come.
    enum Phase {
        case authenticating, associated, away
    }

    struct Member {
        var builder: ConversationBuilder
        var phase = Phase.away
        /// The procedure that the next frames of its kind belong to.
        var open: [Procedure.Kind: Int] = [:]
        /// The identifier of the exchange of DHCP.
        var exchange: [UInt8] = []
        /// Which query of a name, or connection to a port, is which procedure.
        var asked: [String: Int] = [:]
        /// How many requests of this link were taken.
        var requests = 0
    }

    /// The question of a station for a network.
    private struct Probe: Sendable {
        /// Empty for any.
        var network: String
        var procedure: Procedure
    }

    /// So that a hostile capture does not take all memory.
    private static let mostMembers = 256
    private static let mostProbes = 64
    private static let mostHeard = 4096
    /// The most requests of one link. Firmware meets the first ones.
    static let mostRequests = 200

    let name: String
    let interface: String
    var members: [Pair: Member] = [:]
    private var order: [Pair] = []
    /// The first beacon of each access point.
    private var heard: [String: Procedure] = [:]
    /// What stations asked for before they authenticated.
    private var probes: [String: [Probe]] = [:]
    /// The last number of each sender, to know frames that were sent again.
    private var numbers: [String: UInt16] = [:]

    init(name: String, interface: String) { (self.name, self.interface) = (name, interface) }

    var conversations: [Conversation] {
        order.compactMap { pair in
            guard var conversation = members[pair]?.builder.conversation else { return nil }
            // A question for another network is no part of this conversation.
            let asked = probes[pair.station]?.filter { $0.network.isEmpty || $0.network == conversation.network }
            let beside = (heard[pair.accessPoint].map { [$0] } ?? []) + (asked?.map(\.procedure) ?? [])
            conversation.procedures = (beside + conversation.procedures).sorted { $0.frame < $1.frame }
            let isInClear = conversation.procedures.contains { WiFiConversation.dataKinds.contains($0.kind) }
            if !isInClear, !conversation.all(.association).isEmpty {
                conversation.hidden = WiFiConversation.dataKinds
                conversation.gaps.append(WiFiConversation.hiddenText)
            }
            return conversation
        }
    }

    /// What data frames show.
    static let dataKinds: [Procedure.Kind] = [
        .addressLease, .nameQuery, .serviceQuery, .webRequest, .connectionToPort,
    ]

    private static let hiddenText =
        "no data frame of this Wi-Fi link is readable: DHCP and requests cannot be seen. Put a file 80211_keys beside the "
        + "capture, with lines such as \"wpa-pwd\",\"passphrase:name of the network\"; the capture must have the 4-way "
        + "handshake. SAE needs the link's own key: \"wpa-psk\",\"64 digits\""

    mutating func take(_ packet: WiFiPacket, at place: ConversationBuilder.Place) {
        guard let header = WiFiHeader(packet.header) else { return }
        if let number = header.number {
            if header.isRepeated, numbers[header.sender] == number { return }
            if numbers.count < WiFiConversation.mostHeard || numbers[header.sender] != nil {
                numbers[header.sender] = number
            }
        }
        switch packet.body {
        case .management(let bytes) where header.type == 0: management(header, bytes, at: place)
        case .management: break
        default: data(header, packet.body, at: place)
        }
    }

    private mutating func management(
        _ header: WiFiHeader, _ bytes: [UInt8], at place: ConversationBuilder.Place
    ) {
        switch header.subtype {
        case 4: probe(header, WiFiElements(bytes[...]), at: place)
        // A beacon and a probe response: time, interval and capabilities come first.
        case 5, 8: hear(header.sender, WiFiElements(bytes.dropFirst(12)), at: place)
        case 11: authentication(header, bytes, at: place)
        case 0, 1, 2, 3: association(header, bytes, at: place)
        case 10, 12: leaving(header, bytes, at: place)
        default: break
        }
    }

    private mutating func hear(
        _ accessPoint: String, _ elements: WiFiElements, at place: ConversationBuilder.Place
    ) {
        guard heard[accessPoint] == nil, heard.count < WiFiConversation.mostHeard else { return }
        let values = elements.protection.map { ("accessory's \($0.0)", $0.1) }
        heard[accessPoint] = WiFiConversation.procedure(.network, .accessory, "", values, at: place)
    }

    private mutating func probe(
        _ header: WiFiHeader, _ elements: WiFiElements, at place: ConversationBuilder.Place
    ) {
        let network = elements.network ?? ""
        guard probes[header.sender] != nil || probes.count < WiFiConversation.mostHeard else { return }
        var all = probes[header.sender] ?? []
        defer { probes[header.sender] = all }
        // The same probe, on other channels, is the same procedure; a phone that has joined scans for others.
        if let last = all.lastIndex(where: { $0.network == network }) {
            all[last].procedure.lastFrame = place.frame
            return
        }
        let hasJoined = order.contains { $0.station == header.sender && members[$0]?.phase == .associated }
        guard !hasJoined, all.count < WiFiConversation.mostProbes else { return }
        let values = [("rates", elements.rates), ("standards", elements.standards), ("elements", elements.order)]
        all.append(
            Probe(
                network: network,
                procedure: WiFiConversation.procedure(
                    .probe, .phone, network.isEmpty ? "any network" : "by name", values, at: place)))
    }

    private static func procedure(
        _ kind: Procedure.Kind, _ side: Procedure.Side, _ subject: String, _ values: [(String, String)],
        at place: ConversationBuilder.Place
    ) -> Procedure {
        Procedure(
            kind: kind, side: side, subject: subject,
            values: values.map { Procedure.Value(name: $0.0, text: $0.1) },
            frame: place.frame, lastFrame: place.frame, time: place.time, link: 0)
    }

    /// Does something with a pair, which may be new.
    mutating func with(_ pair: Pair, isNew: Bool, _ body: (inout Member) -> Void) {
        if members[pair] == nil {
            guard isNew, members.count < WiFiConversation.mostMembers else { return }
            order.append(pair)
            members[pair] = Member(
                builder: ConversationBuilder(name, .wifi, interface: interface, accessory: pair.accessPoint))
        }
        guard var member = members.removeValue(forKey: pair) else { return }
        body(&member)
        members[pair] = member
    }

    /// The pairs of an access point that are, or come, together.
    func present(at accessPoint: String) -> [Pair] {
        order.filter { $0.accessPoint == accessPoint && members[$0]?.phase != .away }
    }
}

extension WiFiConversation.Member {
    /// A new attempt of the station to join.
    mutating func begin(_ station: String) {
        builder.beginLink(Conversation.Link(phone: station))
        (open, asked, exchange, requests, phase) = ([:], [:], [], 0, .authenticating)
    }

    /// Adds to the open procedure of a kind, or opens one.
    mutating func continueOrAdd(
        _ kind: Procedure.Kind, by side: Procedure.Side, _ values: [(String, String)],
        at place: ConversationBuilder.Place
    ) {
        if let index = open[kind] { return builder.extend(index, values, at: place) }
        open[kind] = builder.add(kind, by: side, "", values, at: place)
    }

    func value(_ kind: Procedure.Kind, _ name: String) -> String? { builder.procedure(open[kind])?[name] }
}

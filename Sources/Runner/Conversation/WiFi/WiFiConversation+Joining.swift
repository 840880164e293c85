import RadioModel

// Authentication, association, and the handshakes.
extension WiFiConversation {
    /// A frame between a station and an access point: which is which.
    private func pair(_ station: String, _ accessPoint: String) -> Pair {
        Pair(station: station, accessPoint: accessPoint)
    }

    mutating func authentication(_ header: WiFiHeader, _ bytes: [UInt8], at place: ConversationBuilder.Place) {
        let octets = Octets(bytes)
        guard let algorithm = octets.little16(0), let step = octets.little16(2), let status = octets.little16(4) else {
            return
        }
        // The third address is that of the access point.
        let accessPoint = header.bytes.count >= 22 ? WiFiHeader.address(header.bytes[16..<22]) : header.receiver
        let isByStation = header.sender != accessPoint
        let pair = pair(isByStation ? header.sender : header.receiver, accessPoint)
        guard pair.station != pair.accessPoint else { return }
        let group = algorithm == 3 && step == 1 ? octets.little16(6) : nil
        let isByElement = status == 126
        with(pair, isNew: isByStation && step == 1) { member in
            if isByStation, step == 1 {
                if member.phase != .authenticating { member.begin(pair.station) }
                var values = [("algorithm", WiFiConversation.algorithm(algorithm))]
                if let group {
                    let before = member.value(.authentication, "groups")?.components(of: ", ") ?? []
                    values.append(
                        ("groups", (before.filter { $0 != "\(group)" } + ["\(group)"]).joined(separator: ", ")))
                    values.append(("form", isByElement ? "hash to element" : "hunting and pecking"))
                }
                member.continueOrAdd(.authentication, by: .phone, values, at: place)
            } else {
                member.builder.extend(member.open[.authentication], at: place)
            }
            guard !isByStation else { return }
            WiFiConversation.answer(&member, algorithm, step, status, at: place)
        }
    }

    private static func answer(
        _ member: inout Member, _ algorithm: UInt16, _ step: UInt16, _ status: UInt16,
        at place: ConversationBuilder.Place
    ) {
        // 76 asks for a token, 77 refuses a group, 126 is success with a hash to an element: more frames follow.
        switch (algorithm, status) {
        case (3, 76): member.builder.extend(member.open[.authentication], [("token", "asked for")], at: place)
        case (3, 77): member.builder.extend(member.open[.authentication], [("group", "refused")], at: place)
        case (3, 0) where step == 1, (3, 126) where step == 1: break
        case (_, 0):
            member.builder.extend(member.open[.authentication], [("result", "authenticated")], at: place)
        default:
            member.builder.extend(
                member.open[.authentication], [("result", "refused (status \(status))")], at: place)
            member.phase = .away
        }
    }

    private static func algorithm(_ number: UInt16) -> String {
        let names: [UInt16: String] = [0: "open", 1: "shared key", 2: "fast transition", 3: "SAE", 4: "FILS"]
        return names[number] ?? "\(number)"
    }

    mutating func association(_ header: WiFiHeader, _ bytes: [UInt8], at place: ConversationBuilder.Place) {
        let octets = Octets(bytes)
        guard header.subtype & 1 == 0 else {
            guard let status = octets.little16(2) else { return }
            let result = status == 0 ? "associated" : "refused (status \(status))"
            return with(pair(header.receiver, header.sender), isNew: false) { member in
                member.builder.extend(member.open[.association], [("result", result)], at: place)
                member.phase = status == 0 ? .associated : .away
            }
        }
        // Capabilities and the listen interval come first, and the present access point in a reassociation.
        let elements = WiFiElements(octets.from(header.subtype == 0 ? 4 : 10))
        let values =
            [("form", header.subtype == 0 ? "association" : "reassociation")] + elements.protection + [
                ("rates", elements.rates), ("standards", elements.standards), ("elements", elements.order),
                ("listen interval", octets.little16(2).map { "\($0)" } ?? "none"),
            ]
        with(pair(header.sender, header.receiver), isNew: true) { member in
            if member.phase == .away || member.open[.association] != nil { member.begin(header.sender) }
            if let network = elements.network, !network.isEmpty { member.builder.conversation.network = network }
            member.continueOrAdd(.association, by: .phone, values, at: place)
        }
    }

    mutating func leaving(_ header: WiFiHeader, _ bytes: [UInt8], at place: ConversationBuilder.Place) {
        let reason = Octets(bytes).little16(0)
        // A reason that is encrypted, as protected management frames are, says nothing.
        let isProtected = header.bytes[1] & 0x40 != 0
        let values = [("reason", isProtected ? "encrypted" : reason.map(WiFiConversation.reason) ?? "none")]
        func end(_ pair: Pair, _ side: Procedure.Side) {
            with(pair, isNew: false) { member in
                guard member.phase != .away else { return }
                member.builder.add(.leaving, by: side, "", values, at: place)
                member.phase = .away
            }
        }
        end(pair(header.sender, header.receiver), .phone)
        let present = header.isForOne ? [pair(header.receiver, header.sender)] : present(at: header.sender)
        for pair in present { end(pair, .accessory) }
    }

    /// IEEE 802.11-2020, table 9-49.
    private static func reason(_ number: UInt16) -> String {
        let names: [UInt16: String] = [
            1: "unspecified", 2: "authentication no longer valid", 3: "leaving", 4: "inactivity",
            5: "too many stations",
            6: "not authenticated", 7: "not associated", 8: "leaving", 13: "invalid element", 14: "wrong MIC",
            15: "4-way handshake timed out", 16: "group key handshake timed out", 23: "802.1X failed",
        ]
        return names[number].map { "\($0) (\(number))" } ?? "\(number)"
    }
}

// 802.1X (IEEE 802.1X-2020, 11.3), and the handshakes of keys (IEEE 802.11-2020, 12.7.2).
extension WiFiConversation {
    mutating func eapol(
        _ pair: Pair, isByStation: Bool, _ bytes: [UInt8], at place: ConversationBuilder.Place
    ) {
        let octets = Octets(bytes)
        switch octets[1] {
        case 0: enterprise(pair, octets, at: place)
        case 3: key(pair, isByStation: isByStation, octets, at: place)
        default: break
        }
    }

    private mutating func enterprise(_ pair: Pair, _ octets: Octets, at place: ConversationBuilder.Place) {
        guard let code = octets[4] else { return }
        let names: [UInt8: String] = [
            3: "refusal of a method", 4: "MD5", 13: "TLS", 18: "SIM", 21: "TTLS", 23: "AKA", 25: "PEAP", 26: "MSCHAPv2",
            43: "FAST", 50: "AKA'", 52: "PWD",
        ]
        with(pair, isNew: false) { member in
            var values: [(String, String)] = []
            switch (code, octets[8]) {
            case (1, let type?) where type > 2, (2, let type?) where type > 2:
                let method = names[type] ?? "method \(type)"
                let before = member.value(.enterpriseLogin, "methods")
                let list = before?.components(of: ", ") ?? []
                if !list.contains(method), list.count < 16 {
                    values = [("methods", (list + [method]).joined(separator: ", "))]
                }
            case (3, _): values = [("result", "success")]
            case (4, _): values = [("result", "failure")]
            default: break
            }
            member.continueOrAdd(.enterpriseLogin, by: .phone, values, at: place)
        }
    }

    private mutating func key(
        _ pair: Pair, isByStation: Bool, _ octets: Octets, at place: ConversationBuilder.Place
    ) {
        guard let flags = octets.big16(5), let length = WiFiConversation.dataLength(octets) else { return }
        let isAnswered = flags & 0x80 != 0
        let (isPairwise, isProven) = (flags & 0x08 != 0, flags & 0x100 != 0)
        guard isPairwise else {
            return with(pair, isNew: false) { member in
                if isAnswered {
                    member.builder.add(.groupKey, by: .accessory, at: place)
                } else {
                    member.builder.finish(.groupKey, by: .accessory, [("result", "answered")], at: place)
                }
            }
        }
        // The second and the fourth message differ by their data.
        let message = isAnswered ? (isProven ? 3 : 1) : (length == 0 ? 4 : 2)
        guard isAnswered != isByStation else { return }
        with(pair, isNew: false) { member in
            if message == 1, member.value(.handshake, "result") == "complete" { member.open[.handshake] = nil }
            var values = [
                ("result", message == 4 ? "complete" : "ends after message \(message)"),
                ("keys", WiFiConversation.keyVersion(flags & 0x07)),
            ]
            if message == 2 { values.append(("data of message 2", "\(length) bytes")) }
            member.continueOrAdd(.handshake, by: .accessory, values, at: place)
        }
    }

    /// How long the data of a key frame is. A check code of 16 or of 24 bytes comes before it.
    private static func dataLength(_ octets: Octets) -> UInt16? {
        let exact = [97, 105].first { place in
            octets.big16(place).map { place + 2 + Int($0) == octets.bytes.count } ?? false
        }
        return octets.big16(exact ?? 97)
    }

    private static func keyVersion(_ number: UInt16) -> String {
        switch number {
        case 0: "by the method"
        case 1: "RC4 and MD5"
        case 2: "AES and SHA-1"
        default: "AES and CMAC"
        }
    }
}

extension String {
    /// The parts between separators of plain ASCII.
    fileprivate func components(of separator: String) -> [String] {
        split(separator: separator).map(String.init)
    }
}

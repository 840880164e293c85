import RadioModel

// What a station does on the network: an address, names, requests.
extension WiFiConversation {
    mutating func data(_ header: WiFiHeader, _ body: WiFiPacket.Body, at place: ConversationBuilder.Place) {
        // Frames for all come from the station, and from the access point again.
        let isByStation = header.isToAccessPoint
        guard isByStation || header.isFromAccessPoint else { return }
        let pair =
            isByStation
            ? Pair(station: header.sender, accessPoint: header.receiver)
            : Pair(station: header.receiver, accessPoint: header.sender)
        switch body {
        case .eapol(let bytes): eapol(pair, isByStation: isByStation, bytes, at: place)
        case .dhcp(let bytes): lease(pair, isByStation: isByStation, bytes, at: place)
        case .dns(let bytes, let isMulticast):
            query(pair, isByStation: isByStation, bytes, isMulticast: isMulticast, at: place)
        case .http(let bytes): web(pair, isByStation: isByStation, bytes, at: place)
        case .tcp(let bytes): connection(pair, isByStation: isByStation, bytes, at: place)
        case .management: break
        }
    }

    /// A message of DHCP (RFC 2131).
    private mutating func lease(
        _ pair: Pair, isByStation: Bool, _ bytes: [UInt8], at place: ConversationBuilder.Place
    ) {
        guard let message = LeaseMessage(bytes), message.isRequest == isByStation else { return }
        // An answer may be for all; then the address of the station is inside.
        let pair = Pair(station: isByStation ? pair.station : message.station, accessPoint: pair.accessPoint)
        with(pair, isNew: false) { member in
            if isByStation {
                let isSame = member.exchange == message.exchange
                if !isSame { member.open[.addressLease] = nil }
                member.exchange = message.exchange
                let isFirst = member.open[.addressLease] == nil
                let values = isFirst ? [("begins with", message.kind)] + message.wishes : []
                return member.continueOrAdd(.addressLease, by: .phone, values, at: place)
            }
            guard member.exchange == message.exchange else { return }
            member.builder.extend(
                member.open[.addressLease],
                message.kind == "Offer" ? message.terms : [("result", message.kind)] + message.terms, at: place)
        }
    }

    /// A message of DNS (RFC 1035), or of multicast DNS (RFC 6762).
    private mutating func query(
        _ pair: Pair, isByStation: Bool, _ bytes: [UInt8], isMulticast: Bool, at place: ConversationBuilder.Place
    ) {
        let octets = Octets(bytes)
        guard let flags = octets.big16(2), let (name, type) = DomainName.question(octets) else { return }
        let isAnswer = flags & 0x8000 != 0
        guard isAnswer != isByStation else { return }
        let kind: Procedure.Kind = isMulticast ? .serviceQuery : .nameQuery
        with(pair, isNew: false) { member in
            let key = "\(isMulticast ? "mdns" : "dns") \(name)"
            let index = member.asked[key]
            let known = member.builder.procedure(index)
            if isAnswer {
                let result = flags & 0x0F == 0 ? "answered" : "error \(flags & 0x0F)"
                return member.builder.extend(index, isMulticast ? [] : [("accessory's answer", result)], at: place)
            }
            guard let known else {
                return member.request(kind, name, [("types", type)], as: key, at: place)
            }
            let types = known["types"] ?? ""
            let isNew = !types.split(separator: ", ").contains(Substring(type)) && types.count < 60
            member.builder.extend(index, isNew ? [("types", "\(types), \(type)")] : [], at: place)
        }
    }

    private mutating func web(
        _ pair: Pair, isByStation: Bool, _ bytes: [UInt8], at place: ConversationBuilder.Place
    ) {
        let head = WebHead(bytes)
        with(pair, isNew: false) { member in
            guard isByStation else {
                let index = member.asked["http"]
                return member.builder.extend(index, head.status.map { [("accessory's answer", $0)] } ?? [], at: place)
            }
            guard let target = head.target else { return }
            let values = [("agent", head.agent ?? "none"), ("version", head.version ?? "none")]
            member.request(.webRequest, target, values, as: "http", at: place)
        }
    }

    private mutating func connection(
        _ pair: Pair, isByStation: Bool, _ bytes: [UInt8], at place: ConversationBuilder.Place
    ) {
        let octets = Octets(bytes)
        guard let source = octets.big16(0), let destination = octets.big16(2), let flags = octets[13] else { return }
        let (isSynchronizing, isAcknowledging, isReset) = (flags & 0x02 != 0, flags & 0x10 != 0, flags & 0x04 != 0)
        let key = isByStation ? "\(source) \(destination)" : "\(destination) \(source)"
        with(pair, isNew: false) { member in
            if isByStation, isSynchronizing, !isAcknowledging {
                // The same ports are the same request, sent again.
                if let index = member.asked[key] { return member.builder.extend(index, at: place) }
                member.request(.connectionToPort, "port \(destination)", [], as: key, at: place)
            } else if !isByStation, let index = member.asked[key], member.builder.procedure(index)?["result"] == nil {
                guard isReset || isSynchronizing else { return }
                member.builder.extend(index, [("result", isReset ? "refused" : "open")], at: place)
            }
        }
    }
}

extension WiFiConversation.Member {
    /// Adds a request of the station, unless it had enough of them.
    fileprivate mutating func request(
        _ kind: Procedure.Kind, _ subject: String, _ values: [(String, String)], as key: String,
        at place: ConversationBuilder.Place
    ) {
        guard requests < WiFiConversation.mostRequests else {
            return builder.gap("only the first \(WiFiConversation.mostRequests) requests of a Wi-Fi link are compared")
        }
        requests += 1
        asked[key] = builder.add(kind, by: .phone, subject, values, at: place)
    }
}

/// A message of DHCP (RFC 2131 and 2132).
private struct LeaseMessage {
    let isRequest: Bool
    let exchange: [UInt8]
    let station: String
    private var options: [(number: UInt8, value: ArraySlice<UInt8>)] = []

    init?(_ bytes: [UInt8]) {
        let octets = Octets(bytes)
        guard let operation = octets[0], let exchange = octets.slice(4, 4), let station = octets.slice(28, 6),
            octets.slice(236, 4).map(Array.init) == [0x63, 0x82, 0x53, 0x63]
        else { return nil }
        (isRequest, self.exchange, self.station) = (operation == 1, Array(exchange), WiFiHeader.address(station))
        var rest = octets.from(240)
        while let number = rest.first, number != 255, options.count < 128 {
            rest = rest.dropFirst()
            if number == 0 { continue }
            guard let length = rest.first else { break }
            let value = rest.dropFirst().prefix(Int(length))
            guard value.count == Int(length) else { break }
            options.append((number, value))
            rest = rest.dropFirst(1 + Int(length))
        }
    }

    private func option(_ number: UInt8) -> ArraySlice<UInt8>? { options.first { $0.number == number }?.value }

    /// `Discover`, `Request`, …
    var kind: String {
        let names = ["Discover", "Offer", "Request", "Decline", "Ack", "Nak", "Release", "Inform"]
        guard let number = option(53)?.first, number > 0, number <= names.count else { return "none" }
        return names[Int(number) - 1]
    }

    /// What a station asks for.
    var wishes: [(String, String)] {
        let asked = option(55).map { $0.map { "\($0)" }.joined(separator: " ") } ?? "nothing"
        let identifier = option(61).map { $0.first == 1 && $0.count == 7 ? "hardware address" : "\($0.count) bytes" }
        return [
            ("options asked for", asked), ("host name", option(12).map { OneLine.text($0.prefix(64)) } ?? "none"),
            ("vendor class", option(60).map { OneLine.text($0.prefix(64)) } ?? "none"),
            ("client identifier", identifier ?? "none"),
            ("longest message", Octets(option(57) ?? []).big16(0).map { "\($0) bytes" } ?? "none"),
            ("options", options.map { "\($0.number)" }.joined(separator: " ")),
        ]
    }

    /// What a server gives.
    var terms: [(String, String)] {
        let seconds = option(51).map { $0.prefix(4).reduce(0) { $0 << 8 | Int($1) } }
        return [
            ("accessory's lease", seconds.map { "\($0) s" } ?? "none"),
            ("accessory's options", options.map { "\($0.number)" }.joined(separator: " ")),
        ]
    }
}

private enum DomainName {
    /// The first question of a message: its name and type. Nil for none, and for a hostile form.
    static func question(_ octets: Octets) -> (String, String)? {
        guard let count = octets.big16(4), count > 0 else { return nil }
        var labels: [String] = []
        var place = 12
        while let length = octets[place], length > 0 {
            // A first name has nothing before it that it could point to.
            guard length < 64, labels.count < 32, let label = octets.slice(place + 1, Int(length)) else { return nil }
            labels.append(OneLine.text(label))
            place += 1 + Int(length)
        }
        guard !labels.isEmpty, let type = octets.big16(place + 1) else { return nil }
        let names: [UInt16: String] = [
            1: "A", 12: "PTR", 16: "TXT", 28: "AAAA", 33: "SRV", 64: "SVCB", 65: "HTTPS", 255: "ANY",
        ]
        return (labels.joined(separator: "."), names[type] ?? "type \(type)")
    }
}

/// The beginning of a request or an answer of HTTP.
private struct WebHead {
    private let lines: [String]

    init(_ bytes: [UInt8]) {
        lines = bytes.prefix(4096).split(separator: 0x0A, maxSplits: 64).map { OneLine.text($0) }
    }

    private var words: [Substring] { lines.first?.split(separator: " ") ?? [] }

    private func field(_ name: String) -> String? {
        lines.dropFirst().first { $0.lowercased().hasPrefix("\(name):") }.map {
            String($0.dropFirst(name.count + 1).drop { $0 == " " }.prefix(100))
        }
    }

    /// `GET captive.example/hotspot.html`; nil for what is no request. What follows a question mark may be secret.
    var target: String? {
        guard words.count == 3, words[2].hasPrefix("HTTP/") else { return nil }
        let path = words[1].prefix { $0 != "?" }.prefix(100)
        return "\(words[0].prefix(16)) \(field("host") ?? "")\(path)"
    }

    var agent: String? { field("user-agent") }
    var version: String? { words.last.map { String($0.prefix(16)) } }
    /// `200`; nil for what is no answer.
    var status: String? {
        guard words.count >= 2, words[0].hasPrefix("HTTP/") else { return nil }
        return String(words[1].prefix(3))
    }
}

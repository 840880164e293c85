/// What a phone and an accessory did with each other, as one capture shows it.
package struct Conversation: Sendable, Hashable, Codable {
    /// Where the capture was made.
    package enum Vantage: String, Sendable, Hashable, Codable {
        /// HCI of the phone: PacketLogger, or the rig's own capture.
        case phoneHost = "the phone's HCI"
        /// HCI of the accessory's board: btmon, or the rig's own capture.
        case accessoryHost = "the accessory's HCI"
        /// The link layer: a sniffer.
        case air = "the air"
        /// Frames of 802.11: a monitor, or the rig's own capture.
        case wifi = "Wi-Fi"
    }

    /// The file, for sources and differences.
    package var name: String
    package var vantage: Vantage
    /// The name of the interface in the capture; empty if it has none.
    package var interface: String
    /// The addresses of the phone, in the order of their links.
    package var phones: [String]
    /// Its address; of Wi-Fi, that of the access point.
    package var accessory: String
    /// The name of the Wi-Fi network; empty for Bluetooth, and if the capture does not show it.
    package var network = ""
    /// In order of their first frames.
    package var procedures: [Procedure] = []
    /// The links of Bluetooth whose begin the capture shows; a procedure's link is a place in it, from 1.
    package var links: [Link] = []
    /// Whether the capture lacks whole links or its end, so that nothing follows from what is not there.
    package var isPartial = false
    /// What this capture cannot show, because it is encrypted.
    package var hidden: [Procedure.Kind] = []
    /// Whether Apple's PacketLogger captured it.
    package var isFromPacketLogger = false
    /// What the phone's host leaves to its controller, so that its HCI does not show who began it.
    package var leftToController: Set<Procedure.Kind> = []
    /// Why something in the capture could not be read: plain sentences.
    package var gaps: [String] = []

    /// A link of the phone with the accessory.
    package struct Link: Sendable, Hashable, Codable {
        /// The phone's address on the air.
        package var phone: String
        /// Its public or static address, or the one that the controller resolved; nil if it is unknown.
        package var identity: String?
        /// Whether the controller found the identity behind a private address.
        package var isResolved = false
        /// The first frame whose content the capture does not show; nil if it shows all.
        package var firstUnseen: Int?

        package init(phone: String, identity: String? = nil, isResolved: Bool = false) {
            (self.phone, self.identity, self.isResolved) = (phone, identity, isResolved)
        }
    }

    /// Of the links, those of one phone, counted from 1 again; nil if there are none.
    ///
    /// - Parameter phone: One of its addresses, in either case of its letters.
    package func links(of phone: String) -> Conversation? {
        let numbers = links.indices.filter { place in
            [links[place].phone, links[place].identity].contains { $0?.lowercased() == phone.lowercased() }
        }.map { $0 + 1 }
        guard !numbers.isEmpty else { return nil }
        let places = Dictionary(uniqueKeysWithValues: zip(numbers, 1...))
        var chosen = self
        chosen.links = numbers.map { links[$0 - 1] }
        var seen: Set<String> = []
        chosen.phones = chosen.links.map(\.phone).filter { seen.insert($0).inserted }
        chosen.procedures = procedures.compactMap { procedure in
            var one = procedure
            guard procedure.link > 0 else { return one }
            guard let place = places[procedure.link] else { return nil }
            one.link = place
            return one
        }
        return chosen
    }

    /// The procedures of one kind.
    package func all(_ kind: Procedure.Kind) -> [Procedure] { procedures.filter { $0.kind == kind } }
}

/// One thing that a phone or an accessory did: a request with its answers, or several that belong together.
package struct Procedure: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case scan
        case address = "new address"
        case advertisement = "advertisement heard"
        case connection
        case connectionParameters = "connection parameters"
        case version = "reading the version"
        case features = "reading the features"
        case dataLength = "data length"
        case phy = "PHY"
        case greeting = "frame on an unassigned channel"
        case mtu = "MTU exchange"
        case securityRequest = "security request"
        case pairing
        case encryption
        case serviceDiscovery = "discovery of services"
        case serviceSearch = "search for a service"
        case inclusions = "discovery of included services"
        case characteristics = "discovery of characteristics"
        case descriptors = "discovery of descriptors"
        case typedRead = "read by type"
        case read
        case subscription
        case write
        case update
        case channel = "L2CAP channel"
        case end = "end of the link"
        case network = "network heard"
        case probe = "Wi-Fi probe"
        case authentication = "Wi-Fi authentication"
        case association = "Wi-Fi association"
        case enterpriseLogin = "802.1X login"
        case handshake = "4-way handshake"
        case groupKey = "new group key"
        case addressLease = "DHCP"
        case nameQuery = "DNS query"
        case serviceQuery = "multicast DNS query"
        case webRequest = "HTTP request"
        case connectionToPort = "TCP connection"
        case leaving = "leaving the network"
    }

    package enum Side: String, Sendable, Hashable, Codable {
        case phone, accessory
    }

    /// A value with its name: `offered`, `527`.
    package struct Value: Sendable, Hashable, Codable {
        package var name: String
        package var text: String
    }

    package var kind: Kind
    /// Who began it.
    package var side: Side
    /// What it was about: the name of an attribute, or empty.
    package var subject = ""
    package var values: [Value] = []
    /// The number of its first frame, from 1, and of its last.
    package var frame: Int
    package var lastFrame: Int
    /// Nanoseconds since the first frame of the capture.
    package var time: UInt64
    /// The number of the link, from 1; 0 before the first.
    package var link: Int

    package subscript(_ name: String) -> String? { values.first { $0.name == name }?.text }

    /// Sets a value, in place of one with the same name.
    mutating func set(_ name: String, _ text: String) {
        if let place = values.firstIndex(where: { $0.name == name }) {
            values[place].text = text
        } else {
            values.append(Value(name: name, text: text))
        }
    }

    /// What it is, in words: `read of Battery Level`.
    package var title: String {
        let isPlain = [.advertisement, .update, .network, .handshake].contains(kind)
        let who = side == .accessory && !isPlain ? "the accessory's " : ""
        return who + kind.rawValue + (subject.isEmpty ? "" : ": \(subject)")
    }
}

extension Conversation {
    /// The other end, in words: `accessory F1:F2:…`, `network “Die 7” of 02:00:…`.
    package var peer: String {
        guard vantage == .wifi else { return "accessory \(accessory)" }
        return (network.isEmpty ? "a network" : "network “\(network)”") + " of \(accessory)"
    }
}

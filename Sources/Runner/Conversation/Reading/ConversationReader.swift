/// Finds the conversations in the frames of a capture.
package struct ConversationReader: Sendable {
    /// The most frames that are read, so that a hostile capture does not take hours.
    package static let mostFrames = 2_000_000

    private let name: String
    private var hci: [String: HCIConversation] = [:]
    private var air: [String: AirConversation] = [:]
    private var wifi: [String: WiFiConversation] = [:]
    private var interfaces: [String] = []
    private var start: UInt64?
    /// How many frames were read.
    package private(set) var frames = 0

    /// - Parameter name: The name of the capture in sources and differences.
    package init(name: String) { self.name = name }

    /// - Throws: If there are too many frames.
    package mutating func take(_ frame: CapturedFrame) throws(UnreadableCapture) {
        frames += 1
        guard frames <= ConversationReader.mostFrames else {
            throw UnreadableCapture(
                "the capture has more than \(ConversationReader.mostFrames) frames of Bluetooth and Wi-Fi: cut it with "
                    + "`editcap -r IN OUT FIRST-LAST`")
        }
        let begin = start ?? frame.time
        start = begin
        let place = ConversationBuilder.Place(
            frame: frame.number, time: frame.time >= begin ? frame.time - begin : 0)
        let isAir = frame.contents.contains { if case .linkLayer = $0 { true } else { false } }
        if !interfaces.contains(frame.interface) {
            guard interfaces.count < 64 else { return }
            interfaces.append(frame.interface)
        }
        for case .wifi(let packet) in frame.contents {
            return wifi[frame.interface, default: WiFiConversation(name: name, interface: frame.interface)].take(
                packet, at: place)
        }
        if isAir {
            air[frame.interface, default: AirConversation(name: name, interface: frame.interface)].take(
                frame, at: place)
        } else {
            hci[frame.interface, default: HCIConversation(name: name, interface: frame.interface)].take(
                frame, at: place)
        }
    }

    /// All conversations, those of the phone's own HCI first.
    package var conversations: [Conversation] {
        let all = interfaces.flatMap { (hci[$0]?.conversations ?? []) + (air[$0]?.conversations ?? []) }
        let order: [Conversation.Vantage] = [.phoneHost, .accessoryHost, .air]
        return order.flatMap { vantage in all.filter { $0.vantage == vantage } } + onWiFi
    }

    /// Those over Wi-Fi, each once: of what several radios heard, that of the phone's own board.
    private var onWiFi: [Conversation] {
        let all = interfaces.flatMap { wifi[$0]?.conversations ?? [] }
        let sorted = all.filter { $0.interface.hasPrefix("host-") } + all.filter { !$0.interface.hasPrefix("host-") }
        var found: [Conversation] = []
        for one in sorted where !found.contains(where: { $0.phones == one.phones && $0.accessory == one.accessory }) {
            found.append(one)
        }
        return found.sorted { ($0.procedures.first?.frame ?? 0) < ($1.procedures.first?.frame ?? 0) }
    }
}

import RadioModel

/// The numbers with which a station encrypts its frames, after each four-way handshake of a capture.
///
/// A key that is set a second time starts them anew. Then one number encrypts two frames, and anybody can read both
/// (CVE-2017-13077).
///
/// Source: IEEE 802.11-2020, 12.5.3.2.
struct PacketNumbers: Equatable {
    /// The most times that the third message of one handshake came.
    private(set) var thirdMessages = 0
    /// How many frames the station encrypted after a third message was repeated, and before the next handshake.
    private(set) var framesAfterRepetition = 0
    /// The first number that encrypted two different frames; nil if none did.
    private(set) var reused: UInt64?

    private var nonce: [UInt8] = []
    private var counters: Set<[UInt8]> = []
    /// The frames so far, by their number.
    private var seen: [UInt64: [UInt8]] = [:]

    /// Reads a capture.
    ///
    /// - Parameter station: The address of the station.
    init(in capture: [UInt8], of station: DeviceAddress) {
        let interfaces = PcapNGPackets.interfaces(in: capture)
        for packet in PcapNGPackets(capture) {
            let index = Int(packet.interface)
            guard interfaces.indices.contains(index), interfaces[index].hasSuffix("-wifi") else { continue }
            if let frame = KeyFrame(packet.bytes), frame.to == station {
                take(frame)
            } else if let frame = EncryptedFrame(packet.bytes), frame.from == station {
                take(frame)
            }
        }
    }

    private mutating func take(_ frame: KeyFrame) {
        switch frame.number {
        // A new number of the access point makes a new key.
        case 1 where frame.nonce != nonce:
            nonce = frame.nonce
            (counters, seen) = ([], [:])
        case 3:
            counters.insert(frame.replayCounter)
            thirdMessages = max(thirdMessages, counters.count)
        default: break
        }
    }

    private mutating func take(_ frame: EncryptedFrame) {
        guard !counters.isEmpty else { return }
        // The radio sends a frame again that nobody has acknowledged.
        guard seen[frame.number] != frame.content else { return }
        if counters.count > 1 { framesAfterRepetition += 1 }
        if seen[frame.number] != nil, reused == nil { reused = frame.number }
        seen[frame.number] = frame.content
    }
}

/// A data frame from a station to its access point that is encrypted with CCMP or GCMP (IEEE 802.11-2020, 12.5.3.2).
private struct EncryptedFrame {
    let from: DeviceAddress
    /// The number of the packet, 48 bits.
    let number: UInt64
    /// The frame without its header, which a repetition changes.
    let content: [UInt8]

    /// The frame after a radiotap header; nil for another one, or too little of one.
    init?(_ packet: ArraySlice<UInt8>) {
        guard packet.count > 4 else { return nil }
        let header = Int(packet[packet.startIndex + 2]) | Int(packet[packet.startIndex + 3]) << 8
        let frame = Array(packet.dropFirst(header))
        guard frame.count > 24, frame[0] & 0x0F == 0x08, frame[1] & 0x43 == 0x41,
            let from = DeviceAddress(bytes: frame[10..<16])
        else { return nil }
        let body = Array(frame.dropFirst(frame[0] & 0x80 != 0 ? 26 : 24))
        // Bit 5 of the fourth byte says that the number has 48 bits, which WEP's has not.
        guard body.count > 16, body[3] & 0x20 != 0 else { return nil }
        self.from = from
        number = [body[7], body[6], body[5], body[4], body[1], body[0]].reduce(0) { $0 << 8 | UInt64($1) }
        content = body
    }
}

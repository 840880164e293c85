/// Cuts the SDUs of one LE channel into frames, as far as the peer's credits go.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 3.4 and 10.1.
struct SegmentSender: Sendable {
    /// The longest payload in bytes of a frame that the peer receives.
    var mps: UInt16
    /// How many frames the peer still receives.
    private(set) var credits: Int
    /// The SDUs that have not left entirely, the oldest first.
    private(set) var queue: [[UInt8]] = []
    /// How much of the oldest SDU has left, in bytes.
    private var offset = 0

    init(mps: UInt16, credits: UInt16) {
        self.mps = mps
        self.credits = Int(credits)
    }

    /// - Parameter sdu: At most 65535 bytes.
    mutating func enqueue(_ sdu: [UInt8]) { queue.append(sdu) }

    /// The payload of the next frame; nil without an SDU or a credit.
    mutating func next() -> (payload: [UInt8], endsSDU: Bool)? {
        guard credits > 0, let sdu = queue.first else { return nil }
        credits -= 1
        var payload: [UInt8] = []
        if offset == 0 { payload.append(uint16: UInt16(clamping: sdu.count)) }
        let end = min(sdu.count, offset + max(1, Int(mps) - payload.count))
        payload += sdu[offset..<end]
        offset = end
        guard end == sdu.count else { return (payload, false) }
        queue.removeFirst()
        offset = 0
        return (payload, true)
    }

    /// - Returns: Whether the sum is at most 65535, as the specification demands.
    mutating func add(credits added: UInt16) -> Bool {
        guard credits + Int(added) <= Int(UInt16.max) else { return false }
        credits += Int(added)
        return true
    }
}

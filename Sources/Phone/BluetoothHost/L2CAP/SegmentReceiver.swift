/// Puts the frames of one LE channel together to SDUs, and decides about the peer's credits.
///
/// An SDU keeps one credit until its reader has taken it: the credits in the peer's hand and the SDUs that wait are never
/// more than the capacity. The other frames of an SDU give their credits back at once, because the SDU could otherwise
/// never become whole.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 3.4 and 10.1.
struct SegmentReceiver: Sendable {
    let mtu: UInt16
    let mps: UInt16
    /// How many credits the peer has at most.
    private let window: Int
    /// How many SDUs may wait at most.
    private let capacity: Int
    /// How many credits are given back at once.
    private let batch: Int
    /// How many frames the peer may still send.
    private(set) var credits: Int
    /// How many SDUs wait for their reader.
    private(set) var waiting = 0
    /// The SDU that is not whole yet.
    private(set) var partial: [UInt8] = []
    /// The length of ``partial`` when it is whole; nil before its first frame.
    private var expected: Int?

    init(terms: CreditBasedTerms, configuration: L2CAPConfiguration) {
        mtu = terms.mtu
        mps = terms.mps
        credits = Int(terms.credits)
        window = max(1, Int(terms.credits))
        capacity = max(1, configuration.waitingSDUs)
        batch = configuration.creditBatch
    }

    /// Takes the payload of one frame.
    ///
    /// - Returns: The SDU, if this frame ends it.
    /// - Throws: If the peer breaks a rule for which its channel is closed.
    mutating func receive(_ payload: [UInt8]) throws(Malformed) -> [UInt8]? {
        guard credits > 0 else { throw Malformed("a K-frame without a credit") }
        guard payload.count <= Int(mps) else {
            throw Malformed("a K-frame with \(payload.count) bytes of payload; our MPS is \(mps)")
        }
        credits -= 1
        var reader = PacketReader(payload, of: "the first K-frame of an SDU")
        let total: Int
        if let expected { total = expected } else { total = try length(&reader) }
        expected = total
        let segment = reader.remainder()
        guard segment.count <= total - partial.count else {
            throw Malformed("segments of \(partial.count + segment.count) bytes for an SDU of \(total)")
        }
        partial += segment
        guard partial.count == total else { return nil }
        defer {
            partial = []
            expected = nil
        }
        waiting += 1
        return partial
    }

    /// The reader has taken SDUs.
    mutating func consume(_ count: Int) { waiting -= min(waiting, max(0, count)) }

    /// How many credits the peer gets now; nil for none.
    mutating func creditsToReturn() -> UInt16? {
        let missing = min(window, capacity - waiting) - credits
        guard missing > 0, missing >= batch || credits == 0 else { return nil }
        credits += missing
        return UInt16(clamping: missing)
    }

    private func length(_ reader: inout PacketReader) throws(Malformed) -> Int {
        let total = try reader.uint16()
        guard total <= mtu else { throw Malformed("an SDU of \(total) bytes; our MTU is \(mtu)") }
        return Int(total)
    }
}

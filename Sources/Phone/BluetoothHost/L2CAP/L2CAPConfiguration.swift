/// What differs between the L2CAP layers of phones.
package struct L2CAPConfiguration: Sendable, Hashable {
    /// The longest SDU in bytes on an LE channel that this end opens, 23 to 65535. Assumed.
    package var mtu: UInt16 = 2048
    /// The longest payload in bytes of a frame on an LE channel, 23 to 65533; 247 fills one packet of an LE link with Data
    /// Length Extension. Assumed.
    package var mps: UInt16 = 247
    /// How many frames the peer may send on a new LE channel, at most ``waitingSDUs``. Assumed.
    package var initialCredits: UInt16 = 10
    /// How many SDUs of one LE channel may wait for their reader, 1 or more. With this many waiting, the peer has no credits.
    package var waitingSDUs = 10
    /// How many credits are given back at once. A peer without credits gets them one by one. Assumed.
    package var creditBatch = 5
    /// How many SDUs of one LE channel may wait for the peer's credits.
    package var queuedSDUs = 16
    /// The longest SDU in bytes that this end sends, whatever the peer allows.
    package var maxSDU = 65535
    /// How many channels one link may have.
    package var maxChannels = 32
    /// The longest SDU in bytes on a classic channel that this end opens, 48 to 65535. The specification's default.
    package var classicMTU: UInt16 = 672

    /// The longest payload in bytes of a signalling frame on an LE link. The specification's value.
    package var signalingMTU = 23
    /// The longest payload in bytes of a signalling frame on a classic link. The specification's least.
    package var classicSignalingMTU = 48

    /// How long an answer of the peer may take (RTX): 1 to 60 s.
    package var requestTimeout = Duration.seconds(30)
    /// How long it may take after the peer has said that it needs more time (ERTX): 60 to 300 s.
    package var extendedTimeout = Duration.seconds(60)
    /// How long the configuration of a classic channel may take: at most 120 s.
    package var configurationTimeout = Duration.seconds(120)
    /// How many Configuration Requests this end sends for a classic channel.
    package var configurationTries = 3

    /// Whether the peer may open enhanced credit-based channels. Without them, such requests get Command Reject.
    package var allowsEnhancedChannels = false
    /// The extended features of a classic link. Bit 7: fixed channels (4.12).
    package var features: UInt32 = 0x80
    /// The fixed channels of a classic link, bit by number: signalling and SMP over BR/EDR (4.13).
    package var fixedChannels: UInt64 = 0x82

    package init() {}

    /// What this end receives on an LE channel.
    func terms(mtu: UInt16, least: UInt16) -> CreditBasedTerms {
        CreditBasedTerms(
            mtu: max(least, mtu), mps: min(max(least, mps), 65533),
            credits: UInt16(clamping: min(Int(initialCredits), max(1, waitingSDUs))))
    }
}

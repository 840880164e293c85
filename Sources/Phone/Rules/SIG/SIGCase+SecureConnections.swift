// The Security Manager: LE Secure Connections, and keys for the other transport.
extension SIGCase {
    static let secureConnections: [SIGCase] = [
        SIGCase("SM/CEN/SCJW/BV-01-C", "Just Works and Numeric Comparison as initiator, with another nonce each time"),
        SIGCase("SM/PER/SCJW/BV-02-C", "Just Works and Numeric Comparison as responder, with another nonce each time"),
        SIGCase("SM/PER/SCJW/BV-03-C", "as responder, reserved bits of the peer's requirements change nothing"),
        SIGCase("SM/CEN/SCJW/BV-04-C", "as initiator, reserved bits of the peer's requirements change nothing"),
        SIGCase(
            "SM/CEN/SCJW/BI-01-C", "each reason of a responder that refuses ends the pairing, and the phone says so"),
        SIGCase("SM/PER/SCJW/BI-02-C", "an initiator that finds a wrong confirm value ends the pairing"),
        SIGCase("SM/CEN/SCPK/BV-01-C", "Passkey Entry as initiator encrypts the link"),
        SIGCase("SM/PER/SCPK/BV-02-C", "Passkey Entry as responder encrypts the link"),
        SIGCase("SM/PER/SCPK/BV-03-C", "with a passkey as responder, reserved bits of the peer change nothing"),
        SIGCase("SM/CEN/SCPK/BV-04-C", "with a passkey as initiator, reserved bits of the peer change nothing"),
        SIGCase(
            "SM/CEN/SCPK/BI-01-C", "with a passkey, each reason of a responder ends the pairing, and the phone says so"),
        SIGCase("SM/CEN/SCPK/BI-02-C", "with a passkey, a wrong confirm value of the responder: Confirm Value Failed"),
        SIGCase("SM/PER/SCPK/BI-03-C", "with a passkey, a wrong confirm value of the initiator: Confirm Value Failed"),
        SIGCase(
            "SM/PER/SCPK/BI-04-C", "with a passkey, each reason of an initiator ends the pairing, and the phone says so"
        ),
        SIGCase("SM/CEN/SCPK/BV-05-C", "the initiator's passkey differs from pairing to pairing"),
        SIGCase("SM/CEN/SCPK/BI-03-C", "a responder with another passkey that goes on: Confirm Value Failed"),
        SIGCase("SM/PER/SCPK/BI-05-C", "an initiator with another passkey: Confirm Value Failed"),
        SIGCase("SM/CEN/SCOB/*", "out-of-band data, as initiator", not: .outOfBand),
        SIGCase("SM/PER/SCOB/*", "out-of-band data, as responder", not: .outOfBand),
        SIGCase("SM/CEN/SCCT/BV-03-C", "a long-term key from a link key by h6, as initiator", not: .classicPairing),
        SIGCase("SM/CEN/SCCT/BV-10-C", "the same without a signing key", not: .classicPairing),
        SIGCase("SM/PER/SCCT/BV-04-C", "a long-term key from a link key by h6, as responder", not: .classicPairing),
        SIGCase("SM/PER/SCCT/BV-11-C", "the same without a signing key", not: .classicPairing),
        SIGCase("SM/CEN/SCCT/BV-05-C", "a long-term key from a link key by h7, as initiator", not: .classicPairing),
        SIGCase("SM/CEN/SCCT/BV-11-C", "the same without a signing key", not: .classicPairing),
        SIGCase("SM/PER/SCCT/BV-06-C", "a long-term key from a link key by h7, as responder", not: .classicPairing),
        SIGCase("SM/PER/SCCT/BV-12-C", "the same without a signing key", not: .classicPairing),
        SIGCase(
            "SM/CEN/SCCT/BV-07-C", "a link key by h6 from a device that can do h7, as initiator", not: .crossTransport2),
        SIGCase("SM/CEN/SCCT/BV-09-C", "a link key by h7, as initiator", not: .crossTransport2),
        SIGCase("SM/CEN/SCCT/BV-12-C", "as BV-07 without a signing key", not: .crossTransport2),
        SIGCase("SM/CEN/SCCT/BV-13-C", "as BV-09 without a signing key", not: .crossTransport2),
        SIGCase(
            "SM/PER/SCCT/BV-08-C", "a link key by h6 from a device that can do h7, as responder", not: .crossTransport2),
        SIGCase("SM/PER/SCCT/BV-10-C", "a link key by h7, as responder", not: .crossTransport2),
        SIGCase("SM/PER/SCCT/BV-13-C", "as BV-08 without a signing key", not: .crossTransport2),
        SIGCase("SM/PER/SCCT/BV-14-C", "as BV-10 without a signing key", not: .crossTransport2),
    ]
}

import DieControl
import HIL

/// What crosses the air between phone and die where notifications are forwarded: `GATTFraming` has the layout.
extension Traffic {
    /// A value that the die notifies, alone in its ATT message or with others (Core Specification, volume 3, part F, 3.4.7).
    package static let notified = Traffic.any([.att(opcode: 0x1B), .att(opcode: 0x23)]).sent(by: .accessory)
    /// A segment of a notification on its way to the die.
    package static let delivery = Traffic.att(opcode: 0x52).sent(by: .host)
    /// A segment of the phone's part in a key exchange.
    package static let security = Traffic.att(opcode: 0x12).sent(by: .host)

    /// The die's public key, or where it starts.
    package static func publicKey(_ suite: DieConfiguration.CipherSuite) -> Traffic {
        notified.and(exchange(kind: 2, suite))
    }
    /// The key that the phone encapsulated for it, or where it starts.
    package static func encapsulatedKey(_ suite: DieConfiguration.CipherSuite) -> Traffic {
        security.and(exchange(kind: 3, suite))
    }

    /// The length of a message ends with two zeros; its kind and suite follow.
    private static func exchange(kind: UInt8, _ suite: DieConfiguration.CipherSuite) -> Traffic {
        containing([0, 0, kind, suite == .p256 ? 1 : 2])
    }

    /// Those that are the second segment of a message, and not its last.
    package var second: Traffic { and(.containing([0x10, 0x01])) }

    /// The die's message for the data provider, where it has one segment: its kind comes after its length.
    package static let answer = notified.and(.containing([0, 0, 18]))
}

extension DieConfiguration.CipherSuite {
    /// What a die has that is to use this one: with X-Wing P-256 as well, as the phone takes the best that both have.
    package var offered: [DieConfiguration.CipherSuite] { self == .xWing ? [.xWing, .p256] : [self] }
}

import DieProtocol
import HIL

/// Patterns for packets between phone and die when notifications are forwarded. `GATTFraming` describes the layout.
extension Traffic {
    /// A value that the die notifies, in an ATT message with one or several values (Core Specification, volume 3, part
    /// F, 3.4.7).
    package static let notified = Traffic.any([.att(opcode: 0x1B), .att(opcode: 0x23)]).sent(by: .accessory)
    /// A segment of a notification for the die.
    package static let delivery = Traffic.att(opcode: 0x52).sent(by: .host)
    /// A segment of a key exchange message from the phone.
    package static let security = Traffic.att(opcode: 0x12).sent(by: .host)

    /// The first segment of the die's public key.
    package static func publicKey(_ suite: DieConfiguration.CipherSuite) -> Traffic {
        notified.and(exchange(kind: 2, suite))
    }
    /// The first segment of the phone's encapsulated key.
    package static func encapsulatedKey(_ suite: DieConfiguration.CipherSuite) -> Traffic {
        security.and(exchange(kind: 3, suite))
    }

    /// The length of a message ends with two zeros; its kind and suite follow.
    private static func exchange(kind: UInt8, _ suite: DieConfiguration.CipherSuite) -> Traffic {
        containing([0, 0, kind, suite == .p256 ? 1 : 2])
    }

    /// Only the second segments of longer messages.
    package var second: Traffic { and(.containing([0x10, 0x01])) }

    /// A message of the die for the data provider, in one segment: the kind follows the length.
    package static let answer = notified.and(.containing([0, 0, 18]))
}

extension DieConfiguration.CipherSuite {
    /// The suites of a die that should use this one. With X-Wing it also has P-256: the phone chooses the best common
    /// suite.
    package var offered: [DieConfiguration.CipherSuite] { self == .xWing ? [.xWing, .p256] : [self] }
}

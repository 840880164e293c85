import Air

/// What crosses the air between phone and die where notifications are forwarded: `GATTFraming` has the layout.
extension Traffic {
    /// A value that the die notifies, alone in its ATT message or with others (Core Specification, volume 3, part F, 3.4.7).
    static let notified = Traffic.any([.att(opcode: 0x1B), .att(opcode: 0x23)]).sent(by: .accessory)
    /// A segment of a notification on its way to the die.
    static let delivery = Traffic.att(opcode: 0x52).sent(by: .host)
    /// A segment of the phone's part in a key exchange.
    static let security = Traffic.att(opcode: 0x12).sent(by: .host)

    /// Those that are the second segment of a message, and not its last.
    var second: Traffic { and(.containing([0x10, 0x01])) }

    /// The die's message for the data provider, where it has one segment: its kind comes after its length.
    static let answer = notified.and(.containing([0, 0, 18]))
    /// The phone's part in a key exchange by P-256, in one segment: kind and suite come after its length.
    static let encapsulatedP256 = security.and(.containing([0, 0, 3, 1]))
}

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

    /// A packet that continues a message, from the 24th byte on: a controller sends 27 bytes at once, of which 4 are L2CAP's.
    static let continuation = Traffic.acl.and(.not(.att()))
}

/// The kernel's information about a controller: the answer to ``ManagementCommand/information``.
package struct ManagementInformation: Sendable, Equatable {
    /// In the usual form: `AA:BB:CC:DD:EE:FF`.
    package let address: String
    /// The current settings, one bit each.
    package let settings: UInt32
    package var isPowered: Bool { settings & 1 == 1 }

    /// Reads the answer; nil for any other reply. Source: BlueZ 5.82, `doc/mgmt-protocol.rst`, "Read Controller
    /// Information Command".
    package init?(_ reply: ManagementReply) {
        let bytes = reply.parameters
        guard reply.code == ManagementCommand.information.code, reply.status == 0, bytes.count >= 20 else { return nil }
        let hex = bytes.prefix(6).reversed().map { byte in
            let text = String(byte, radix: 16, uppercase: true)
            return text.count == 1 ? "0\(text)" : text
        }
        address = hex.joined(separator: ":")
        // Current settings: 32 bits at offset 13.
        settings = (0..<4).reduce(0) { $0 | UInt32(bytes[13 + $1]) << (8 * UInt32($1)) }
    }
}

extension ManagementInformation {
    /// The settings that a run may change, and the command that sets each. Power comes last.
    package static let changeable: [(bit: UInt32, command: @Sendable (Bool) -> ManagementCommand)] = [
        (7, { .setClassic($0) }), (6, { .setSimplePairing($0) }), (11, { .setSecureConnections($0) }),
        (1, { .setConnectable($0) }), (2, { .setFastConnectable($0) }), (4, { .setBondable($0) }),
    ]

    /// The bits of ``changeable`` and of power.
    package static let comparable = changeable.reduce(1 as UInt32) { $0 | 1 << $1.bit }
}

extension ManagementChannel {
    /// The kernel's information about a controller; nil if no controller has this number, or if it does not answer.
    package func information(of controller: UInt16) async -> ManagementInformation? {
        let reply = try? await ask(.information, controller: controller, within: .seconds(5))
        return reply.flatMap { ManagementInformation($0) }
    }
}

extension ManagementReply {
    /// How many links a controller has, from a reply to ``ManagementCommand/connections``; nil for any other reply.
    package var connections: Int? {
        guard code == ManagementCommand.connections.code, parameters.count >= 2 else { return nil }
        return Int(parameters[0]) | Int(parameters[1]) << 8
    }
}

import AccessorySetupKit
import CoreBluetooth
import HIL

extension Lab {
    /// Runs `body`, if asked to, without Service Changed: on the way to the phone, its UUID 2A05 becomes a meaningless
    /// one.
    func without<Value>(
        serviceChanged isLeftOut: Bool, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        guard isLeftOut else { return try await body() }
        let declarations = Traffic.att(opcode: 0x09).and(.containing([0x05, 0x2A])).sent(by: .accessory)
        // The phone asks for the characteristics of each service. Opcode and length, then the first one's UUID after its
        // handles and properties.
        let place = 2 + 5
        return try await air.withFault(.altered(declarations, at: place, to: [0xFE, 0xFE])) { try await body() }
    }
}

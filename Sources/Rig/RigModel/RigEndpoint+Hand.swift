import Foundation

/// The two rigs of a scenario with a phone in a person's hand.
extension RigEndpoint {
    /// The folder, in that of a scenario, for what the simulated phone's rig leaves.
    package static let simulatedFolder = "simulated"
    private static let simulatedPart = "simulated"
    private static let realPart = "real"

    /// - Parameters:
    ///   - simulated: The rig on which the simulated phone goes first.
    ///   - real: The rig with the accessory board that the phone in the hand meets.
    package init(_ description: RigDescription, simulated: RigEndpoint, real: RigEndpoint) throws {
        func text(_ part: RigEndpoint) throws -> String {
            String(decoding: try JSONEncoder().encode(part), as: UTF8.self)
        }
        self.init(description, addresses: [Self.simulatedPart: try text(simulated), Self.realPart: try text(real)])
    }

    /// The two rigs of a phone in a person's hand; nil for any other rig.
    package var hand: (simulated: RigEndpoint, real: RigEndpoint)? {
        guard let simulated = part(Self.simulatedPart), let real = part(Self.realPart) else { return nil }
        return (simulated, real)
    }

    private func part(_ name: String) -> RigEndpoint? {
        guard let text = addresses[name], text.hasPrefix("{") else { return nil }
        return try? JSONDecoder().decode(RigEndpoint.self, from: Data(text.utf8))
    }
}

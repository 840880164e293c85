import AccessorySetupKit
import CryptoKit
import DiceApp
import HIL

extension CentralProbe {
    /// The next whole message of the die, from its segments.
    func nextMessage() async throws -> Data {
        var joiner = GATTFraming.Joiner()
        while true {
            if let message = try joiner.join(try await next(.value)) { return message }
        }
    }
}

import HILBluetoothHost
import HILTiming
import RadioModel

/// A stranger who comes back to the accessory again and again.
@MainActor
final class Visitor {
    let stranger: Stranger
    /// The accessory's address, which it may change.
    private(set) var device: DeviceAddress
    /// How many links it had after the first.
    private(set) var links = 0
    private let scene: AuditScene

    init(_ scene: AuditScene, _ stranger: Stranger, _ device: DeviceAddress) {
        (self.scene, self.stranger, self.device) = (scene, stranger, device)
    }

    /// Takes a new link up, at another address if the accessory has changed it.
    ///
    /// - Returns: What the accessory no longer does; nil if there is a link.
    func connect() async throws -> String? {
        links += 1
        if try await isConnected() { return nil }
        if let trouble = scene.trouble { return trouble }
        do { device = try await stranger.hear().device.address } catch is TimedOut {
            return scene.trouble ?? "it no longer advertises"
        }
        return try await isConnected() ? nil : scene.trouble ?? "it no longer takes a link"
    }

    private func isConnected() async throws -> Bool {
        do {
            try await stranger.connect(to: device)
            return true
        } catch is StackFailure { return false }
    }
}

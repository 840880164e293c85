import Foundation
import PeripheralModel
import RadioModel

/// The in-memory radio as a peripheral: it keeps the commands, and a test plays the devices.
extension InMemoryRadio: PeripheralRadio {
    /// The port of every channel that the phone listens for.
    package static let publishedPort: UInt16 = 0x81

    /// A device does something to the phone.
    package func tell(_ event: PeripheralEvent) { peripheralContinuation.yield(event) }

    /// Lets each command fail that publishes something; nil lets them succeed.
    package func refusePublishing(_ error: RadioError?) { state.withLock { $0.publishingRefusal = error } }

    package func setPersonality(_ personality: RadioPersonality) async throws {
        guard state.withLock({ $0.isPowered }) else { throw RadioError.bluetoothOff }
        state.withLock { $0.personality = personality }
    }

    package func perform(_ command: PeripheralRadioCommand) async throws {
        // Also if it is refused: a command may come just after the radio was switched off.
        peripheralCommands.append(command)
        try requirePublishing()
    }

    package func listen(_ channel: PeripheralChannel) async throws -> UInt16 {
        try requirePublishing()
        publishedChannels.append(channel)
        return Self.publishedPort
    }

    private func requirePublishing() throws {
        guard state.withLock({ $0.isPowered }) else { throw RadioError.bluetoothOff }
        if let refusal = state.withLock({ $0.publishingRefusal }) { throw refusal }
    }
}

extension InMemoryRadio {
    /// The handles of the values that only a bonded phone may use.
    func protectedValues(of device: DeviceAddress) -> Set<UInt16> {
        state.withLock { Set($0.devices[device]?.protected.map(\.handle) ?? []) }
    }
}

import Foundation
import PeripheralModel
import RadioModel

/// The in-memory radio as a peripheral: it keeps the commands, and a test does what devices do.
extension InMemoryRadio: PeripheralRadio {
    /// The port of every channel that the phone listens for.
    package static let publishedPort: UInt16 = 0x81

    /// A device does something to the phone.
    package func tell(_ event: PeripheralEvent) { peripheralContinuation.yield(event) }

    package func perform(_ command: PeripheralCommand) async throws -> PeripheralResult {
        guard state.withLock({ $0.isPowered }) else { throw RadioError.bluetoothOff }
        peripheralCommands.append(command)
        if case .listen = command { return .port(Self.publishedPort) }
        return .done
    }
}

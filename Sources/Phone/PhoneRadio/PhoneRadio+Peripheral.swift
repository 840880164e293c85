import HILBluetoothHost
import HostRadio
import PeripheralModel
import RadioModel

// The phone as a peripheral.
extension PhoneRadio: PeripheralRadio {
    package var peripheralEvents: AsyncStream<PeripheralEvent> { server.events }

    package func perform(_ command: PeripheralRadioCommand) async throws { try await server.perform(command) }

    package func listen(_ channel: PeripheralChannel) async throws -> UInt16 { try await server.listen(channel) }
}

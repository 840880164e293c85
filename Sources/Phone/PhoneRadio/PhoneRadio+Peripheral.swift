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

extension HostPersonality {
    /// An iPhone with other properties that accessories see.
    static func iPhone(_ radio: RadioPersonality) -> HostPersonality {
        var phone = HostPersonality.iPhone
        phone.access.addresses.isPrivate = radio.hasPrivateAddress
        let most = UInt16(clamping: max(23, radio.mtu))
        phone.link.mtu = min(phone.link.mtu, most)
        phone.link.mtuWithoutDataLength = min(phone.link.mtuWithoutDataLength, most)
        return phone
    }
}

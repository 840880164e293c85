import Foundation
import PeripheralModel
import RadioModel

/// What the phone does as a peripheral.
package enum PeripheralRadioCommand: Sendable, Hashable {
    /// Advertises this content, or nothing. Links stay.
    case advertise(PeripheralAdvertising?)
    /// Replaces all services. Connected devices get Service Changed.
    case replaceServices([PeripheralService])
    /// Notifies a value to subscribed devices; with a device only to this one.
    case notify(Data, AttributePlace, to: DeviceAddress? = nil)
    /// Answers ``PeripheralModel/PeripheralEvent/requested(_:)``.
    case answer(Int, PeripheralAnswer)
    /// Changes the name that a device reads over a link; empty for the usual one.
    case setName(String)
    /// Listens for L2CAP channels no longer at this port. Open channels stay.
    case stopListening(UInt16)
    /// Sends a packet on a channel.
    case sendOnChannel(Int, Data)
    case closeChannel(Int)
}

/// The phone's radio as a peripheral: the phone's own services and advertisement.
///
/// The phone's own Bluetooth host and ``InMemoryRadio`` have it. Its events are those of an accessory as data.
package protocol PeripheralRadio: Sendable {
    /// All events, in order. Only one reader may consume them: the phone.
    var peripheralEvents: AsyncStream<PeripheralEvent> { get }

    /// Sets the properties of the radio that accessories see, besides services. If something changes, all links end.
    ///
    /// - Throws: ``RadioModel/RadioError``.
    func setPersonality(_ personality: RadioPersonality) async throws

    /// Carries out a command.
    ///
    /// - Throws: ``RadioModel/RadioError``.
    func perform(_ command: PeripheralRadioCommand) async throws

    /// Listens for L2CAP channels, and returns the port.
    ///
    /// - Throws: ``RadioModel/RadioError``.
    func listen(_ channel: PeripheralChannel) async throws -> UInt16
}

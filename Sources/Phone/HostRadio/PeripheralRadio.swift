import PeripheralModel
import RadioModel

/// The phone's radio as a peripheral: the phone's own services and advertisement.
///
/// The phone's own Bluetooth host and ``InMemoryRadio`` have it. Commands and events are those of an accessory as data.
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
    @discardableResult
    func perform(_ command: PeripheralCommand) async throws -> PeripheralResult
}

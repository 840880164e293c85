import BoardProtocol
import Foundation
import PeripheralModel
import RadioModel

/// The phone's radio as a peripheral: the phone's own services and advertisement.
///
/// ``BoardRadio`` and ``InMemoryRadio`` have it. Commands and events are those of an accessory as data.
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

extension BoardRadio: PeripheralRadio {
    package func setPersonality(_ personality: RadioPersonality) async throws {
        let result = try await board.ask(.setPersonality(personality))
        guard case .done = result else {
            throw RadioError.rig("the host board answered setPersonality with \(result)")
        }
    }

    package func perform(_ command: PeripheralCommand) async throws -> PeripheralResult {
        let result = try await board.ask(
            .accessory(JSONEncoder().encode(command), of: PeripheralKind.name, on: .first))
        guard case .value(let data) = result, let answer = try? JSONDecoder().decode(PeripheralResult.self, from: data)
        else { throw RadioError.rig("the host board answered a command to the phone's own services with \(result)") }
        return answer
    }
}

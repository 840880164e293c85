import BoardProtocol
import RadioModel

/// A phone's radio that can find out what an accessory lets an unpaired phone do.
///
/// ``BoardRadio`` and ``InMemoryRadio`` have it. A phone does not do this; ``HostRadio`` is what a phone's logic sees.
package protocol AttributeProbing: Sendable {
    /// Connects to a device that is not connected, tries attributes, and disconnects. No value is changed.
    ///
    /// - Parameter attributes: What to try: an answer that is not `.unknown` is asked for.
    /// - Returns: The same attributes with the device's answers.
    /// - Throws: ``RadioModel/RadioError``.
    func probe(_ device: DeviceAddress, _ attributes: [AttributeAccess]) async throws -> [AttributeAccess]
}

extension BoardRadio: AttributeProbing {
    package func probe(_ device: DeviceAddress, _ attributes: [AttributeAccess]) async throws -> [AttributeAccess] {
        let result = try await board.ask(.probe(device, attributes), within: .seconds(40))
        guard case .accesses(let answers) = result else {
            throw RadioError.rig("the host board answered probe with \(result)")
        }
        return answers
    }
}

extension InMemoryRadio: AttributeProbing {
    package func probe(_ device: DeviceAddress, _ attributes: [AttributeAccess]) async throws -> [AttributeAccess] {
        let protected = protectedValues(of: device)
        return attributes.map { asked in
            func answer(_ answer: AttributeAccess.Answer) -> AttributeAccess.Answer {
                guard answer != .unknown else { return .unknown }
                return protected.contains(asked.handle) ? .refused(0x05) : .allowed
            }
            return AttributeAccess(
                handle: asked.handle, reading: answer(asked.reading), writing: answer(asked.writing))
        }
    }
}

import RadioModel

/// A phone's radio that can find out how an unpaired phone may use an accessory.
///
/// The phone's own Bluetooth host and ``InMemoryRadio`` have it. A phone does not do this: its logic sees only
/// ``HostRadio``.
package protocol AttributeProbing: Sendable {
    /// Connects to a device that is not connected, tries attributes, and disconnects. No value is changed.
    ///
    /// - Parameter attributes: The attributes to try: each answer other than `.unknown` is asked for.
    /// - Returns: The same attributes with the device's answers.
    /// - Throws: ``RadioModel/RadioError``.
    func probe(_ device: DeviceAddress, _ attributes: [AttributeAccess]) async throws -> [AttributeAccess]
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

/// One behaviour of the simulated phone's Bluetooth, with its source.
package struct PhoneHabit: Sendable, Hashable, Codable {
    /// How sure it is that an iPhone does so.
    package enum Source: String, Sendable, Hashable, Codable, CaseIterable {
        /// Apple says so.
        case documented
        /// Developers saw it, and published a capture or a log.
        case seen
        /// `hil learn` wrote it from a capture of ours.
        case learned
        case assumed
    }

    /// The property of ``HostPersonality``: `link.mtu`.
    package var path: String
    /// What the phone does, in words.
    package var text: String
    package var source: Source
    /// Who saw it; for an assumption what is near to it. Nil for none.
    package var reference: String?
    /// The identifier of the one model that it is of: `iPhone9,1`; nil for an iPhone of today.
    package var model: String?

    init(_ path: String, _ text: String, _ source: Source, _ reference: String? = nil) {
        (self.path, self.text, self.source, self.reference) = (path, text, source, reference)
    }
}

/// What the air reported about itself.
package struct AirNote: Sendable, Hashable, Codable {
    /// A fault that fired.
    package struct FiredFault: Sendable, Hashable, Codable {
        package var fault: String
        /// The packet at which it fired, in words.
        package var packet: String?
        /// How often it has fired by then, and how often it had to fire.
        package var count, of: Int

        package init(fault: String, packet: String?, count: Int, of: Int) {
            (self.fault, self.packet, self.count, self.of) = (fault, packet, count, of)
        }
    }

    /// In words.
    package var text: String
    /// nil for any other event.
    package var fired: FiredFault?

    package init(_ text: String, fired: FiredFault? = nil) { (self.text, self.fired) = (text, fired) }

    enum CodingKeys: String, CodingKey { case text, fired }
}

/// The habits of a phone in GATT procedures.
package struct GATTHabits: Sendable, Hashable {
    /// The order of a search for services with known UUIDs.
    package enum ServiceSearch: Sendable, Hashable {
        /// Reads all services by group type. An iPhone does so: bluez/bluez#638.
        case readsAll
        /// Asks for each UUID by Find By Type Value.
        case findsByUUID
    }

    package var serviceSearch: ServiceSearch = .readsAll
    /// Whether a search for characteristics with known UUIDs ends with the last wanted one. An iPhone reads all of the
    /// service: bluez/bluez#638.
    package var endsWithWantedCharacteristics = false
    /// Whether the next request for characteristics begins after the value of the last one, not after its
    /// declaration. An iPhone does so: bluez/bluez#638.
    package var continuesAfterValue = true
    /// Whether a characteristic without any property is a breach of the protocol. Assumed.
    package var requiresProperties = true
    /// The most attributes that one discovery takes. Assumed.
    package var mostAttributes = 4096
    /// The longest value, in bytes: it ends a long read, and longer writes are not sent. Source: Vol 3, Part F, 3.2.9.
    package var longestValue = 512
    /// The errors that end a long read well. Source: Vol 3, Part G, 4.8.3.
    package var endsOfLongRead: Set<ATTError> = [.attributeNotLong]
    /// Whether a single value that fills a Read By Type Response is read on by Read Blob. Assumed.
    package var readsRestOfTypedValue = true
    /// Whether indications are preferred for a characteristic with both properties. An iPhone prefers notifications.
    package var prefersIndications = false

    package init() {}
}

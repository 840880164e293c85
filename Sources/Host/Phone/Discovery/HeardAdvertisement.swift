import Foundation
import RadioModel

/// A Bluetooth UUID as two words, which are compared and hashed faster than sixteen bytes.
struct UUIDKey: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    init(_ uuid: BluetoothUUID) {
        high = uuid.bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = uuid.bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// An advertisement, taken apart once for all the descriptors that it is held against.
struct HeardAdvertisement {
    /// A service that is listed or has data.
    struct Service {
        let key: UUIDKey
        /// Nil where it is listed only.
        var bytes: [UInt8]?
    }

    private(set) var services: [Service]
    private(set) var companies: [(identifier: UInt16, bytes: [UInt8])]
    private let name: String?
    private var subject: PatternSubject?

    init(_ advertisement: Advertisement) {
        // Service data and the list may both name a service; then the data is what counts.
        services = advertisement.serviceData.map { Service(key: UUIDKey($0.key), bytes: Array($0.value)) }
        let withData = services.count
        for uuid in advertisement.serviceUUIDs {
            let key = UUIDKey(uuid)
            if !services[..<withData].contains(where: { $0.key == key }) { services.append(Service(key: key)) }
        }
        companies = advertisement.manufacturerData.map { ($0.key, Array($0.value)) }
        name = advertisement.name
    }

    /// The service of that UUID, if it was advertised.
    func data(of service: UUIDKey) -> Service? { services.first { $0.key == service } }

    /// What a company's manufacturer data holds after the identifier, if there was any.
    func data(of company: UInt16) -> [UInt8]? { companies.first { $0.identifier == company }?.bytes }

    /// Whether a pattern is found in the name; false if none was heard.
    mutating func nameContains(_ pattern: TextPattern) -> Bool {
        guard let name else { return false }
        if subject == nil { subject = PatternSubject(name) }
        return subject?.contains(pattern) ?? false
    }
}

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
        /// Where its data lie; nil where it is listed only.
        var range: Range<Int>?
    }

    /// A company, and where its manufacturer data after the identifier lie.
    struct Company {
        let identifier: UInt16
        let range: Range<Int>
    }

    private(set) var services: [Service] = []
    private(set) var companies: [Company] = []
    /// All payloads one after the other, and eight zeros, so that a word can be read anywhere.
    private(set) var bytes: [UInt8] = []
    private let name: String?
    private var subject: PatternSubject?

    init(_ advertisement: Advertisement) {
        name = advertisement.name
        // Service data and the list may both name a service; then the data is what counts.
        for (uuid, data) in advertisement.serviceData {
            services.append(Service(key: UUIDKey(uuid), range: keep(data)))
        }
        let withData = services.count
        for uuid in advertisement.serviceUUIDs {
            let key = UUIDKey(uuid)
            if !services[..<withData].contains(where: { $0.key == key }) { services.append(Service(key: key)) }
        }
        for (company, data) in advertisement.manufacturerData {
            companies.append(Company(identifier: company, range: keep(data)))
        }
        bytes += [0, 0, 0, 0, 0, 0, 0, 0]
    }

    private mutating func keep(_ data: Data) -> Range<Int> {
        let start = bytes.count
        bytes += data
        return start..<bytes.count
    }

    /// The service of that UUID, if it was advertised.
    func service(_ key: UUIDKey) -> Service? { services.first { $0.key == key } }

    /// The manufacturer data of that company, if there are any.
    func company(_ identifier: UInt16) -> Company? { companies.first { $0.identifier == identifier } }

    /// Whether a pattern is found in the name; false if none was heard.
    mutating func nameContains(_ pattern: TextPattern) -> Bool {
        prepareName()
        return subject?.contains(pattern) ?? false
    }

    /// The pairs of neighbours in the name, without case, marks and width; nil if none was heard.
    mutating func namePairs() -> PairSet? {
        prepareName()
        return subject?.pairs()
    }

    private mutating func prepareName() {
        if subject == nil { subject = name.map(PatternSubject.init) }
    }

    /// Gives access to the payloads where they lie.
    ///
    /// - Parameter pool: The blobs and masks of the digests.
    func withPayloads<Value>(_ pool: [UInt8], _ body: (borrowing HeardPayloads) -> Value) -> Value {
        bytes.withUnsafeBytes { bytes in
            pool.withUnsafeBytes { pool in
                companies.withUnsafeBufferPointer { body(HeardPayloads(bytes: bytes, pool: pool, companies: $0)) }
            }
        }
    }
}

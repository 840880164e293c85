import Foundation
import RadioModel

/// A Bluetooth UUID as two words: faster to compare and to hash than sixteen bytes.
struct UUIDKey: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    init(_ uuid: BluetoothUUID) {
        high = uuid.bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = uuid.bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// An advertisement, prepared once so that it can be compared with many descriptors.
struct HeardAdvertisement {
    /// A service that is listed or has data.
    struct Service {
        let key: UUIDKey
        /// The position of its data in ``bytes``; nil if it is only listed.
        var range: Range<Int>?
    }

    /// A company that has manufacturer data.
    struct Company {
        let identifier: UInt16
        /// The position of its data, without the identifier, in ``bytes``.
        let range: Range<Int>
    }

    private(set) var services: [Service] = []
    private(set) var companies: [Company] = []
    /// All payloads one after the other, then eight zeros, so that a word can be read at any position.
    private(set) var bytes: [UInt8] = []
    private let name: String?
    private var subject: PatternSubject?

    init(_ advertisement: Advertisement) {
        name = advertisement.name
        // A service may be listed and also have data; then the entry with the data is kept.
        for (uuid, data) in advertisement.serviceData {
            services.append(Service(key: UUIDKey(uuid), range: append(data)))
        }
        let countWithData = services.count
        for uuid in advertisement.serviceUUIDs {
            let key = UUIDKey(uuid)
            if !services[..<countWithData].contains(where: { $0.key == key }) { services.append(Service(key: key)) }
        }
        for (company, data) in advertisement.manufacturerData {
            companies.append(Company(identifier: company, range: append(data)))
        }
        bytes += [0, 0, 0, 0, 0, 0, 0, 0]
    }

    private mutating func append(_ data: Data) -> Range<Int> {
        let start = bytes.count
        bytes += data
        return start..<bytes.count
    }

    /// The service with this UUID; nil if it was not advertised.
    func service(_ key: UUIDKey) -> Service? { services.first { $0.key == key } }

    /// The manufacturer data of a company; nil if there is none.
    func company(_ identifier: UInt16) -> Company? { companies.first { $0.identifier == identifier } }

    /// Whether the name contains a pattern; false if there is no name.
    mutating func nameContains(_ pattern: TextPattern) -> Bool {
        prepareName()
        return subject?.contains(pattern) ?? false
    }

    /// The byte pairs of the folded name; nil if there is no name.
    mutating func namePairs() -> PairSet? {
        prepareName()
        return subject?.pairs()
    }

    private mutating func prepareName() {
        if subject == nil { subject = name.map(PatternSubject.init) }
    }

    /// Runs `body` with the payloads as plain memory, without copying them.
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

import Foundation
import RadioModel

/// A short summary of a descriptor that rules out most advertisements without looking at the descriptor itself.
///
/// It is plain memory: checking a hundred digests takes a fraction of a microsecond. A digest may accept an
/// advertisement that does not match, but never rejects one that does.
struct DescriptorDigest: Sendable {
    /// The descriptor's index among all descriptors.
    let place: Int
    /// Whether the descriptor asks for immediate range.
    let needsImmediateRange: Bool
    private let company: UInt16?
    private let serviceData: MaskDigest
    private let manufacturerData: MaskDigest
    private let name: PairSet?

    /// - Parameter pool: The blobs and masks of all digests; those of this digest are appended.
    init(
        _ descriptor: DiscoveryDescriptor, place: Int, name: TextPattern?, _ length: HostPolicy.BlobLength,
        pool: inout [UInt8]
    ) {
        self.place = place
        self.name = name?.pairs
        needsImmediateRange = descriptor.range == .immediate
        company = descriptor.companyIdentifier
        serviceData = MaskDigest(descriptor.serviceDataBlob, descriptor.serviceDataMask, length, &pool)
        manufacturerData = MaskDigest(
            descriptor.manufacturerDataBlob, descriptor.manufacturerDataMask, length, &pool)
    }

    /// Whether the descriptor may match an advertisement.
    ///
    /// - Parameters:
    ///   - service: The position of the service's data among the payloads; nil if there is no data.
    ///   - names: The byte pairs of the advertised name; nil if there is no name.
    func mayMatch(_ heard: borrowing HeardPayloads, service: Range<Int>?, names: PairSet?) -> Bool {
        guard serviceData.matches(service, of: heard) else { return false }
        if let company {
            guard let range = heard.range(of: company), manufacturerData.matches(range, of: heard) else { return false }
        }
        guard let name else { return true }
        return names?.contains(name) ?? false
    }
}

/// A blob and its mask, whose bytes are in a shared pool (D6).
private struct MaskDigest: Sendable {
    /// The length of the blob in bytes; nil if nothing is compared.
    private let count: Int?
    private let isExact: Bool
    /// The start in the pool: eight bytes of the mask, eight of the blob, and so on, padded with zeros.
    private let place: Int

    init(_ blob: Data?, _ mask: Data?, _ length: HostPolicy.BlobLength, _ pool: inout [UInt8]) {
        isExact = length == .exact
        place = pool.count
        guard let blob, let mask, blob.count == mask.count else {
            count = nil
            return
        }
        count = blob.count
        for start in stride(from: 0, to: blob.count, by: 8) {
            for part in [mask, blob] {
                let word = part.dropFirst(start).prefix(8)
                pool += word + Data(repeating: 0, count: 8 - word.count)
            }
        }
    }

    /// Whether `(payload & mask) == blob`. Compares eight bytes at a time; an extended advertisement has up to 252.
    func matches(_ range: Range<Int>?, of heard: borrowing HeardPayloads) -> Bool {
        guard let count else { return true }
        guard let range, isExact ? count == range.count : count <= range.count else { return false }
        var (payload, pair) = (range.lowerBound, place)
        while payload < range.lowerBound + count {
            let word = heard.bytes.loadUnaligned(fromByteOffset: payload, as: UInt64.self)
            let mask = heard.pool.loadUnaligned(fromByteOffset: pair, as: UInt64.self)
            let blob = heard.pool.loadUnaligned(fromByteOffset: pair + 8, as: UInt64.self)
            guard word & mask == blob else { return false }
            payload += 8
            pair += 16
        }
        return true
    }
}

/// The payloads of an advertisement and the blobs and masks to compare them with, as plain memory.
struct HeardPayloads: ~Copyable {
    /// All payloads one after the other, and eight zeros.
    let bytes: UnsafeRawBufferPointer
    /// The blobs and masks of the digests.
    let pool: UnsafeRawBufferPointer
    private let companies: UnsafeBufferPointer<HeardAdvertisement.Company>

    init(
        bytes: UnsafeRawBufferPointer, pool: UnsafeRawBufferPointer,
        companies: UnsafeBufferPointer<HeardAdvertisement.Company>
    ) {
        self.bytes = bytes
        self.pool = pool
        self.companies = companies
    }

    /// The position of a company's manufacturer data; nil if there is none.
    func range(of company: UInt16) -> Range<Int>? {
        for heard in companies where heard.identifier == company { return heard.range }
        return nil
    }
}

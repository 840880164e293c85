import Foundation
import RadioModel

/// A few words of a descriptor, by which most are ruled out without a look at the descriptor itself.
///
/// Plain memory, so that a hundred of them are passed through in a fraction of a microsecond. It may let through what does
/// not match, never rule out what does.
struct DescriptorDigest: Sendable {
    /// Its place among the descriptors.
    let place: Int
    /// Whether it asks for immediate range.
    let isForNear: Bool
    private let company: UInt16?
    private let serviceData: MaskDigest
    private let manufacturerData: MaskDigest
    private let name: PairSet?

    /// - Parameter pool: Keeps the blobs and masks of all digests, and gets this one's.
    init(
        _ descriptor: DiscoveryDescriptor, place: Int, name: TextPattern?, _ length: HostPolicy.BlobLength,
        pool: inout [UInt8]
    ) {
        self.place = place
        self.name = name?.pairs
        isForNear = descriptor.range == .immediate
        company = descriptor.companyIdentifier
        serviceData = MaskDigest(descriptor.serviceDataBlob, descriptor.serviceDataMask, length, &pool)
        manufacturerData = MaskDigest(
            descriptor.manufacturerDataBlob, descriptor.manufacturerDataMask, length, &pool)
    }

    /// Whether it may match what was heard.
    ///
    /// - Parameter service: Where the data of its service lie among the payloads, if there are any.
    func mayMatch(_ heard: borrowing HeardPayloads, service: Range<Int>?, names: PairSet?) -> Bool {
        guard serviceData.matches(service, of: heard) else { return false }
        if let company {
            guard let range = heard.range(of: company), manufacturerData.matches(range, of: heard) else { return false }
        }
        guard let name else { return true }
        return names?.contains(name) ?? false
    }
}

/// A masked blob, whose bytes lie in a pool (D6).
private struct MaskDigest: Sendable {
    /// Bytes of the blob; nil where nothing is compared.
    private let count: Int?
    private let isExact: Bool
    /// Where the pool has eight bytes of the mask, eight of the blob, and so on, with zeros after the end.
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

    /// `(payload & mask) == blob`, eight bytes at a time: a payload of an extended advertisement has up to 252.
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

/// All payloads of an advertisement in one place in memory, and what they are held against.
struct HeardPayloads: ~Copyable {
    /// One after the other, and eight zeros.
    let bytes: UnsafeRawBufferPointer
    /// The blobs and masks of the digests that they are held against.
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

    /// Where a company's manufacturer data lie.
    func range(of company: UInt16) -> Range<Int>? {
        for heard in companies where heard.identifier == company { return heard.range }
        return nil
    }
}

import Foundation

/// Bytes that are compared under a mask (D6).
struct MaskedBytes: Sendable {
    private let blob: [UInt8]
    private let mask: [UInt8]
    private let length: HostPolicy.BlobLength

    /// - Returns: Nil where blob or mask is missing, and so nothing is compared.
    init?(_ blob: Data?, mask: Data?, length: HostPolicy.BlobLength) {
        guard let blob, let mask else { return nil }
        self.blob = Array(blob)
        self.mask = Array(mask)
        self.length = length
    }

    /// `(payload & mask) == blob`; never where blob and mask differ in length, or there is no payload.
    func match(_ payload: [UInt8]?) -> Bool {
        guard let payload, blob.count == mask.count else { return false }
        guard length == .prefix ? blob.count <= payload.count : blob.count == payload.count else { return false }
        return payload.withUnsafeBytes { payload in
            mask.withUnsafeBytes { mask in blob.withUnsafeBytes { Self.match(payload, mask, $0) } }
        }
    }

    /// Eight bytes at a time: a payload of an extended advertisement has up to 252.
    private static func match(
        _ payload: UnsafeRawBufferPointer, _ mask: UnsafeRawBufferPointer, _ blob: UnsafeRawBufferPointer
    ) -> Bool {
        var place = 0
        while place + 8 <= blob.count {
            let word = payload.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let bits = mask.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            guard word & bits == blob.loadUnaligned(fromByteOffset: place, as: UInt64.self) else { return false }
            place += 8
        }
        while place < blob.count {
            guard payload[place] & mask[place] == blob[place] else { return false }
            place += 1
        }
        return true
    }
}

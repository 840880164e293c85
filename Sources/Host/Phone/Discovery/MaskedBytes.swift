import Foundation

/// Bytes that are compared under a mask (D6).
struct MaskedBytes: Sendable {
    private let blob: Data
    private let mask: Data
    private let length: HostPolicy.BlobLength

    /// - Returns: Nil where blob or mask is missing, and so nothing is compared.
    init?(_ blob: Data?, mask: Data?, length: HostPolicy.BlobLength) {
        guard let blob, let mask else { return nil }
        self.blob = blob
        self.mask = mask
        self.length = length
    }

    /// `(payload & mask) == blob`; never where blob and mask differ in length, or there is no payload.
    func match(_ payload: ArraySlice<UInt8>?) -> Bool {
        guard let payload, blob.count == mask.count else { return false }
        guard length == .prefix ? blob.count <= payload.count : blob.count == payload.count else { return false }
        return zip(zip(payload, mask), blob).allSatisfy { $0.0 & $0.1 == $1 }
    }
}

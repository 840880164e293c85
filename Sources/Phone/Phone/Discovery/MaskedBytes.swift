import Foundation

/// A blob and a mask that a payload is compared with (D6).
struct MaskedBytes: Sendable {
    private let blob: Data
    private let mask: Data
    private let length: HostPolicy.BlobLength

    /// - Returns: Nil if the blob or the mask is missing; then nothing is compared.
    init?(_ blob: Data?, mask: Data?, length: HostPolicy.BlobLength) {
        guard let blob, let mask else { return nil }
        self.blob = blob
        self.mask = mask
        self.length = length
    }

    /// Whether `(payload & mask) == blob`. False without a payload, or if blob and mask differ in length.
    func match(_ payload: ArraySlice<UInt8>?) -> Bool {
        guard let payload, blob.count == mask.count else { return false }
        guard length == .prefix ? blob.count <= payload.count : blob.count == payload.count else { return false }
        return zip(zip(payload, mask), blob).allSatisfy { $0.0 & $0.1 == $1 }
    }
}

import FoundationEssentials

/// The key derivation function of ANSI X9.63 with a hash function. Source: SEC 1 version 2, section 3.6.1.
enum X963KDF<H: HashFunction> {
    /// The first `outputByteCount` bytes of Hash(secret ‖ counter ‖ info) for the counters 1, 2 and so on.
    static func deriveKey(secret: SecureBytes, sharedInfo: some DataProtocol, outputByteCount: Int) -> SymmetricKey {
        let blockByteCount = H.Digest.byteCount
        precondition(
            outputByteCount >= 0 && outputByteCount / blockByteCount < UInt32.max,
            "the key derivation function of X9.63 counts its blocks with 32 bits")
        return SymmetricKey(
            bytes: SecureBytes(count: outputByteCount) { output in
                for (index, start) in stride(from: 0, to: outputByteCount, by: blockByteCount).enumerated() {
                    var function = H()
                    secret.withUnsafeBytes { function.update(bufferPointer: $0) }
                    withUnsafeBytes(of: UInt32(index + 1).bigEndian) { function.update(bufferPointer: $0) }
                    function.update(data: sharedInfo)
                    let block = SecureBytes(count: blockByteCount) { function.finalize(into: $0) }
                    let end = min(start + blockByteCount, outputByteCount)
                    block.withUnsafeBytes {
                        UnsafeMutableRawBufferPointer(rebasing: output[start..<end])
                            .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<(end - start)]))
                    }
                }
            })
    }
}

import FoundationEssentials

extension CipherContext {
    /// The length of a tag in bytes, the same for every algorithm here.
    static let tagByteCount = 16

    /// Seals a message of `byteCount` bytes into one piece of memory: nonce, ciphertext, tag. `fill` encrypts the
    /// message.
    static func seal(
        _ byteCount: Int, with algorithm: Algorithm, _ key: SymmetricKey, nonce: some ContiguousBytes,
        _ fill: (borrowing CipherContext, UnsafeMutableRawBufferPointer) throws -> Void
    ) throws -> Data {
        try nonce.withUnsafeBytes { nonce in
            let context = try CipherContext.begin(algorithm, .seal, key, nonce: nonce)
            return try Data(byteCount: nonce.count + byteCount + tagByteCount) { output in
                output.copyMemory(from: nonce)
                let message = output[nonce.count..<(nonce.count + byteCount)]
                try fill(context, UnsafeMutableRawBufferPointer(rebasing: message))
                try context.finish()
                try context.readTag(into: UnsafeMutableRawBufferPointer(rebasing: output.suffix(tagByteCount)))
            }
        }
    }

    /// Opens a message that lies in one piece of memory: nonce, ciphertext, tag.
    ///
    /// - Parameter authenticating: Passes the other data that the tag covers to the context.
    /// - Throws: `CryptoKitError.authenticationFailure` if the parts, the other data and the key do not belong
    ///   together.
    static func open(
        _ combined: Data, with algorithm: Algorithm, _ key: SymmetricKey, nonceByteCount: Int,
        authenticating: (borrowing CipherContext) throws -> Void
    ) throws -> Data {
        try combined.withUnsafeBytes { box in
            let (nonce, rest) = (box[..<nonceByteCount], box[nonceByteCount...])
            let context = try CipherContext.begin(
                algorithm, .open, key, nonce: UnsafeRawBufferPointer(rebasing: nonce))
            try authenticating(context)
            return try Data(byteCount: rest.count - tagByteCount) { message in
                try context.transform(UnsafeRawBufferPointer(rebasing: rest.dropLast(tagByteCount)), into: message)
                try context.setTag(UnsafeRawBufferPointer(rebasing: rest.suffix(tagByteCount)))
                try context.verify()
            }
        }
    }
}

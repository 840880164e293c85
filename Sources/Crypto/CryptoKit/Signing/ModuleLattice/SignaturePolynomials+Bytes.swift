/// Converts polynomials to and from bytes (FIPS 204, 7.1). The time depends only on the number of polynomials.
extension SignaturePolynomials {
    /// The length in bytes of one polynomial with `bits` bits per coefficient.
    static func byteCount(bits: Int) -> Int { SignatureRing.degree / 8 * bits }

    /// Writes each polynomial with `bits` bits per coefficient (`SimpleBitPack` and `BitPack`, algorithms 16 and 17).
    ///
    /// - Parameter value: The number to write for a coefficient, below 2ᵇⁱᵗˢ.
    func packed(bits: Int, _ value: (Int32) -> Int32 = { $0 }) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * Self.byteCount(bits: bits))
        var (buffer, filled): (UInt64, Int) = (0, 0)
        for index in 0..<coefficientCount {
            buffer |= UInt64(UInt32(bitPattern: value(self[index]))) &<< UInt64(filled)
            filled += bits
            while filled >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: buffer))
                buffer >>= 8
                filled -= 8
            }
        }
        return bytes
    }

    /// Reads polynomials from all bytes (`SimpleBitUnpack` and `BitUnpack`, algorithms 18 and 19).
    ///
    /// - Parameter coefficient: The coefficient for a number that was read.
    convenience init(unpacking bytes: UnsafeRawBufferPointer, bits: Int, _ coefficient: (Int32) -> Int32 = { $0 }) {
        self.init(bytes.count / Self.byteCount(bits: bits))
        var (buffer, filled, next): (UInt64, Int, Int) = (0, 0, 0)
        for index in 0..<coefficientCount {
            while filled < bits {
                buffer |= UInt64(bytes[next]) &<< UInt64(filled)
                filled += 8
                next += 1
            }
            self[index] = coefficient(Int32(truncatingIfNeeded: buffer & (1 &<< UInt64(bits) &- 1)))
            buffer &>>= UInt64(bits)
            filled -= bits
        }
    }

    /// Writes the places of the ones among zeros: `HintBitPack`, algorithm 20.
    ///
    /// - Parameter limit: How many ones there may be.
    func packedHints(limit: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit + count)
        var found = 0
        for place in 0..<count {
            for (offset, index) in range(place).enumerated() where self[index] != 0 {
                bytes[found] = UInt8(offset)
                found += 1
            }
            bytes[limit + place] = UInt8(found)
        }
        return bytes
    }

    /// Reads the form of ``packedHints(limit:)``: `HintBitUnpack`, algorithm 21.
    ///
    /// - Returns: nil if the bytes are not in the only valid form.
    static func hints(unpacking bytes: ArraySlice<UInt8>, count: Int, limit: Int) -> SignaturePolynomials? {
        let bytes = Array(bytes)
        guard bytes.count == limit + count else { return nil }
        let hints = SignaturePolynomials(count)
        var next = 0
        for place in 0..<count {
            let end = Int(bytes[limit + place])
            guard end >= next, end <= limit else { return nil }
            let places = bytes[next..<end]
            guard zip(places, places.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
            for offset in places { hints[hints.range(place).lowerBound + Int(offset)] = 1 }
            next = end
        }
        guard bytes[next..<limit].allSatisfy({ $0 == 0 }) else { return nil }
        return hints
    }
}

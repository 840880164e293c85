/// Makes random polynomials from a seed (FIPS 204, 7.3).
extension SignaturePolynomials {
    /// The matrix made from a public seed of 32 bytes, in transformed form, row by row: `ExpandA`, algorithm 32.
    static func matrix(seed: [UInt8], rows: Int, columns: Int) -> SignaturePolynomials {
        let matrix = SignaturePolynomials(rows * columns)
        for row in 0..<rows {
            for column in 0..<columns {
                let seed = seed + [UInt8(column), UInt8(row)]
                // Five blocks of SHAKE128 are almost always enough.
                matrix.fill(row * columns + column, byteCount: 168 * 5) {
                    Keccak.shake128(seed, byteCount: $0)
                } numbers: { bytes, offer in
                    for next in stride(from: 0, to: bytes.count - 2, by: 3) {
                        let low = Int32(bytes[next]) | Int32(bytes[next + 1]) << 8
                        let number = low | Int32(bytes[next + 2] & 0x7F) << 16
                        if number < SignatureRing.modulus { offer(number) }
                    }
                }
            }
        }
        return matrix
    }

    /// Small secret polynomials with coefficients within ±`bound`: a part of `ExpandS`, algorithm 33.
    ///
    /// The time shows how many numbers are left out, but not the coefficients from the others.
    ///
    /// - Parameters:
    ///   - seed: 64 secret bytes.
    ///   - first: The number of the first polynomial.
    ///   - bound: 2 or 4, `η` in FIPS 204.
    static func small(_ count: Int, seed: SecureBytes, from first: Int, bound: Int32) -> SignaturePolynomials {
        let polynomials = SignaturePolynomials(count)
        for place in 0..<count {
            polynomials.fill(place, byteCount: 136 * 4) {
                Keccak.shake256(seed, littleEndian(first + place), byteCount: $0)
            } numbers: { bytes, offer in
                for byte in bytes {
                    for half in [Int32(byte & 15), Int32(byte >> 4)] where half < (bound == 2 ? 15 : 9) {
                        // 205 is 2¹⁰/5, rounded up: the third part is half / 5, rounded down.
                        offer(bound &- (bound == 2 ? half &- 5 &* ((half &* 205) >> 10) : half))
                    }
                }
            }
        }
        return polynomials
    }

    /// The mask of a signature: `ExpandMask`, algorithm 34. The coefficients are from −524287 to 524288.
    static func mask(_ count: Int, seed: SecureBytes, from first: Int) -> SignaturePolynomials {
        let polynomials = SignaturePolynomials(count)
        for place in 0..<count {
            let bytes = Keccak.shake256(seed, littleEndian(first + place), byteCount: byteCount(bits: 20))
            let polynomial = bytes.withUnsafeBytes {
                SignaturePolynomials(unpacking: $0, bits: 20) { SignatureRing.maskRange &- $0 }
            }
            for (index, offset) in zip(polynomials.range(place), 0...) { polynomials[index] = polynomial[offset] }
        }
        return polynomials
    }

    /// One polynomial with `ones` coefficients that are 1 or −1, and zeros: `SampleInBall`, algorithm 29. It is public.
    static func challenge(seed: [UInt8], ones: Int) -> SignaturePolynomials {
        let result = SignaturePolynomials(1)
        var byteCount = 136 * 2
        while true {
            let isDone = Keccak.shake256(seed, byteCount: byteCount).withUnsafeBytes { bytes in
                var signs = bytes.loadUnaligned(as: UInt64.self).littleEndian
                var next = 8
                for index in (SignatureRing.degree - ones)..<SignatureRing.degree {
                    while next < bytes.count, Int(bytes[next]) > index { next += 1 }
                    guard next < bytes.count else { return false }
                    let place = Int(bytes[next])
                    next += 1
                    result[index] = result[place]
                    result[place] = signs & 1 == 1 ? -1 : 1
                    signs >>= 1
                }
                return true
            }
            if isDone { return result }
            for index in 0..<SignatureRing.degree { result[index] = 0 }
            byteCount *= 2
        }
    }

    /// Fills one polynomial with numbers from a stream. The stream is extended until there are enough.
    private func fill(
        _ place: Int, byteCount: Int, stream: (Int) -> SecureBytes,
        numbers: (UnsafeRawBufferPointer, (Int32) -> Void) -> Void
    ) {
        var byteCount = byteCount
        while true {
            var next = range(place)
            stream(byteCount).withUnsafeBytes { bytes in
                numbers(bytes) { number in
                    guard let index = next.first else { return }
                    self[index] = number
                    next = next.dropFirst()
                }
            }
            if next.isEmpty { return }
            byteCount *= 2
        }
    }

    /// Two bytes, least significant byte first.
    private static func littleEndian(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }
}

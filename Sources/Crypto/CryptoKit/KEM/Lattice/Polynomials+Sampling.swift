/// Makes random polynomials from a seed (FIPS 203, 4.2.2).
extension Polynomials {
    /// The matrix made from a public seed of 32 bytes, in transformed (NTT) form, row by row. It has `side` rows.
    static func matrix(seed: [UInt8], side: Int) -> Polynomials {
        let matrix = Polynomials(side * side)
        for row in 0..<side {
            for column in 0..<side {
                matrix.withCoefficients(row * side + column) {
                    sampleUniform(seed: seed + [UInt8(column), UInt8(row)], into: $0)
                }
            }
        }
        return matrix
    }

    /// Makes one uniform polynomial: `SampleNTT`, algorithm 7. The seed is public, so the time may depend on it.
    private static func sampleUniform(seed: [UInt8], into coefficients: UnsafeMutablePointer<Int16>) {
        // Four blocks of SHAKE128 are too few only about once in some hundred calls.
        var blocks = 4
        while true {
            let found = Keccak.shake128(seed, byteCount: 168 * blocks).withUnsafeBytes {
                take(from: $0, into: coefficients)
            }
            if found == Ring.degree { return }
            blocks *= 2
        }
    }

    /// Takes the 12-bit numbers of the stream that are below 3329, at most 256 of them.
    ///
    /// - Returns: How many were taken.
    private static func take(from stream: UnsafeRawBufferPointer, into coefficients: UnsafeMutablePointer<Int16>) -> Int
    {
        var found = 0
        func offer(_ candidate: Int16) {
            guard candidate < Ring.modulus, found < Ring.degree else { return }
            coefficients[found] = candidate
            found += 1
        }
        for next in stride(from: 0, to: stream.count - 2, by: 3) where found < Ring.degree {
            offer(Int16(stream[next]) | Int16(stream[next + 1] & 0x0F) << 8)
            offer(Int16(stream[next + 1] >> 4) | Int16(stream[next + 2]) << 4)
        }
        return found
    }

    /// Makes small secret polynomials: `SamplePolyCBD` with η = 2 (algorithm 8) on `PRF(seed, first)` and so on (4.3).
    ///
    /// - Parameter seed: 32 secret bytes.
    static func small(_ count: Int, seed: SecureBytes, from first: UInt8) -> Polynomials {
        let polynomials = Polynomials(count)
        for place in 0..<count {
            let stream = Keccak.shake256(seed, [first + UInt8(place)], byteCount: 128)
            stream.withUnsafeBytes { stream in
                polynomials.withCoefficients(place) { coefficients in
                    for (index, byte) in stream.enumerated() {
                        coefficients[2 * index] = difference(of: byte)
                        coefficients[2 * index + 1] = difference(of: byte >> 4)
                    }
                }
            }
        }
        return polynomials
    }

    /// The sum of the two lowest bits minus the sum of the next two.
    @inline(__always)
    private static func difference(of bits: UInt8) -> Int16 {
        Int16(bits & 1) &+ Int16(bits >> 1 & 1) &- Int16(bits >> 2 & 1) &- Int16(bits >> 3 & 1)
    }
}

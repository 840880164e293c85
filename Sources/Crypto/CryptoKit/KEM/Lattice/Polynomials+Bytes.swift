/// Converts polynomials to and from bytes (FIPS 203, 4.2.1). The time depends only on the number of polynomials;
/// ``readCompressed(bits:from:)`` is the exception.
extension Polynomials {
    /// The length in bytes of one polynomial with `bits` bits per coefficient.
    static func byteCount(bits: Int) -> Int { Ring.degree / 8 * bits }

    /// Writes each polynomial without loss, with 12 bits per coefficient (`ByteEncode`, algorithm 5).
    func write(to bytes: UnsafeMutableRawBufferPointer) {
        write(bits: 12, to: bytes) { UInt32(UInt16(bitPattern: Ring.standard(Ring.center($0)))) }
    }

    /// Writes each polynomial with `bits` bits per coefficient: `Compress` (4.7), then `ByteEncode`.
    func writeCompressed(bits: Int, to bytes: UnsafeMutableRawBufferPointer) {
        write(bits: bits, to: bytes) { Polynomials.compress($0, bits: bits) }
    }

    /// Reads the form of ``write(to:)`` (`ByteDecode`, algorithm 6). Returns false if a coefficient is 3329 or more.
    func read(from bytes: UnsafeRawBufferPointer) -> Bool {
        var isValid = true
        read(bits: 12, from: bytes) { value in
            isValid = value < UInt32(Ring.modulus) && isValid
            return Int16(truncatingIfNeeded: value)
        }
        return isValid
    }

    /// Reads a message, a bit for each coefficient, like ``readCompressed(bits:from:)`` with one bit.
    ///
    /// The message is secret. In one pass, the compiler turns the product of a bit and a constant into a conditional
    /// jump on the bit, whose time shows (CVE-2024-37880). So the bits are stored first, and multiplied by a function
    /// that does not know that they are bits.
    func readMessage(from bytes: UnsafeRawBufferPointer) {
        read(bits: 1, from: bytes) { Int16(truncatingIfNeeded: $0) }
        multiply(by: (Ring.modulus + 1) / 2)
    }

    /// It is never inlined, so that the compiler cannot join it with what made the coefficients.
    @inline(never)
    private func multiply(by factor: Int16) { map { $0 &* factor } }

    /// Reads the form of ``writeCompressed(bits:to:)``, with its loss: `ByteDecode`, then `Decompress` (4.8).
    ///
    /// Only for bytes that are not secret, such as those of a ciphertext: see ``readMessage(from:)``.
    func readCompressed(bits: Int, from bytes: UnsafeRawBufferPointer) {
        read(bits: bits, from: bytes) { value in
            Int16(truncatingIfNeeded: (value &* UInt32(Ring.modulus) &+ 1 &<< UInt32(bits - 1)) &>> UInt32(bits))
        }
    }

    /// The number of the nearest of 2ᵇⁱᵗˢ equidistant values (4.7). `coefficient` is any residue.
    @inline(__always)
    static func compress(_ coefficient: Int16, bits: Int) -> UInt32 {
        let value = UInt32(UInt16(bitPattern: Ring.standard(Ring.center(coefficient))))
        return Ring.quotient(value &<< UInt32(bits) &+ UInt32(Ring.modulus / 2)) & (1 &<< UInt32(bits) &- 1)
    }

    @inline(__always)
    private func write(bits: Int, to bytes: UnsafeMutableRawBufferPointer, _ value: (Int16) -> UInt32) {
        precondition(bytes.count == count * Polynomials.byteCount(bits: bits), "polynomials need all their bytes")
        var (buffer, filled, next): (UInt32, UInt32, Int) = (0, 0, 0)
        for place in 0..<count {
            withCoefficients(place) { coefficients in
                for index in 0..<Ring.degree {
                    buffer |= value(coefficients[index]) &<< filled
                    filled &+= UInt32(bits)
                    while filled >= 8 {
                        bytes[next] = UInt8(truncatingIfNeeded: buffer)
                        buffer >>= 8
                        filled &-= 8
                        next += 1
                    }
                }
            }
        }
    }

    @inline(__always)
    private func read(bits: Int, from bytes: UnsafeRawBufferPointer, _ coefficient: (UInt32) -> Int16) {
        precondition(bytes.count == count * Polynomials.byteCount(bits: bits), "polynomials need all their bytes")
        var (buffer, filled, next): (UInt32, UInt32, Int) = (0, 0, 0)
        for place in 0..<count {
            withCoefficients(place) { coefficients in
                for index in 0..<Ring.degree {
                    while filled < bits {
                        buffer |= UInt32(bytes[next]) &<< filled
                        filled &+= 8
                        next += 1
                    }
                    coefficients[index] = coefficient(buffer & (1 &<< UInt32(bits) &- 1))
                    buffer &>>= UInt32(bits)
                    filled &-= UInt32(bits)
                }
            }
        }
    }
}

import HILCOpenSSL

/// A list of polynomials of degree below 256 over the integers modulo 3329. It is wiped when released.
///
/// It is a class so that secret coefficients exist at only one place in memory. One thread writes while it makes a key
/// or a ciphertext; afterwards any thread may read.
final class Polynomials {
    /// The number of polynomials.
    let count: Int
    private let storage: UnsafeMutablePointer<Int16>

    /// Makes polynomials that are zero.
    init(_ count: Int) {
        self.count = count
        storage = .allocate(capacity: count * Ring.degree)
        storage.initialize(repeating: 0, count: count * Ring.degree)
    }

    deinit {
        OPENSSL_cleanse(storage, count * Ring.degree * MemoryLayout<Int16>.stride)
        storage.deallocate()
    }

    /// Calls `body` with the coefficients of one polynomial. The pointer is valid only during the call.
    @inline(__always)
    func withCoefficients<R>(_ place: Int, _ body: (UnsafeMutablePointer<Int16>) throws -> R) rethrows -> R {
        precondition(place >= 0 && place < count, "there are \(count) polynomials")
        return try withExtendedLifetime(self) { try body(storage + place * Ring.degree) }
    }

    /// Replaces every coefficient by the result of `change`.
    @inline(__always)
    func map(_ change: (Int16) -> Int16) {
        withExtendedLifetime(self) {
            for index in 0..<count * Ring.degree { storage[index] = change(storage[index]) }
        }
    }

    /// Adds the polynomials of `other`, each to the one at the same position.
    func add(_ other: Polynomials) { combine(other) { $0 &+ $1 } }

    /// Subtracts the polynomials of `other`, each from the one at the same position.
    func subtract(_ other: Polynomials) { combine(other) { $0 &- $1 } }

    @inline(__always)
    private func combine(_ other: Polynomials, _ operation: (Int16, Int16) -> Int16) {
        precondition(count == other.count, "as many polynomials on both sides")
        withExtendedLifetime((self, other)) {
            for index in 0..<count * Ring.degree {
                storage[index] = operation(storage[index], other.storage[index])
            }
        }
    }
}

// MARK: - The number-theoretic transform

extension Polynomials {
    /// Applies the NTT to each polynomial (FIPS 203, algorithm 9). The results are between −1664 and 1664.
    func transform() {
        for place in 0..<count { withCoefficients(place, Polynomials.transform) }
        map(Ring.center)
    }

    /// Applies the inverse NTT to each polynomial (FIPS 203, algorithm 10), and undoes the division by 2¹⁶ of one
    /// product.
    ///
    /// The results are between −3329 and 3329.
    func transformBack() {
        for place in 0..<count { withCoefficients(place, Polynomials.transformBack) }
    }

    private static func transform(_ f: UnsafeMutablePointer<Int16>) {
        Ring.zetas.withUnsafeBufferPointer { zetas in
            var next = 1
            var length = 128
            while length >= 2 {
                var start = 0
                while start < Ring.degree {
                    let zeta = zetas[next]
                    next += 1
                    for j in start..<start + length {
                        let t = Ring.multiply(zeta, f[j + length])
                        f[j + length] = f[j] &- t
                        f[j] = f[j] &+ t
                    }
                    start += 2 * length
                }
                length /= 2
            }
        }
    }

    private static func transformBack(_ f: UnsafeMutablePointer<Int16>) {
        Ring.zetas.withUnsafeBufferPointer { zetas in
            var next = 127
            var length = 2
            while length <= 128 {
                var start = 0
                while start < Ring.degree {
                    let zeta = zetas[next]
                    next -= 1
                    for j in start..<start + length {
                        let t = f[j]
                        f[j] = Ring.center(t &+ f[j + length])
                        f[j + length] = Ring.multiply(zeta, f[j + length] &- t)
                    }
                    start += 2 * length
                }
                length *= 2
            }
        }
        for index in 0..<Ring.degree { f[index] = Ring.multiply(f[index], Ring.inverseScale) }
    }

    /// Stores at `place` the sum of the products of `vector`'s polynomials with those of `matrix` at `first`,
    /// `first + step` and so on.
    ///
    /// All are in transformed (NTT) form (FIPS 203, algorithms 11 and 12). The sum is divided by 2¹⁶ and is between
    /// −1664 and 1664.
    func setProduct(at place: Int, of matrix: Polynomials, from first: Int, by step: Int, with vector: Polynomials) {
        withCoefficients(place) { sum in
            for index in 0..<vector.count {
                matrix.withCoefficients(first + index * step) { a in
                    vector.withCoefficients(index) { b in Polynomials.addProduct(of: a, b, to: sum) }
                }
            }
            for index in 0..<Ring.degree { sum[index] = Ring.center(sum[index]) }
        }
    }

    private static func addProduct(
        of a: UnsafeMutablePointer<Int16>, _ b: UnsafeMutablePointer<Int16>, to sum: UnsafeMutablePointer<Int16>
    ) {
        Ring.zetas.withUnsafeBufferPointer { zetas in
            for pair in 0..<Ring.degree / 4 {
                let zeta = zetas[64 + pair]
                addProduct(of: a + 4 * pair, b + 4 * pair, zeta, to: sum + 4 * pair)
                addProduct(of: a + 4 * pair + 2, b + 4 * pair + 2, 0 &- zeta, to: sum + 4 * pair + 2)
            }
        }
    }

    @inline(__always)
    private static func addProduct(
        of a: UnsafeMutablePointer<Int16>, _ b: UnsafeMutablePointer<Int16>, _ zeta: Int16,
        to sum: UnsafeMutablePointer<Int16>
    ) {
        let top = Int32(Ring.multiply(a[1], zeta)) &* Int32(b[1])
        sum[0] = sum[0] &+ Ring.reduce(Int32(a[0]) &* Int32(b[0]) &+ top)
        sum[1] = sum[1] &+ Ring.reduce(Int32(a[0]) &* Int32(b[1]) &+ Int32(a[1]) &* Int32(b[0]))
    }
}

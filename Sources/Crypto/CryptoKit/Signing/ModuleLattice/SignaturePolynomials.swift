import HILCOpenSSL

/// A list of polynomials of degree below 256 over the integers modulo 8380417. It is wiped when released.
///
/// It is a class so that secret coefficients exist at only one place in memory. One thread writes while it makes a key
/// or a signature; afterwards any thread may read.
final class SignaturePolynomials {
    /// The number of polynomials.
    let count: Int
    private let storage: UnsafeMutableBufferPointer<Int32>

    /// Makes polynomials that are zero.
    init(_ count: Int) {
        self.count = count
        storage = .allocate(capacity: count * SignatureRing.degree)
        storage.initialize(repeating: 0)
    }

    deinit {
        OPENSSL_cleanse(storage.baseAddress, storage.count * MemoryLayout<Int32>.stride)
        storage.deallocate()
    }

    /// The coefficients of one polynomial.
    @inline(__always)
    func range(_ place: Int) -> Range<Int> {
        precondition(place >= 0 && place < count, "there are \(count) polynomials")
        return place * SignatureRing.degree..<(place + 1) * SignatureRing.degree
    }

    /// A coefficient of the polynomials that lie one after the other.
    @inline(__always)
    subscript(index: Int) -> Int32 {
        get {
            precondition(storage.indices.contains(index))
            return withExtendedLifetime(self) { storage[index] }
        }
        set {
            precondition(storage.indices.contains(index))
            withExtendedLifetime(self) { storage[index] = newValue }
        }
    }

    /// The number of coefficients of all polynomials.
    var coefficientCount: Int { storage.count }

    /// Polynomials whose coefficients are made from those of this list.
    @inline(__always)
    func mapped(_ change: (Int32) -> Int32) -> SignaturePolynomials {
        let result = SignaturePolynomials(count)
        for index in 0..<coefficientCount { result[index] = change(self[index]) }
        return result
    }

    /// Polynomials whose coefficients are made from those of two lists.
    @inline(__always)
    func combined(_ other: SignaturePolynomials, _ change: (Int32, Int32) -> Int32) -> SignaturePolynomials {
        precondition(count == other.count, "as many polynomials on both sides")
        let result = SignaturePolynomials(count)
        for index in 0..<coefficientCount { result[index] = change(self[index], other[index]) }
        return result
    }

    /// The sums, as residues from 0 to 8380416; all coefficients are within ±8380416.
    func adding(_ other: SignaturePolynomials) -> SignaturePolynomials {
        combined(other) { SignatureRing.standard(SignatureRing.shorten($0 &+ $1)) }
    }

    /// The differences, as residues from 0 to 8380416; all coefficients are within ±8380416.
    func subtracting(_ other: SignaturePolynomials) -> SignaturePolynomials {
        combined(other) { SignatureRing.standard(SignatureRing.shorten($0 &- $1)) }
    }

    /// Whether a coefficient, taken between −4190208 and 4190208, has at least this absolute value. The coefficients are
    /// residues from 0 to 8380416. The time does not show which coefficient it is.
    func reaches(_ bound: Int32) -> Bool {
        var found: Int32 = 0
        for index in 0..<coefficientCount {
            let centered = SignatureRing.center(self[index])
            let sign = centered >> 31
            found |= (bound &- 1 &- ((centered ^ sign) &- sign)) >> 31
        }
        return found != 0
    }
}

// MARK: - The number-theoretic transform

extension SignaturePolynomials {
    /// The NTT of each polynomial (FIPS 204, algorithm 41). The results are within ±6283009.
    func transformed() -> SignaturePolynomials {
        let result = mapped { $0 }
        for place in 0..<count { result.transform(result.range(place).lowerBound) }
        return result.mapped(SignatureRing.shorten)
    }

    private func transform(_ base: Int) {
        var (next, length) = (1, 128)
        while length >= 1 {
            for start in stride(from: base, to: base + SignatureRing.degree, by: 2 * length) {
                let zeta = SignatureRing.zetas[next]
                next += 1
                for j in start..<start + length {
                    let t = SignatureRing.multiply(zeta, self[j + length])
                    self[j + length] = self[j] &- t
                    self[j] = self[j] &+ t
                }
            }
            length /= 2
        }
    }

    /// The inverse NTT of each polynomial (FIPS 204, algorithm 42), as residues from 0 to 8380416. It undoes the division
    /// by 2³² of one product.
    func transformedBack() -> SignaturePolynomials {
        let result = mapped(SignatureRing.shorten)
        for place in 0..<count { result.transformBack(result.range(place).lowerBound) }
        return result.mapped { SignatureRing.standard(SignatureRing.multiply($0, SignatureRing.inverseScale)) }
    }

    private func transformBack(_ base: Int) {
        var (next, length) = (255, 1)
        while length < SignatureRing.degree {
            for start in stride(from: base, to: base + SignatureRing.degree, by: 2 * length) {
                let zeta = SignatureRing.zetas[next]
                next -= 1
                for j in start..<start + length {
                    let t = self[j]
                    self[j] = t &+ self[j + length]
                    self[j + length] = SignatureRing.multiply(zeta, self[j + length] &- t)
                }
            }
            length *= 2
        }
    }

    /// The products of each row of a matrix with a vector, divided by 2³². All are in transformed form.
    ///
    /// - Parameter matrix: Row by row; a row has as many polynomials as the vector.
    static func product(of matrix: SignaturePolynomials, _ vector: SignaturePolynomials) -> SignaturePolynomials {
        let result = SignaturePolynomials(matrix.count / vector.count)
        for row in 0..<result.count {
            for column in 0..<vector.count {
                let (a, b) = (matrix.range(row * vector.count + column), vector.range(column))
                for (index, (left, right)) in zip(result.range(row), zip(a, b)) {
                    result[index] = result[index] &+ SignatureRing.multiply(matrix[left], vector[right])
                }
            }
        }
        return result
    }

    /// The product of each polynomial with `factor`, divided by 2³². All are in transformed form.
    func multiplied(by factor: SignaturePolynomials) -> SignaturePolynomials {
        let result = SignaturePolynomials(count)
        for index in 0..<coefficientCount {
            result[index] = SignatureRing.multiply(self[index], factor[index % SignatureRing.degree])
        }
        return result
    }
}

extension BinaryInteger {
    /// The digits of a number that is not negative, with zeros before them if they are fewer than `count`.
    package func padded(to count: Int, radix: Int = 10, uppercase: Bool = false) -> String {
        let digits = String(self, radix: radix, uppercase: uppercase)
        return String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
    }
}

import HILRecord

/// The choices of an attack: the same for a seed on every machine.
struct AttackChance: Sendable {
    private var numbers: SplitMix64

    init(_ seed: UInt64) { numbers = SplitMix64(seed) }

    /// A number from 0 up to this one, without it.
    mutating func number(below count: Int) -> Int { Int(numbers.next() % UInt64(max(1, count))) }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + number(below: range.upperBound - range.lowerBound + 1)
    }

    /// Whether something happens that does so in this many of a hundred cases.
    mutating func happens(_ percent: Int) -> Bool { number(below: 100) < percent }

    mutating func one<Element>(of elements: [Element]) -> Element { elements[number(below: elements.count)] }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: numbers.next()) }
    mutating func word() -> UInt16 { UInt16(truncatingIfNeeded: numbers.next()) }
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }

    /// A length of a value: mostly a short one, or one where readers often are wrong.
    mutating func length() -> Int {
        happens(60)
            ? number(in: 0...24)
            : one(of: [0, 1, 2, 19, 20, 21, 22, 23, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 243, 244, 245, 251])
                + (happens(10) ? 262 : 0)
    }

    /// A field of two bytes: a value where readers often are wrong, or any.
    mutating func edge() -> UInt16 {
        happens(70)
            ? one(of: [0, 1, 2, 22, 23, 24, 64, 255, 256, 512, 513, 517, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF]) : word()
    }

    /// The same bytes with one to three damages, mostly behind the first one, which says what they are.
    mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        let head = happens(85) ? bytes.prefix(1) : []
        var rest = Array(bytes.dropFirst(head.count))
        for _ in 0..<number(in: 1...3) { damage(&rest) }
        return head + rest
    }

    private mutating func damage(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return bytes = self.bytes(number(in: 1...8)) }
        let place = number(below: bytes.count)
        switch number(below: 7) {
        case 0: bytes[place] ^= 1 << UInt8(number(below: 8))
        case 1: bytes[place] = one(of: [0, 1, 0x7F, 0x80, 0xFF])
        case 2: bytes.removeLast(bytes.count - place)
        case 3: bytes.remove(at: place)
        case 4: bytes += self.bytes(number(in: 1...32))
        case 5: bytes.insert(contentsOf: self.bytes(number(in: 1...8)), at: place)
        default: bytes += bytes[place...]
        }
    }
}

import Testing

@testable import HILBluetoothHost

@Suite("Values of 128 bits")
struct Value128Tests {
    @Test("The bytes of a value come back in both orders")
    func orders() {
        let value = SMPTest.value("000102030405060708090A0B0C0D0E0F")
        #expect(value.bytes == Array(0...15))
        #expect(value.leastSignificantFirst == Array((0...15).reversed()))
        #expect(value.description == "000102030405060708090A0B0C0D0E0F")
        #expect(Value128([1, 2, 3]) == nil)
    }

    @Test("A shorter key has zeros in its most significant bytes")
    func shortened() {
        let value = SMPTest.value("123456789ABCDEF0123456789ABCDEF0")
        // The example of 2.3.4.
        #expect(value.shortened(to: 7) == SMPTest.value("000000000000000000 3456789ABCDEF0"))
        #expect(value.shortened(to: 8) == SMPTest.value("0000000000000000 123456789ABCDEF0"))
        #expect(value.shortened(to: 9) == SMPTest.value("00000000000000F0 123456789ABCDEF0"))
        #expect(value.shortened(to: 16) == value)
        #expect(value.shortened(to: 0) == .zero)
    }

    @Test("Values that differ in one bit are not equal")
    func inequality() {
        let value = SMPTest.value("123456789ABCDEF0123456789ABCDEF0")
        for bit in 0..<64 {
            #expect(value != Value128(high: value.high ^ 1 << UInt64(bit), low: value.low))
            #expect(value != Value128(high: value.high, low: value.low ^ 1 << UInt64(bit)))
        }
    }
}

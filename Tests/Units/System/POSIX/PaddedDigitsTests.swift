import HILPOSIX
import Testing

struct PaddedDigitsTests {
    @Test(
        "A number has at least so many digits",
        arguments: [(0, 1, "0"), (0, 0, "0"), (7, 6, "000007"), (999_999, 6, "999999"), (1_000_000, 6, "1000000")])
    func padded(number: Int, count: Int, text: String) { #expect(number.padded(to: count) == text) }

    @Test("In another radix, and with capital letters")
    func hexadecimal() {
        #expect(UInt16(0xAB).padded(to: 4, radix: 16, uppercase: true) == "00AB")
        #expect(UInt64.max.padded(to: 16, radix: 16) == "ffffffffffffffff")
    }
}

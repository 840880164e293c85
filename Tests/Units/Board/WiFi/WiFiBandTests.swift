import RadioModel
import Testing

@Suite("The bands of a radio")
struct WiFiBandTests {
    @Test("A radio that knows every band listens where it is told")
    func all() {
        #expect(Set<WiFiBand>.all.heard(of: nil) == nil)
        #expect(Set<WiFiBand>.all.heard(of: [2412, 5180]) == [2412, 5180])
        #expect(Set<WiFiBand>.all.heard(of: []) == [])
    }

    @Test("A radio that knows 2.4 GHz listens there only, and always somewhere")
    func one() {
        let bands: Set<WiFiBand> = [.band2GHz]
        #expect(bands.heard(of: [2437, 5180]) == [2437])
        #expect(bands.heard(of: [5180]) == [2412])
        #expect(bands.heard(of: nil) == (0..<13).map { 2412 + 5 * $0 })
        #expect(Set<WiFiBand>.all.subtracting(bands).heard(of: [2437, 5180]) == [5180])
    }
}

import HILTiming
import RadioModel
import Testing

@testable import BoardAgent

@Suite("Links that end at once")
struct BriefLinksTests {
    private static let phone = DeviceAddress(bytes: [2, 0, 0, 0, 0, 1])!  // six bytes

    @Test("A link that ends at once is brief, a longer or an unknown one is not")
    func brief() {
        var links = BriefLinks<ContinuousClock.Instant>()
        let began = ContinuousClock.now
        let isUnknownBrief = links.ended(with: Self.phone, at: began)
        #expect(!isUnknownBrief)
        for (time, isBrief) in [(299, true), (300, false)] {
            links.began(with: Self.phone, at: began)
            let first = links.ended(with: Self.phone, at: began + .milliseconds(time))
            let second = links.ended(with: Self.phone, at: began + .milliseconds(time))
            #expect(first == isBrief && !second)
        }
    }
}

import Testing

@testable import HILWiFi

@Suite("The channels of a scan")
struct ScanPlanTests {
    @Test("If the channels in use are not known, all channels are scanned once")
    func unknown() {
        var plan = ScanPlan()
        #expect(plan.next(inUse: nil) == [])
        #expect(plan.next(inUse: [2437]) == nil)
    }

    @Test("Only the channels in use are scanned, including those that come into use meanwhile")
    func known() {
        var plan = ScanPlan()
        #expect(plan.next(inUse: [5180, 2437]) == [2437, 5180])
        #expect(plan.next(inUse: [2437, 5180, 5745]) == [5745])
        // A channel that is no longer in use changes nothing.
        #expect(plan.next(inUse: [2437]) == nil)
        #expect(plan.next(inUse: [2412]) == nil, "it is complete")
    }

    @Test("If no channel is in use, one is scanned, so that there is time for one to come into use")
    func idle() {
        var plan = ScanPlan()
        #expect(plan.next(inUse: []) == [2412])
        #expect(plan.next(inUse: [2412, 5180]) == [5180])
        #expect(plan.next(inUse: [2412, 5180]) == nil)
    }

    @Test("If the channels become unknown during the scan, the scan ends")
    func gone() {
        var plan = ScanPlan()
        #expect(plan.next(inUse: [2412]) == [2412])
        #expect(plan.next(inUse: nil) == nil)
    }
}

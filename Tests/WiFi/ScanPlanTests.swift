import Testing

@testable import WiFi

@Suite("On which channels a scan listens")
struct ScanPlanTests {
    @Test("Where nobody knows what is in use, on all of them, once")
    func unknown() {
        var plan = ScanPlan()
        #expect(plan.next(inUse: nil) == [])
        #expect(plan.next(inUse: [2437]) == nil)
    }

    @Test("On those in use alone, and on those that come into use meanwhile")
    func known() {
        var plan = ScanPlan()
        #expect(plan.next(inUse: [5180, 2437]) == [2437, 5180])
        #expect(plan.next(inUse: [2437, 5180, 5745]) == [5745])
        // One that is in use no more ends nothing.
        #expect(plan.next(inUse: [2437]) == nil)
        #expect(plan.next(inUse: [2412]) == nil, "it is complete")
    }

    @Test("Where none is in use it listens somewhere, for the time in which one may come")
    func idle() {
        var plan = ScanPlan()
        #expect(plan.next(inUse: []) == [2412])
        #expect(plan.next(inUse: [2412, 5180]) == [5180])
        #expect(plan.next(inUse: [2412, 5180]) == nil)
    }

    @Test("A medium that goes away meanwhile ends the scan")
    func gone() {
        var plan = ScanPlan()
        #expect(plan.next(inUse: [2412]) == [2412])
        #expect(plan.next(inUse: nil) == nil)
    }
}

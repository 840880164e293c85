import HILCNetlink
import Testing

@testable import HILWiFi

@Suite("Lists of nl80211")
struct NetlinkSocketTests {
    /// Calls ``NetlinkSocket/retryingInterruptedDumps(_:)`` with an answer that fails with these codes first.
    private func ask(_ codes: [Int32]) -> (result: Result<Int, NetlinkError>, calls: Int) {
        var calls = 0
        do throws(NetlinkError) {
            let answer = try NetlinkSocket.retryingInterruptedDumps { () throws(NetlinkError) -> Int in
                calls += 1
                if calls <= codes.count { throw NetlinkError(action: "listing", code: codes[calls - 1]) }
                return 7
            }
            return (.success(answer), calls)
        } catch { return (.failure(error), calls) }
    }

    @Test("A list that changed while the kernel sent it is requested again")
    func interrupted() throws {
        let (result, calls) = ask([-NLE_DUMP_INTR, -NLE_DUMP_INTR])
        #expect(try result.get() == 7)
        #expect(calls == 3)
    }

    @Test("Other errors are not retried, and a list that always changes is given up")
    func refused() {
        let (busy, once) = ask([-NLE_BUSY])
        #expect(throws: NetlinkError.self) { try busy.get() }
        #expect(once == 1)
        let (restless, often) = ask(Array(repeating: -NLE_DUMP_INTR, count: 100))
        #expect(throws: NetlinkError.self) { try restless.get() }
        #expect(often == 20)
    }
}

import RadioModel
import SeededNumbers
import Testing

@testable import HILBluetoothHost

@Suite("L2CAP against a broken peer")
struct L2CAPFuzzTests {
    @Test(
        "Whatever a peer sends in whatever state, nothing traps, memory stays bounded and the story is consistent",
        arguments: [L2CAPLink.Transport.le, .classic], [L2CAPLink.Role.central, .peripheral])
    func hostilePeer(transport: L2CAPLink.Transport, role: L2CAPLink.Role) {
        var run = HostilePeerRun(transport: transport, role: role, seed: role == .central ? 4 : 5)
        for _ in 0..<L2CAPFuzz.count {
            run.step()
            if let problem = run.problem {
                Issue.record("\(problem) at \(run.now)")
                return
            }
        }
        #expect(run.opened > 10)
        #expect(run.failed > 10)
        #expect(run.closed > 10)
    }
}

import HIL
import HILRecord
import Testing

@testable import HILExecution

/// Verdicts when the accessory has brought a daemon of its board down.
struct BroughtDownTests {
    private let crash = Failure(
        .product, "bluetoothd on the accessory board was ended", finding: Finding(.daemon, of: .accessory))

    @Test("What the end of a daemon causes on its board leaves the accessory's failure, in either order")
    func consequences() {
        let after = Failure(.rig, "switching the lamp off failed")
        let missing = Failure(.rig, "bluetoothd does not run", finding: Finding(.daemon, of: .accessory))
        for failures in [[crash, after, missing], [after, crash, missing]] {
            let judgement = Judgement(failures)
            #expect(judgement.verdict == .failed && judgement.cause == crash)
            #expect(judgement.failures.count == 3, "the verdict lists all of them")
        }
    }

    @Test("Another cause is still the rig's", arguments: [Finding.Kind.kernel, .capture, .leak, .machine])
    func others(kind: Finding.Kind) {
        let other = Failure(.rig, "other", finding: Finding(kind, of: .accessory))
        #expect(Judgement([crash, other]).verdict == .error)
    }

    @Test("Without an accessory the end of a daemon is the rig's")
    func unprovoked() {
        let ended = Failure(.rig, "bluetoothd was ended", finding: Finding(.daemon, of: .accessory))
        #expect(Judgement([ended]).verdict == .error)
        #expect(Judgement([ended, Failure(.product, "the link is lost")]).verdict == .error)
    }
}

import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

/// Hostile devices and a whimsical controller.
@Suite("Hostile bytes and any order of events at GAP")
struct GAPFuzzTests {
    private static let count = 20_000

    @Test("After any history, a phone that is switched on again scans, advertises and connects")
    func recovers() {
        var numbers = SeededNumbers(seed: 42)
        for _ in 0..<(GAPFuzzTests.count / 400) {
            var run = AccessRun()
            var waiting: [CommandPurpose] = []
            for _ in 0..<40 {
                for case .command(_, let purpose) in AccessMachine.act(&run.access, &run.now, &waiting, &numbers) {
                    waiting.append(purpose)
                }
            }
            run.powerOff()
            run.powerOn()
            _ = run.takeHeard()
            run.act { $0.scan(ScanSettings(), at: $1) }
            run.act { $0.advertise(AdvertisingContent(name: "Phone"), at: $1) }
            run.act { $0.connect(to: .numbered(0x70), at: $1) }
            #expect(run.controller.isScanning && run.controller.isAdvertising)
            #expect(run.controller.initiatingTo == .numbered(0x70))
            #expect(run.controller.violations.isEmpty)
        }
    }

    @Test("With a controller that keeps the rules, any wishes keep them too", arguments: [false, true], [false, true])
    func rules(isExtended: Bool, isAble: Bool) {
        var numbers = SeededNumbers(seed: isExtended ? 43 : 44)
        var run = AccessRun(ControllerModel(isExtended: isExtended, isAble: isAble))
        for _ in 0..<(GAPFuzzTests.count / 10) {
            run.isSlow = Bool.random(using: &numbers)
            switch Int.random(in: 0..<9, using: &numbers) {
            case 0: run.act { $0.scan(Bool.random(using: &numbers) ? ScanSettings() : nil, at: $1) }
            case 1: run.act { $0.advertise(Bool.random(using: &numbers) ? AdvertisingContent() : nil, at: $1) }
            case 2: run.act { $0.connect(to: AccessMachine.address(&numbers), at: $1) }
            case 3: run.act { $0.cancel(AccessMachine.address(&numbers), at: $1) }
            case 4: run.act { $0.changeAddress(at: $1) }
            case 5: if run.controller.initiatingTo != nil { run.connects(Int.random(in: 0...3, using: &numbers)) }
            case 6:
                if run.controller.isAdvertising {
                    run.accepts(Int.random(in: 4...6, using: &numbers), from: .numbered(1))
                }
            case 7: run.advance(by: .milliseconds(Int.random(in: 0...500, using: &numbers)))
            default: break
            }
            while Bool.random(using: &numbers), !run.unanswered.isEmpty { run.answer() }
            _ = (run.takeHeard(), run.takeCommands())
        }
        run.isSlow = false
        while !run.unanswered.isEmpty { run.answer() }
        #expect(run.controller.violations.isEmpty)
    }
}

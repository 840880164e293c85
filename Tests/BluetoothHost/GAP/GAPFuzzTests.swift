import Foundation
import RadioModel
import SeededNumbers
import Testing

@testable import HILBluetoothHost

/// Hostile devices and a whimsical controller. More iterations come with `HIL_FUZZ_PDUS` in the environment.
@Suite("Hostile bytes and any order of events at GAP")
struct GAPFuzzTests {
    private static let count = ProcessInfo.processInfo.environment["HIL_FUZZ_PDUS"].flatMap { Int($0) } ?? 20_000
    private static let statuses: [HCIError] = [
        .success, .success, .success, .commandDisallowed, .unknownConnection, .notEstablished, .controllerBusy,
        .advertisingTimeout,
    ]

    private static func bytes(_ most: Int, _ numbers: inout SeededNumbers) -> [UInt8] {
        (0..<Int.random(in: 0...most, using: &numbers)).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    }

    private static func address(_ numbers: inout SeededNumbers) -> PeerAddress {
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: DeviceIdentity.numbered(UInt8.random(in: 0...3, using: &numbers)).address(numbers.next() & 7)
        case 1:
            ResolvablePrivateAddress.make(
                key: Value128(high: numbers.next(), low: 1), random: seededBytes(numbers.next()))
        default: PeerAddress.numbered(UInt8.random(in: 0...5, using: &numbers), isRandom: Bool.random(using: &numbers))
        }
    }

    private static func handle(_ numbers: inout SeededNumbers) -> ConnectionHandle {
        ConnectionHandle(Int.random(in: 0...5, using: &numbers))
    }

    private static func report(_ numbers: inout SeededNumbers) -> AdvertisingReport {
        var report = AdvertisingReport(kind: AdvertisementKind(rawValue: UInt8.random(in: 0...31, using: &numbers)))
        report.address = Int.random(in: 0..<10, using: &numbers) == 0 ? nil : address(&numbers)
        report.completeness = Bool.random(using: &numbers) ? .complete : .partial
        report.data = bytes(40, &numbers)
        report.rssi = Int8.random(in: -128...127, using: &numbers)
        return report
    }

    private static func event(_ numbers: inout SeededNumbers) -> HCIEvent {
        let status = statuses.randomElement(using: &numbers) ?? .success
        switch Int.random(in: 0..<8, using: &numbers) {
        case 0, 1:
            let role: LEConnectionComplete.Role = Bool.random(using: &numbers) ? .central : .peripheral
            let peer = Int.random(in: 0..<5, using: &numbers) == 0 ? nil : address(&numbers)
            return .leConnectionComplete(
                .test(Int(handle(&numbers).rawValue), status: status, role: role, peer: peer))
        case 2:
            let reason = statuses.randomElement(using: &numbers) ?? .success
            return .disconnectionComplete(handle(&numbers), status: status, reason: reason)
        case 3:
            let end = AdvertisingSetEnd(
                set: UInt8.random(in: 0...1, using: &numbers), status: status,
                handle: Bool.random(using: &numbers) ? handle(&numbers) : nil)
            return .advertisingSetTerminated(end)
        case 4: return .scanTimeout
        case 5: return .unknown(code: 1, bytes(9, &numbers))
        default:
            return .advertisingReports((0..<Int.random(in: 0...4, using: &numbers)).map { _ in report(&numbers) })
        }
    }

    /// What the layers above, the controller or the clock may do next.
    private static func act(
        _ access: inout GenericAccess, _ now: inout Duration, _ waiting: inout [CommandPurpose],
        _ numbers: inout SeededNumbers
    ) -> [GenericAccess.Output] {
        switch Int.random(in: 0..<60, using: &numbers) {
        case 0: return access.powerOn(ControllerModel(isExtended: true).information, at: now)
        case 1: return access.powerOn(ControllerModel(isAble: false).information, at: now)
        case 2: return access.powerOff()
        case 3...5:
            var settings = ScanSettings()
            settings.isActive = Bool.random(using: &numbers)
            return access.scan(Bool.random(using: &numbers) ? settings : nil, at: now)
        case 6...8:
            let content = AdvertisingContent(name: String(decoding: bytes(12, &numbers), as: UTF8.self))
            return access.advertise(Bool.random(using: &numbers) ? content : nil, at: now)
        case 9...14: return access.connect(to: address(&numbers), at: now)
        case 15, 16: return access.cancel(address(&numbers), at: now)
        case 17, 18: return access.disconnect(handle(&numbers), at: now)
        case 19: return access.changeAddress(at: now)
        case 20: access.add(.numbered(UInt8.random(in: 0...3, using: &numbers)))
        case 21: access.forget(.numbered(UInt8.random(in: 0...3, using: &numbers)))
        case 22: return access.discoveryEnded(on: handle(&numbers), at: now)
        case 23...27:
            now += .milliseconds(Int.random(in: 0...3000, using: &numbers))
            return access.advance(to: now)
        case 28...44:
            guard !waiting.isEmpty else { return [] }
            // Mostly in order.
            let last = Int.random(in: 0..<5, using: &numbers) == 0 ? waiting.count : 1
            let purpose = waiting.remove(at: Int.random(in: 0..<last, using: &numbers))
            return access.completed(purpose, statuses.randomElement(using: &numbers) ?? .success, at: now)
        default: return access.receive(event(&numbers), at: now)
        }
        return []
    }

    @Test("Any order of wishes, answers and events traps nothing and keeps every table bounded")
    func anyOrder() {
        var numbers = SeededNumbers(seed: 41)
        var configuration = GenericAccess.Configuration()
        configuration.connector.phases.settled = ConnectionParameters(milliseconds: 30...60)
        configuration.connector.mostAttempts = 4
        (configuration.scanner.mostDevices, configuration.addresses.mostRecent) = (16, 16)
        var access = GenericAccess(identity: .numbered(9), configuration: configuration, random: seededBytes(1))
        var (now, waiting, opened) = (Duration.zero, [CommandPurpose](), 0)
        for _ in 0..<GAPFuzzTests.count {
            for output in GAPFuzzTests.act(&access, &now, &waiting, &numbers) + access.advance(to: now) {
                switch output {
                case .command(_, let purpose): waiting.append(purpose)
                case .opened: opened += 1
                default: break
                }
            }
            // What is due gets done: no owner turns round and round on one deadline.
            #expect(access.deadline.map { $0 > now } ?? true)
            #expect(access.scanner.deviceCount <= 16)
            #expect(access.addresses.recentCount <= 16)
            #expect(access.addresses.identities.count <= 4)
            // A retried attempt may stand before a full queue.
            #expect(access.connector.attemptCount <= 4 + 1 + 6)
            #expect(access.connector.linkCount <= 6)
            // A controller answers each command; here some answers would be lost with the power.
            if waiting.count > 64 { waiting.removeFirst(waiting.count - 64) }
        }
        #expect(opened > GAPFuzzTests.count / 1000)
    }

    @Test("After any history, a phone that is switched on again scans, advertises and connects")
    func recovers() {
        var numbers = SeededNumbers(seed: 42)
        for _ in 0..<(GAPFuzzTests.count / 400) {
            var run = AccessRun()
            var waiting: [CommandPurpose] = []
            for _ in 0..<40 {
                for case .command(_, let purpose) in GAPFuzzTests.act(&run.access, &run.now, &waiting, &numbers) {
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
            case 2: run.act { $0.connect(to: GAPFuzzTests.address(&numbers), at: $1) }
            case 3: run.act { $0.cancel(GAPFuzzTests.address(&numbers), at: $1) }
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

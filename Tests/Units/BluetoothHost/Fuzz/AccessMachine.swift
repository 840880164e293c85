import Foundation
import RadioModel
import TestSupport

@testable import HILBluetoothHost

/// Generic access with hostile devices, a whimsical controller and a whimsical layer above.
struct AccessMachine: FuzzedMachine {
    static let mustMeet: Set<String> = ["opened", "command"]

    var numbers: SeededNumbers
    var log: FuzzLog?
    private(set) var met: Set<String> = []
    private var access: GenericAccess
    private var now = Duration.zero
    private var waiting: [CommandPurpose] = []

    init(seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
        var configuration = GenericAccess.Configuration()
        configuration.connector.phases.settled = ConnectionParameters(milliseconds: 30...60)
        configuration.connector.mostAttempts = 4
        (configuration.scanner.mostDevices, configuration.addresses.mostRecent) = (16, 16)
        access = GenericAccess(identity: .numbered(9), configuration: configuration, random: seededBytes(1))
    }

    mutating func step() -> String? {
        let outputs = AccessMachine.act(&access, &now, &waiting, &numbers, log) + access.advance(to: now)
        for output in outputs {
            switch output {
            case .command(_, let purpose):
                met.insert("command")
                waiting.append(purpose)
            case .opened: met.insert("opened")
            default: break
            }
        }
        // A controller answers each command; here some answers would be lost with the power.
        if waiting.count > 64 { waiting.removeFirst(waiting.count - 64) }
        // What is due gets done: no owner turns round and round on one deadline.
        if let deadline = access.deadline, deadline <= now { return "something is still due" }
        if access.scanner.deviceCount > 16 || access.addresses.recentCount > 16 { return "a table is too large" }
        if access.addresses.identities.count > 4 { return "\(access.addresses.identities.count) identities" }
        // A retried attempt may stand before a full queue.
        if access.connector.attemptCount > 4 + 1 + 6 || access.connector.linkCount > 6 {
            return "too many attempts or links"
        }
        return nil
    }

    private static let statuses: [HCIError] = [
        .success, .success, .success, .commandDisallowed, .unknownConnection, .notEstablished, .controllerBusy,
        .advertisingTimeout,
    ]

    private static func bytes(_ most: Int, _ numbers: inout SeededNumbers) -> [UInt8] {
        (0..<Int.random(in: 0...most, using: &numbers)).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    }

    static func address(_ numbers: inout SeededNumbers) -> PeerAddress {
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
    static func act(
        _ access: inout GenericAccess, _ now: inout Duration, _ waiting: inout [CommandPurpose],
        _ numbers: inout SeededNumbers, _ log: FuzzLog? = nil
    ) -> [GenericAccess.Output] {
        let choice = Int.random(in: 0..<60, using: &numbers)
        if choice < 45 { log?.add("action \(choice) at \(now)") }
        switch choice {
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
        default:
            let event = event(&numbers)
            log?.add("\(event)")
            return access.receive(event, at: now)
        }
        return []
    }
}

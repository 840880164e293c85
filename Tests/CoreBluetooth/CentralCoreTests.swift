import Foundation
import RadioModel
import RuleCoverage
import Testing

@testable import Phone

/// The decisions alone: what the radio is asked for, and what each central manager is told.
@Suite("CentralCore")
struct CentralCoreTests {
    private let die = UUID()
    private var core = CentralCore(isPowered: true, connectionTries: 3)
    private let first: Int
    private let second: Int

    init() {
        first = core.add(app: "dice", allowed: [die: "Die"])
        second = core.add(app: "dice", allowed: [die: "Die"])
        core.start(first)
        core.start(second)
        _ = core.takeActions()
    }

    @Test("A scan tells of authorised peripherals that list one of its services, once", .covers("C2"))
    mutating func scan() {
        let battery = BluetoothUUID("180F")!
        var heard = Advertisement(address: DeviceAddress("9C:5A:81:00:00:01")!, name: "Die 7", rssi: -40)
        core.submit(.scan(services: [battery], allowDuplicates: false), from: first)
        #expect(done() == ["discover true"])
        core.heard(heard, from: die)
        #expect(done() == [], "another service")
        heard.serviceUUIDs = [battery]
        core.heard(heard, from: UUID())
        #expect(done() == [], "a stranger")
        core.heard(heard, from: die)
        heard.rssi = -41
        core.heard(heard, from: die)
        #expect(done() == ["discovered to \(first)"])
        core.submit(.stopScan, from: first)
        #expect(done() == ["discover false"])
    }

    @Test("Two central managers share one link; it ends with the last", .covers("C4"))
    mutating func sharing() {
        core.submit(.connect(die), from: first)
        core.submit(.connect(die), from: second)
        #expect(done() == ["connect"])
        core.connectEnded(die, .success(100))
        #expect(done() == ["connected to \(first)", "connected to \(second)"])
        core.submit(.cancel(die), from: first)
        #expect(done() == ["disconnected to \(first)"])
        core.submit(.cancel(die), from: second)
        #expect(done() == ["disconnect"])
        core.disconnectEnded(die, .success(()))
        #expect(done() == [])
        core.disconnected(die, .peripheralDisconnected)
        #expect(done() == ["disconnected to \(second)"])
    }

    @Test("Cancelling an attempt ends it, however radio and request cross", .covers("C4"))
    mutating func cancelledAttempt() {
        core.submit(.connect(die), from: first)
        core.submit(.cancel(die), from: first)
        #expect(done() == ["connect", "disconnect"])
        core.connectEnded(die, .success(100))
        core.disconnectEnded(die, .success(()))
        #expect(done() == ["disconnect"], "the link came up after all")
        core.submit(.connect(die), from: first)
        #expect(done() == [], "not before the end is through")
        core.disconnectEnded(die, .success(()))
        #expect(done() == ["disconnected to \(first)", "connect"])
    }

    @Test("One request at a time; an answer of the connection before reaches nobody", .covers("C4"))
    mutating func oneAtATime() throws {
        core.submit(.connect(die), from: first)
        core.connectEnded(die, .success(100))
        _ = done()
        core.submit(.gatt(die, .read(CharacteristicID(handle: 3))), from: first)
        core.submit(.gatt(die, .read(CharacteristicID(handle: 5))), from: first)
        let operations = core.takeActions().compactMap(\.operation)
        let late = try #require(operations.first)
        #expect(operations.count == 1)
        core.disconnected(die, .linkLost)
        core.submit(.connect(die), from: first)
        core.connectEnded(die, .success(100))
        #expect(done() == ["disconnected to \(first)", "connect", "connected to \(first)"])
        core.gattEnded(late, .value(CharacteristicID(handle: 3), .success(Data([1]))))
        #expect(done() == [])
    }

    @Test("What is notified while the subscription is under way comes after its answer", .covers("C4"))
    mutating func earlyNotification() throws {
        let roll = CharacteristicID(handle: 3)
        core.submit(.connect(die), from: first)
        core.connectEnded(die, .success(100))
        core.submit(.gatt(die, .setNotifying(roll, true)), from: first)
        let operation = try #require(core.takeActions().compactMap(\.operation).first)
        core.notified(roll, Data([6]), by: die)
        #expect(done() == [])
        core.gattEnded(operation, .notifying(roll, isOn: true, nil))
        #expect(done() == ["notifying to \(first)", "value to \(first)"])
    }

    @Test("An attempt listens between tries, and a failure needs the peripheral to be heard", .covers("C4"))
    mutating func tries() {
        core.submit(.connect(die), from: first)
        core.connectEnded(die, .failure(.connectionFailed))
        #expect(done() == ["connect", "discover true"])
        let heard = Advertisement(address: DeviceAddress("9C:5A:81:00:00:01")!, name: "Die 7")
        for _ in 0..<2 {
            core.heard(heard, from: die)
            #expect(done().first == "connect")
            core.connectEnded(die, .failure(.connectionFailed))
        }
        #expect(done() == ["failed to \(first)"])
    }

    @Test("A link that is lost before its attempt is answered is tried again", .covers("C6"))
    mutating func lostAtOnce() {
        core.submit(.connect(die), from: first)
        core.linkIsUp(die)
        core.disconnected(die, .linkLost)
        core.connectEnded(die, .success(100))
        #expect(done() == ["connect", "discover true"])
    }

    @Test("Without power nothing is connected; what the radio still answers does no harm", .covers("C6"))
    mutating func powerLoss() {
        core.submit(.connect(die), from: first)
        core.setPower(false)
        #expect(done() == ["connect", "off to \(first)", "off to \(second)"])
        core.setPower(true)
        core.submit(.connect(die), from: first)
        #expect(done() == ["on to \(first)", "on to \(second)"])
        core.connectEnded(die, .failure(.connectionFailed))
        #expect(done() == ["connect"], "not before the first attempt has ended")
    }

    private mutating func done() -> [String] {
        core.takeActions().map { action in
            switch action {
            case .run(.connect): "connect"
            case .run(.disconnect): "disconnect"
            case .run(.gatt): "gatt"
            case .discover(let isOn): "discover \(isOn)"
            case .tell(let client, let event): "\(event.word) to \(client)"
            }
        }
    }
}

extension CentralCore.Action {
    fileprivate var operation: CentralCore.GATTOperation? {
        if case .run(.gatt(let operation)) = self { operation } else { nil }
    }
}

extension CentralEvent {
    fileprivate var word: String {
        switch self {
        case .power(let power): "\(power)"
        case .discovered: "discovered"
        case .restored: "restored"
        case .connectionChanged: "connection changed"
        case .connected: "connected"
        case .failedToConnect: "failed"
        case .disconnected: "disconnected"
        case .gatt(_, .value): "value"
        case .gatt(_, .notifying): "notifying"
        case .gatt(_, let answer): "\(answer)"
        }
    }
}

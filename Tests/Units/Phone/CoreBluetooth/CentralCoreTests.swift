import Foundation
import RadioModel
import TestSupport
import Testing

@testable import HILPhone

/// Only the decisions: the requests to the radio, and the events for each central manager.
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

    @Test("A scan reports each authorised peripheral with one of the services once", .covers("C2"))
    mutating func scan() {
        let battery = BluetoothUUID("180F")!
        var heard = Advertisement(address: DeviceAddress("9C:5A:81:00:00:01")!, name: "Die 7", rssi: -40)
        core.submit(.scan(services: [battery], allowDuplicates: false), from: first)
        #expect(actions() == ["discover true"])
        core.heard(heard, from: die)
        #expect(actions() == [], "another service")
        heard.serviceUUIDs = [battery]
        core.heard(heard, from: UUID())
        #expect(actions() == [], "a stranger")
        core.heard(heard, from: die)
        heard.rssi = -41
        core.heard(heard, from: die)
        #expect(actions() == ["discovered to \(first)"])
        core.submit(.stopScan, from: first)
        #expect(actions() == ["discover false"])
    }

    @Test("Two central managers share one link, which ends when the last of them disconnects", .covers("C4"))
    mutating func sharing() {
        core.submit(.connect(die), from: first)
        core.submit(.connect(die), from: second)
        #expect(actions() == ["connect"])
        core.connectEnded(die, .success(100))
        #expect(actions() == ["connected to \(first)", "connected to \(second)"])
        core.submit(.cancel(die), from: first)
        #expect(actions() == ["disconnected to \(first)"])
        core.submit(.cancel(die), from: second)
        #expect(actions() == ["disconnect"])
        core.disconnectEnded(die, .success(()))
        #expect(actions() == [])
        core.disconnected(die, .peripheralDisconnected)
        #expect(actions() == ["disconnected to \(second)"])
    }

    @Test("A peripheral without the key of the bond fails the attempt at once, and a link that is up", .covers("C10"))
    mutating func lostBond() {
        core.submit(.connect(die), from: first)
        core.disconnected(die, CentralFailure(linkEndedBecause: "authentication failed"))
        core.connectEnded(die, .failure(.connectionFailed))
        #expect(actions() == ["connect", "failed to \(first)"])
        core.submit(.connect(die), from: first)
        core.connectEnded(die, .success(100))
        _ = actions()
        core.disconnected(die, .peerRemovedPairing)
        #expect(actions() == ["disconnected to \(first)"])
    }

    @Test("The name that was read counts, and what is advertised afterwards does not", .covers("C11"))
    mutating func readName() throws {
        var heard = Advertisement(address: DeviceAddress("9C:5A:81:00:00:01")!, name: "Die 7", rssi: -40)
        core.heard(heard, from: die)
        #expect(core.names[die] == "Die 7")
        core.submit(.connect(die), from: first)
        core.connectEnded(die, .success(100))
        let connection = try #require(core.takeActions().compactMap(\.nameReading).first)
        core.nameRead("Six", of: die, over: connection - 1)
        #expect(core.names[die] == "Die 7", "of an earlier connection")
        core.nameRead("", of: die, over: connection)
        #expect(core.names[die] == "Die 7", "no name")
        core.nameRead("Seven", of: die, over: connection)
        #expect(core.names[die] == "Seven" && actions() == ["renamed to \(first)"])
        heard.name = "Die 8"
        core.heard(heard, from: die)
        #expect(core.names[die] == "Seven")
    }

    @Test("The MTU of the moment comes with the connection, and a later one after it", .covers("C4"))
    mutating func mtu() {
        core.submit(.connect(die), from: first)
        core.mtuChanged(of: die, to: 185)
        core.connectEnded(die, .success(23))
        core.submit(.connect(die), from: second)
        #expect(core.takeActions().compactMap(\.mtu) == [185, 185], "also if the event was faster")
        core.mtuChanged(of: die, to: 185)
        #expect(actions() == [])
        core.mtuChanged(of: die, to: 247)
        #expect(core.takeActions().compactMap(\.mtu) == [247, 247])
        core.disconnected(die, .linkLost)
        core.submit(.connect(die), from: first)
        core.connectEnded(die, .success(23))
        #expect(core.takeActions().compactMap(\.mtu) == [23], "of the new link")
    }

    @Test(
        "A peripheral offers what was discovered, also on an earlier link, otherwise what it advertises",
        .covers("C6"))
    mutating func knownServices() throws {
        let (battery, heart) = (BluetoothUUID("180F")!, BluetoothUUID("180D")!)
        core.submit(.watchConnections(ConnectionFilter(services: [battery])), from: second)
        core.heard(
            Advertisement(address: DeviceAddress("9C:5A:81:00:00:01")!, serviceUUIDs: [battery], rssi: -40), from: die)
        core.submit(.connect(die), from: first)
        core.connectEnded(die, .success(100))
        #expect(actions() == ["connect", "connected to \(first)", "connection changed to \(second)"])
        #expect(core.connected(offering: [battery], for: first).count == 1)
        func discover(_ wanted: [BluetoothUUID]?, _ found: [BluetoothUUID]) throws {
            core.submit(.gatt(die, .services(wanted)), from: first)
            let operation = try #require(core.takeActions().compactMap(\.operation).first)
            let services = found.map { GATTService(uuid: $0, handle: 1, isPrimary: true, characteristics: []) }
            core.gattEnded(operation, .services(wanted: wanted, .success(services)))
        }
        try discover([heart], [heart])
        #expect(core.services(of: die) == [battery, heart])
        try discover(nil, [heart])
        #expect(core.services(of: die) == [heart])
        core.disconnected(die, .linkLost)
        core.submit(.connect(die), from: first)
        core.connectEnded(die, .success(100))
        #expect(core.connected(offering: [battery], for: first).isEmpty, "remembered")
        core.servicesChanged(of: die)
        #expect(core.services(of: die) == [battery])
    }

    @Test("Cancelling an attempt ends it, even if the radio connects at the same time", .covers("C4"))
    mutating func cancelledAttempt() {
        core.submit(.connect(die), from: first)
        core.submit(.cancel(die), from: first)
        #expect(actions() == ["connect", "disconnect"])
        core.connectEnded(die, .success(100))
        core.disconnectEnded(die, .success(()))
        #expect(actions() == ["disconnect"], "the link came up after all")
        core.submit(.connect(die), from: first)
        #expect(actions() == [], "not before the disconnection has ended")
        core.disconnectEnded(die, .success(()))
        #expect(actions() == ["disconnected to \(first)", "connect"])
    }

    @Test("One request at a time; a late answer of an earlier connection is dropped", .covers("C4"))
    mutating func oneAtATime() throws {
        core.submit(.connect(die), from: first)
        core.connectEnded(die, .success(100))
        _ = actions()
        core.submit(.gatt(die, .read(CharacteristicID(handle: 3))), from: first)
        core.submit(.gatt(die, .read(CharacteristicID(handle: 5))), from: first)
        let operations = core.takeActions().compactMap(\.operation)
        let late = try #require(operations.first)
        #expect(operations.count == 1)
        core.disconnected(die, .linkLost)
        core.submit(.connect(die), from: first)
        core.connectEnded(die, .success(100))
        #expect(actions() == ["disconnected to \(first)", "connect", "connected to \(first)"])
        core.gattEnded(late, .value(CharacteristicID(handle: 3), .success(Data([1]))))
        #expect(actions() == [])
    }

    @Test("What waits when the link ends gets no answer, however the radio orders both", .covers("C25"))
    mutating func endsWhileAWriteWaits() throws {
        let state = CharacteristicID(handle: 3)
        core.submit(.connect(die), from: first)
        core.connectEnded(die, .success(100))
        _ = actions()
        core.submit(.gatt(die, .write(state, Data([1]), withResponse: true)), from: first)
        core.submit(.gatt(die, .read(state)), from: first)
        let operation = try #require(core.takeActions().compactMap(\.operation).first)
        core.gattEnded(operation, .written(state, .notConnected))
        #expect(actions() == [], "neither an answer nor the next request")
        core.disconnected(die, .linkLost)
        #expect(actions() == ["disconnected to \(first)"])
    }

    @Test(
        "A request without a proper answer fails before the link ends, whichever way the radio tells it first, and no other is answered",
        .covers("C25"), arguments: [true, false])
    mutating func failsWithItsLink(answerIsFirst: Bool) throws {
        let state = CharacteristicID(handle: 3)
        core.submit(.connect(die), from: first)
        core.connectEnded(die, .success(100))
        core.submit(.gatt(die, .write(state, Data([1]), withResponse: true)), from: first)
        core.submit(.gatt(die, .read(state)), from: first)
        let operation = try #require(core.takeActions().compactMap(\.operation).first)
        func answer() { core.gattEnded(operation, .written(state, .requestFailed("no answer"))) }
        if answerIsFirst { answer() }
        core.requestFailed(on: die, because: "no answer")
        if !answerIsFirst { answer() }
        core.disconnected(die, .peripheralDisconnected)
        #expect(actions() == ["written: no answer to \(first)", "disconnected to \(first)"])
    }

    @Test("A value notified before the subscription is answered is delivered after that answer", .covers("C4"))
    mutating func earlyNotification() throws {
        let roll = CharacteristicID(handle: 3)
        core.submit(.connect(die), from: first)
        core.connectEnded(die, .success(100))
        core.submit(.gatt(die, .setNotifying(roll, true)), from: first)
        let operation = try #require(core.takeActions().compactMap(\.operation).first)
        core.notified(roll, Data([6]), by: die)
        #expect(actions() == [])
        core.gattEnded(operation, .notifying(roll, isOn: true, nil))
        #expect(actions() == ["notifying to \(first)", "value to \(first)"])
    }

    @Test("Between tries an attempt waits until the peripheral advertises, and fails only after that", .covers("C4"))
    mutating func tries() {
        core.submit(.connect(die), from: first)
        core.connectEnded(die, .failure(.connectionFailed))
        #expect(actions() == ["connect", "discover true"])
        let heard = Advertisement(address: DeviceAddress("9C:5A:81:00:00:01")!, name: "Die 7")
        for _ in 0..<2 {
            core.heard(heard, from: die)
            #expect(actions().first == "connect")
            core.connectEnded(die, .failure(.connectionFailed))
        }
        #expect(actions() == ["failed to \(first)"])
    }

    @Test("A link that is lost before the attempt is answered is tried again", .covers("C6"))
    mutating func lostAtOnce() {
        core.submit(.connect(die), from: first)
        core.linkIsUp(die)
        core.disconnected(die, .linkLost)
        core.connectEnded(die, .success(100))
        #expect(actions() == ["connect", "discover true"])
    }

    @Test("A central manager that is made just after the person has answered has the answer", .covers("C1"))
    mutating func lateManager() {
        for (app, isGiven, state) in [("old", true, "on"), ("other", false, "unauthorized")] {
            core.setPermission(isGiven, for: app)
            let late = core.add(app: app, permission: .asked, allowed: [:])
            core.start(late)
            #expect(actions() == ["\(state) to \(late)"])
        }
    }

    @Test("Without power nothing is connected, and late answers of the radio are ignored", .covers("C6"))
    mutating func powerLoss() {
        core.submit(.connect(die), from: first)
        core.setPower(false)
        #expect(actions() == ["connect", "off to \(first)", "off to \(second)"])
        core.setPower(true)
        core.submit(.connect(die), from: first)
        #expect(actions() == ["on to \(first)", "on to \(second)"])
        core.connectEnded(die, .failure(.connectionFailed))
        #expect(actions() == ["connect"], "not before the first attempt has ended")
    }

    /// Takes the actions decided since the last call, as text. A name is read after each connection.

    @Test("A central manager whose app has ended keeps what is told, and asks for a launch", .covers("L1"))
    mutating func orphan() {
        let kept = core.add(app: "dice", allowed: [die: "Die"], restoreName: "dice")
        core.start(kept)
        core.submit(.connect(die), from: kept)
        core.connectEnded(die, .success(100))
        _ = actions()
        core.orphan(kept, keeping: 2)
        core.mtuChanged(of: die, to: 185)
        #expect(actions() == [], "this launches nothing")
        core.disconnected(die, .linkLost)
        #expect(actions() == ["launch for disconnected to \(kept)"])
        let next = core.add(app: "dice", allowed: [die: "Die"], restoreName: "dice")
        #expect(next == kept && actions() == [])
        core.start(next)
        #expect(
            actions() == ["restored to \(kept)", "on to \(kept)", "MTU changed to \(kept)", "disconnected to \(kept)"])
    }

    @Test("Without power, what an ended app waits for is kept, or removed", .covers("L3", "L5"))
    mutating func orphanWithoutPower() {
        let kept = core.add(app: "dice", allowed: [die: "Die"], restoreName: "dice")
        core.start(kept)
        core.submit(.connect(die), from: kept)
        core.connectEnded(die, .success(100))
        core.submit(.scan(services: [BluetoothUUID("180F")!], allowDuplicates: false), from: kept)
        _ = actions()
        core.orphan(kept)
        core.setPower(false, orphans: .init(keeps: { $0 }))
        core.setPower(false, orphans: .init(keeps: { $0 }))
        #expect(actions() == ["off to \(first)", "off to \(second)", "discover false"])
        core.setPower(true)
        #expect(actions() == ["on to \(first)", "on to \(second)", "connect", "discover true"])
        core.connectEnded(die, .success(100))
        #expect(actions() == ["launch for connected to \(kept)"])
        core.setPower(false)
        core.setPower(true)
        #expect(!actions().contains("connect") && core.clients[kept] == nil)
    }

    private mutating func actions() -> [String] {
        core.takeActions().filter { $0.nameReading == nil }.map { action in
            switch action {
            case .run(.readName): "read name"
            case .run(.connect): "connect"
            case .run(.disconnect): "disconnect"
            case .run(.gatt): "gatt"
            case .run(.requireSharing): "require sharing"
            case .discover(let isOn): "discover \(isOn)"
            case .tell(let client, let event): "\(event.name) to \(client)"
            case .launch(let client, let event): "launch for \(event.name) to \(client)"
            }
        }
    }
}

extension CentralCore.Action {
    fileprivate var operation: CentralCore.GATTOperation? {
        if case .run(.gatt(let operation)) = self { operation } else { nil }
    }

    /// The connection over which a name is read.
    fileprivate var nameReading: Int? {
        if case .run(.readName(_, let connection)) = self { connection } else { nil }
    }

    fileprivate var mtu: Int? {
        switch self {
        case .tell(_, .connected(_, let mtu)), .tell(_, .mtuChanged(_, let mtu)): mtu
        default: nil
        }
    }
}

extension CentralEvent {
    fileprivate var name: String {
        switch self {
        case .power(let power): "\(power)"
        case .discovered: "discovered"
        case .restored: "restored"
        case .connectionChanged: "connection changed"
        case .connected: "connected"
        case .mtuChanged: "MTU changed"
        case .failedToConnect: "failed"
        case .renamed: "renamed"
        case .sharingChanged: "sharing changed"
        case .disconnected: "disconnected"
        case .gatt(_, .value): "value"
        case .gatt(_, .written(_, let failure)): failure.map { "written: \($0)" } ?? "written"
        case .gatt(_, .notifying): "notifying"
        case .gatt(_, let answer): "\(answer)"
        }
    }
}

import Foundation
import HostRadio
import PeripheralModel
import RadioModel
import TestSupport
import Testing

@testable import CoreBluetooth
@testable import HILPhone

/// Apple Notification Center Service as an app sees it: `ancsAuthorized`, and connections that require it.
@Suite("ANCS authorization", .timeLimit(.minutes(1)))
struct ANCSAuthorizationTests {
    private static var options: [String: Any] { [CBConnectPeripheralOptionRequiresANCS: true] }

    private static func bench() async throws -> Bench {
        let bench = try await Bench()
        bench.phone.personality = .iPhone16
        bench.addDie()
        return bench
    }

    @Test("An app hears when the person shares notifications with its accessory, and when no longer", .covers("C23"))
    func changes() async throws {
        let bench = try await Self.bench()
        let (_, listener, peripheral) = try await bench.connectedDie()
        #expect(!peripheral.ancsAuthorized)
        bench.radio.tell(.subscription(true, OwnServices.notificationSource, by: Bench.address))
        try await listener.next("sharing true")
        #expect(peripheral.ancsAuthorized)
        bench.phone.person.will(.shareInSettings("Die", false))
        try await listener.next("sharing false")
        #expect(!peripheral.ancsAuthorized)
        bench.phone.person.will(.shareInSettings("Die", true))
        try await listener.next("sharing true")
        bench.radio.remove(Bench.address)
        try await listener.next("disconnected CBErrorDomain 6")
        bench.phone.person.will(.shareInSettings("Die", false))
        try await bench.phone.log.wait(for: "the permission to end") { !peripheral.ancsAuthorized }
        bench.addDie()
        let (_, other, _) = try await bench.connectedDie()
        #expect(!other.received.events.contains { $0.hasPrefix("sharing") })
        #expect(listener.received.events.count { $0.hasPrefix("sharing") } == 3, "only while it is connected")
    }

    @Test("A connection that requires it pairs, and is made when the person agrees", .covers("C24"))
    func required() async throws {
        let bench = try await Self.bench()
        bench.phone.person.isWilling = false
        let (central, listener) = try await bench.central()
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        central.connect(peripheral, options: Self.options)
        bench.phone.person.will(.confirmPasskey)
        try await bench.phone.log.wait(for: "the question") { bench.phone.screen.last?.kind == .notificationSharing }
        #expect(bench.radio.bonds[Bench.address] != nil && bench.radio.connected == [Bench.address])
        #expect(peripheral.state == .connecting && !listener.received.events.contains("connected"))
        bench.phone.person.will(.allow, at: .notificationSharing)
        try await listener.next("connected")
        #expect(peripheral.state == .connected && peripheral.ancsAuthorized)
        central.cancelPeripheralConnection(peripheral)
        try await listener.next("disconnected nil")
        central.connect(peripheral, options: Self.options)
        try await listener.next("connected")
        #expect(bench.phone.shownScreens.count { $0.kind == .notificationSharing } == 1)
    }

    @Test(
        "After a refusal it is connecting without end; the app may cancel, and connect without the option",
        .covers("C24"))
    func refused() async throws {
        let bench = try await Self.bench()
        bench.phone.person.will(.deny, at: .notificationSharing)
        let (central, listener) = try await bench.central()
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        central.connect(peripheral, options: Self.options)
        _ = try await bench.phone.log.first(within: .seconds(300), waitingFor: "the refusal") {
            if case .note("notifications", let what) = $0.kind { what.contains("may not") } else { false }
        }
        #expect(peripheral.state == .connecting)
        central.cancelPeripheralConnection(peripheral)
        try await listener.next("disconnected nil")
        central.connect(peripheral)
        try await listener.next("connected")
        #expect(!peripheral.ancsAuthorized)
    }

    @Test("A failed pairing fails a connection that requires it", .covers("C24"))
    func failedPairing() async throws {
        let bench = try await Self.bench()
        bench.phone.person.will(.refusePasskey)
        let (central, listener) = try await bench.central()
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        central.connect(peripheral, options: Self.options)
        _ = try await listener.received.first(within: .seconds(300), waitingFor: "the failure") {
            $0.hasPrefix("failed CBErrorDomain")
        }
        try await bench.radio.changes.wait(for: "the link to end") { bench.radio.connected.isEmpty }
        #expect(peripheral.state == .disconnected)
        #expect(!bench.phone.shownScreens.contains { $0.kind == .notificationSharing })
    }

    @Test(
        "By policy a connection that requires it is made with its link; the person is asked all the same",
        .covers("C24"))
    func policy() async throws {
        let bench = try await Self.bench()
        bench.phone.policy.ancsConnection = .whenLinked
        let (central, listener) = try await bench.central()
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        central.connect(peripheral, options: Self.options)
        try await listener.next("connected")
        try await listener.next("sharing true")
    }

    @Test("A phone without the service fails a connection that requires it, and says what to do", .covers("C24"))
    func withoutService() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (central, listener) = try await bench.central()
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [bench.identifier]).first)
        central.connect(peripheral, options: Self.options)
        try await listener.next("failed CBErrorDomain \(CBError.Code.operationNotSupported.rawValue)")
        #expect(bench.phone.warnings.contains { $0.text.contains("lab.phone.personality") })
    }
}

/// Only the decisions.
@Suite("CentralCore and Share System Notifications")
struct SharingCoreTests {
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

    private var required: ConnectionOptions {
        var options = ConnectionOptions()
        options.requiresSharing = true
        return options
    }

    private mutating func connected() -> [Int] {
        core.takeActions().compactMap { if case .tell(let id, .connected) = $0 { id } else { nil } }
    }

    @Test(
        "Who requires the permission waits; who does not is connected; a lost link keeps the first waiting",
        .covers("C24"))
    mutating func waits() {
        core.submit(.connect(die, required), from: first)
        core.submit(.connect(die), from: second)
        core.connectEnded(die, .success(100))
        #expect(connected() == [second])
        core.disconnected(die, .linkLost)
        _ = core.takeActions()
        core.heard(Advertisement(address: DeviceAddress("9C:5A:81:00:00:01")!, name: "Die 7", rssi: -40), from: die)
        core.connectEnded(die, .success(100))
        #expect(connected() == [])
        core.setSharing(true, with: die)
        #expect(connected() == [first])
        core.submit(.connect(die, required), from: second)
        #expect(connected() == [second], "it has the permission already")
    }

    @Test("An app that waits may connect without the option, at once", .covers("C24"))
    mutating func gaveUp() {
        core.submit(.connect(die, required), from: first)
        core.connectEnded(die, .success(100))
        #expect(connected() == [])
        core.submit(.connect(die), from: first)
        #expect(connected() == [first])
        core.setSharing(true, with: die)
        #expect(connected() == [], "it is connected")
    }

    @Test("A pairing that fails after its link has ended fails nothing", .covers("C24"))
    mutating func lateFailure() throws {
        core.submit(.connect(die, required), from: first)
        core.connectEnded(die, .success(100))
        let connection = try #require(core.links[die]?.connection)
        core.disconnected(die, .linkLost)
        core.sharingFailed(with: die, over: connection, .connectionFailed)
        #expect(core.links[die]?.waiting == [first])
    }
}

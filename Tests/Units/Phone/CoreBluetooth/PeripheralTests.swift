import RadioModel
import TestSupport
import Testing

@testable import CoreBluetooth
@testable import HILPhone

@Suite("CBPeripheral")
struct PeripheralTests {
    @Test(
        "Discover, read, write, notify: answers come in order and on the queue, with the negotiated MTU", .covers("C4"))
    func journey() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (_, listener, peripheral) = try await bench.connectedDie()
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 185 - 3)
        #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 512)
        let roll = try peripheral.found(Bench.roll)
        #expect(roll.properties == [.read, .notify] && roll.service?.peripheral === peripheral)

        peripheral.readValue(for: roll)
        peripheral.setNotifyValue(true, for: roll)
        try await listener.next("value 2A01 [4] nil")
        try await listener.next("notifying 2A01 true nil")
        bench.radio.notify(Data([6]), from: Bench.roll.id, of: Bench.address)
        try await listener.next("value 2A01 [6] nil")
        peripheral.setNotifyValue(false, for: roll)
        try await listener.next("notifying 2A01 false nil")
        #expect(!bench.radio.notify(Data([1]), from: Bench.roll.id, of: Bench.address))
    }

    @Test("Reading a protected characteristic pairs first, with the person's consent", .covers("C4", "O2"))
    func pairing() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (_, listener, peripheral) = try await bench.connectedDie()
        peripheral.readValue(for: try peripheral.found(Bench.owner))
        try await listener.next("value 2A02 \(Array("Kim".utf8)) nil")
        #expect(bench.radio.bonds[Bench.address]?.isAuthenticated == true)
        #expect(bench.phone.shownScreens.map(\.kind) == [.passkey])
        peripheral.writeValue(Data([1]), for: try peripheral.found(Bench.owner), type: .withResponse)
        try await listener.next("written 2A02 nil")
    }

    @Test("If the person refuses to pair, the app gets the attribute server's error", .covers("C4"))
    func refusedPairing() async throws {
        let bench = try await Bench()
        bench.addDie()
        bench.phone.person.will(.refusePasskey)
        let (_, listener, peripheral) = try await bench.connectedDie()
        peripheral.readValue(for: try peripheral.found(Bench.owner))
        try await listener.next("value 2A02 [] CBATTErrorDomain 5")
        #expect(bench.radio.bonds.isEmpty)
    }

    @Test(
        "A pairing without a number asks the person in an app, who may refuse", .covers("C19"),
        arguments: [true, false])
    func consent(isGiven: Bool) async throws {
        let bench = try await Bench()
        bench.addDie { $0.pairing = .justWorks }
        bench.phone.person.will(isGiven ? .allow : .deny, at: .pairing)
        let (_, listener, peripheral) = try await bench.connectedDie()
        peripheral.readValue(for: try peripheral.found(Bench.owner))
        let answer = isGiven ? "\(Array("Kim".utf8)) nil" : "[] CBATTErrorDomain 5"
        try await listener.next("value 2A02 \(answer)")
        let prompt = try #require(bench.phone.shownScreens.first)
        #expect(bench.phone.shownScreens.count == 1 && prompt.kind == .pairing)
        #expect(prompt.lines == ["“\(Bench.address)” would like to pair with your iPhone."], "it never said its name")
        #expect(bench.radio.bonds.isEmpty != isGiven)
    }

    @Test("A write without response that is too long or not allowed is not sent", .covers("C4"))
    func misuse() async throws {
        let bench = try await Bench()
        let (log, continuation) = AsyncStream<Data>.makeStream()
        bench.addDie { $0.onWrite = { continuation.yield($1) } }
        let (_, _, peripheral) = try await bench.connectedDie()
        peripheral.writeValue(Data(count: 183), for: try peripheral.found(Bench.screen), type: .withoutResponse)
        peripheral.writeValue(Data([1]), for: try peripheral.found(Bench.roll), type: .withoutResponse)
        peripheral.writeValue(Data(count: 182), for: try peripheral.found(Bench.screen), type: .withoutResponse)
        for await written in log {
            #expect(written.count == 182)
            break
        }
        #expect(bench.phone.warnings.count == 2)
    }

    @Test("Many writes without response fill the queue, and the app is told when there is room", .covers("C4"))
    func flowControl() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (_, listener, peripheral) = try await bench.connectedDie()
        let screen = try peripheral.found(Bench.screen)
        listener.queue.suspend()  // A write that has left the phone is counted only when the queue runs.
        for number in 0..<20 { peripheral.writeValue(Data([UInt8(number)]), for: screen, type: .withoutResponse) }
        #expect(!peripheral.canSendWriteWithoutResponse)
        listener.queue.resume()
        try await listener.next("ready")
        #expect(peripheral.canSendWriteWithoutResponse)
    }

    @Test("Changed services make the discovered ones invalid")
    func servicesChanged() async throws {
        let bench = try await Bench()
        bench.addDie()
        let (_, listener, peripheral) = try await bench.connectedDie()
        bench.radio.emit(.servicesChanged(Bench.address))
        try await listener.next("modified 1")
        #expect(peripheral.services == nil)
    }
}

@Suite("CBUUID and errors")
struct ValueTests {
    @Test("UUIDs are equal if their 128-bit forms are equal, and print in their shortest form", .covers("P5"))
    func uuids() throws {
        let short = CBUUID(string: "180f")
        #expect(short == CBUUID(string: "0000180F-0000-1000-8000-00805F9B34FB"))
        #expect(short == CBUUID(data: Data([0x18, 0x0F])) && short.uuidString == "180F" && short.data.count == 2)
        let long = UUID()
        #expect(CBUUID(nsuuid: long).uuidString == long.uuidString)
        #expect(Set([CBUUID(nsuuid: long), CBUUID(string: long.uuidString.lowercased())]).count == 1)
    }

    @Test(
        "A UUID may begin with 0x, as many apps write it",
        arguments: ["0xFF3F", "0Xff3f", "0x0000FF3F", "0x0000FF3F-0000-1000-8000-00805F9B34FB"])
    func hexadecimalPrefix(text: String) {
        #expect(CBUUID(string: text) == CBUUID(string: "FF3F"))
        #expect(CBUUID(string: text).uuidString == "FF3F")
    }

    @Test("Errors convert to NSError and match in catch clauses, as on iOS")
    func errors() throws {
        let error: any Error = CBATTError(try #require(CBATTError.Code(rawValue: 0x0F)))
        #expect((error as NSError).domain == CBATTErrorDomain && (error as NSError).code == 15)
        #expect((error as? CBATTError)?.code == .insufficientEncryption)
        #expect(CBATTError.Code(rawValue: 0x80)?.rawValue == 0x80)
        do { throw CBError(.connectionFailed) } catch CBError.connectionFailed {} catch { Issue.record(error) }
        #expect(CBError(.connectionTimeout).localizedDescription == "The connection has timed out unexpectedly.")
    }
}

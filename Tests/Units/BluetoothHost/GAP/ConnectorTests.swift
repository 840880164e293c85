import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Connecting")
struct ConnectorTests {
    private static let device = PeerAddress.numbered(0x50)
    private static let other = PeerAddress.numbered(0x51)

    @Test(
        "A connection has the device's address, the phone's own, and an iPhone's parameters",
        .shows("GAP/CONN/DCEP/BV-03-C"), arguments: [false, true])
    func connects(isExtended: Bool) throws {
        var run = AccessRun.connecting(isExtended: isExtended)
        run.act { $0.connect(to: ConnectorTests.device, at: $1) }
        let command = try #require(run.takeCommands().first)
        if isExtended {
            #expect(command.opcode == .leExtendedCreateConnection)
        } else {
            // As captured from an iPhone 7, with this device instead of the filter accept list.
            #expect(
                command.parameters
                    == hci("30003000 00 01 5000000000C0 01 0800 1800 0000 4800 0200 0C00"))
        }
        run.connects(5)
        let link = try #require(run.takeHeard().links.first)
        #expect(link.device == ConnectorTests.device)
        #expect(link.peer == ConnectorTests.device)
        #expect(link.local == run.access.addresses.current)
        #expect(link.handle == ConnectionHandle(5))
        #expect(link.role == .central)
        #expect((link.interval, link.latency, link.timeout) == (24, 0, 72))
        #expect(run.access.connector.attemptCount == 0)
        #expect(run.controller.violations.isEmpty)
    }

    @Test("A bonded device is called at the private address where it was heard last", .shows("GAP/CONN/DCEP/BV-06-C"))
    func bonded() throws {
        var run = AccessRun.connecting()
        let peer = DeviceIdentity.numbered(0x30)
        run.access.add(peer)
        run.act { $0.scan(ScanSettings(), at: $1) }
        run.receive(.advertisingReports([.test(peer.address(1), [], kind: [.legacy, .connectable])]))
        run.act { $0.connect(to: peer.address, at: $1) }
        #expect(run.controller.initiatingTo == peer.address(1))
        run.connects(5)
        let link = try #require(run.heard.links.first)
        #expect(link.device == peer.address)
        #expect(link.peer == peer.address(1))
    }

    @Test("An attempt follows a device that changes its private address, and keeps its time limit")
    func follows() {
        var run = AccessRun.connecting()
        let peer = DeviceIdentity.numbered(0x30)
        run.access.add(peer)
        run.act { $0.scan(ScanSettings(), at: $1) }
        run.act { $0.connect(to: peer.address, at: $1) }
        #expect(run.controller.initiatingTo == peer.address)
        run.advance(by: .seconds(4))
        run.receive(.advertisingReports([.test(peer.address(2), [], kind: [.legacy, .connectable])]))
        #expect(run.controller.initiatingTo == peer.address(2))
        #expect(run.heard.failures.isEmpty)
        #expect(run.access.connector.deadline == .seconds(10))
        #expect(run.controller.violations.isEmpty)
    }

    @Test("One attempt after the other, in the order of the requests; a second request changes nothing")
    func queue() {
        var run = AccessRun.connecting()
        run.act { $0.connect(to: ConnectorTests.device, at: $1) }
        run.act { $0.connect(to: ConnectorTests.other, at: $1) }
        run.act { $0.connect(to: ConnectorTests.device, at: $1) }
        run.act { $0.connect(to: ConnectorTests.other, at: $1) }
        #expect(run.access.connector.attemptCount == 2)
        #expect(run.controller.initiatingTo == ConnectorTests.device)
        run.connects(1)
        #expect(run.controller.initiatingTo == ConnectorTests.other)
        run.connects(2)
        #expect(run.takeHeard().links.map(\.device) == [ConnectorTests.device, ConnectorTests.other])
        #expect(run.access.connector.isQuiet)
        #expect(run.controller.violations.isEmpty)
    }

    @Test("An attempt ends after its limit, in plain words, and the next one has its own limit")
    func limit() {
        var run = AccessRun.connecting()
        run.act { $0.connect(to: ConnectorTests.device, limit: .milliseconds(1500), at: $1) }
        run.act { $0.connect(to: ConnectorTests.other, at: $1) }
        run.advance(by: .milliseconds(1499))
        #expect(run.heard.failures.isEmpty)
        run.advance(by: .milliseconds(1))
        #expect(run.takeHeard() == [.failed(ConnectorTests.device, .timeout(.milliseconds(1500)))])
        #expect(run.controller.initiatingTo == ConnectorTests.other)
        run.advance(by: .seconds(10))
        #expect(run.takeHeard().failures.map(\.description) == ["nothing was heard for 10 s"])
        #expect(run.controller.initiatingTo == nil)
        #expect(run.access.connector.isQuiet)
    }

    @Test("A cancelled attempt fails at once, whether it waits or runs")
    func cancel() {
        var run = AccessRun.connecting()
        run.act { $0.connect(to: ConnectorTests.device, at: $1) }
        run.act { $0.connect(to: ConnectorTests.other, at: $1) }
        run.act { $0.cancel(ConnectorTests.other, at: $1) }
        #expect(run.takeHeard() == [.failed(ConnectorTests.other, .cancelled)])
        run.act { $0.cancel(ConnectorTests.device, at: $1) }
        #expect(run.takeHeard() == [.failed(ConnectorTests.device, .cancelled)])
        #expect(run.controller.initiatingTo == nil)
        run.act { $0.cancel(ConnectorTests.device, at: $1) }
        #expect(run.takeHeard().isEmpty)
        #expect(run.access.connector.isQuiet)
    }

    @Test("A cancel before the controller's answer waits for it")
    func cancelWhileStarting() {
        var run = AccessRun.connecting()
        run.isSlow = true
        run.act { $0.connect(to: ConnectorTests.device, at: $1) }
        run.act { $0.cancel(ConnectorTests.device, at: $1) }
        #expect(run.unanswered.map(\.command.opcode) == [.leCreateConnection])
        run.answer()
        #expect(run.unanswered.map(\.command.opcode) == [.leCreateConnectionCancel])
        run.answer()
        #expect(run.access.connector.isQuiet)
        #expect(run.takeHeard() == [.failed(ConnectorTests.device, .cancelled)])
    }

    @Test("A link that comes for a cancelled attempt is ended at once with reason 0x13, and is never told")
    func lateLink() {
        var run = AccessRun.connecting()
        run.act { $0.connect(to: ConnectorTests.device, at: $1) }
        run.isSlow = true
        run.act { $0.cancel(ConnectorTests.device, at: $1) }
        run.connects(9)
        #expect(run.unanswered.map(\.command) == [.leCreateConnectionCancel, .disconnect(ConnectionHandle(9))])
        #expect(run.unanswered.last?.command.parameters == [9, 0, 0x13])
        run.answer()
        run.answer()
        #expect(run.access.connector.isQuiet)
        #expect(run.takeHeard() == [.failed(ConnectorTests.device, .cancelled)])
    }

    @Test("A link of an attempt that is long over is ended too, and does not count as the next attempt's")
    func veryLateLink() {
        var run = AccessRun.connecting()
        run.act { $0.connect(to: ConnectorTests.device, at: $1) }
        run.act { $0.cancel(ConnectorTests.device, at: $1) }
        run.act { $0.connect(to: ConnectorTests.other, at: $1) }
        _ = (run.takeCommands(), run.takeHeard())
        run.receive(.leConnectionComplete(.test(9, peer: ConnectorTests.device)))
        #expect(run.takeCommands() == [.disconnect(ConnectionHandle(9))])
        #expect(run.takeHeard().isEmpty)
        #expect(run.controller.initiatingTo == ConnectorTests.other)
    }

    @Test("The same device may be wished for again while its former attempt ends")
    func cancelAndConnect() {
        var run = AccessRun.connecting()
        run.act { $0.connect(to: ConnectorTests.device, at: $1) }
        run.isSlow = true
        run.act { $0.cancel(ConnectorTests.device, at: $1) }
        run.act { $0.connect(to: ConnectorTests.device, at: $1) }
        #expect(run.access.connector.attemptCount == 2)
        run.isSlow = false
        run.answer()
        #expect(run.controller.initiatingTo == ConnectorTests.device)
        run.connects(2)
        #expect(run.heard.links.count == 1)
    }

    @Test("A controller that does not end an attempt is given up after 2 s")
    func silentCancel() {
        var run = AccessRun.connecting()
        run.act { $0.connect(to: ConnectorTests.device, at: $1) }
        run.isSlow = true
        run.act { $0.cancel(ConnectorTests.device, at: $1) }
        run.advance(by: .seconds(2))
        #expect(run.heard.refusals == ["the controller did not end an attempt to connect for 2 s"])
        #expect(run.access.connector.isQuiet)
    }

    @Test("A refused cancel ends the attempt: there was nothing to cancel")
    func refusedCancel() {
        var run = AccessRun.connecting()
        run.act { $0.connect(to: ConnectorTests.device, at: $1) }
        run.controller.refusals[.leCreateConnectionCancel] = .commandDisallowed
        run.act { $0.cancel(ConnectorTests.device, at: $1) }
        #expect(run.access.connector.isQuiet)
    }

    @Test("A refused connection fails in plain words, and the next attempt begins", arguments: [false, true])
    func refused(isExtended: Bool) {
        var run = AccessRun.connecting(isExtended: isExtended)
        let opcode: HCIOpcode = isExtended ? .leExtendedCreateConnection : .leCreateConnection
        run.controller.refusals[opcode] = .connectionLimit
        run.isSlow = true
        run.act { $0.connect(to: ConnectorTests.device, at: $1) }
        run.act { $0.connect(to: ConnectorTests.other, at: $1) }
        run.isSlow = false
        run.answer()
        #expect(
            run.takeHeard().failures.map(\.description) == [
                "the controller refused \(opcode): the controller has no room for another connection (0x09)"
            ])
        #expect(run.controller.initiatingTo == ConnectorTests.other)
    }

    @Test("A refused connection that was cancelled before is told once")
    func refusedAndCancelled() {
        var run = AccessRun.connecting()
        run.controller.refusals[.leCreateConnection] = .connectionExists
        run.isSlow = true
        run.act { $0.connect(to: ConnectorTests.device, at: $1) }
        run.act { $0.cancel(ConnectorTests.device, at: $1) }
        run.answer()
        #expect(run.takeHeard() == [.failed(ConnectorTests.device, .cancelled)])
        #expect(run.access.connector.isQuiet)
    }

    @Test("An attempt that the controller ends fails with the controller's reason")
    func failedEvent() {
        var run = AccessRun.connecting()
        run.act { $0.connect(to: ConnectorTests.device, at: $1) }
        run.controller.connects()
        run.receive(.leConnectionComplete(.test(0, status: .hardwareFailure)))
        #expect(
            run.takeHeard().failures.map(\.description)
                == ["the controller did not connect: the controller's hardware failed (0x03)"])
    }

    @Test("The queue is bounded")
    func fullQueue() {
        var run = AccessRun.connecting { $0.mostAttempts = 3 }
        for number in 0..<10 { run.act { $0.connect(to: .numbered(UInt8(number)), at: $1) } }
        #expect(run.access.connector.attemptCount == 4)
        #expect(run.heard.failures.count == 6)
        #expect(run.heard.failures.first?.description == "3 attempts to connect wait already")
    }

    @Test(
        "Durations in messages are short",
        arguments: [
            (Duration.seconds(10), "10 s"), (.milliseconds(1500), "1.5 s"), (.milliseconds(20), "0.02 s"),
            (.milliseconds(1005), "1.005 s"), (.microseconds(1), "0 s"),
        ])
    func texts(duration: Duration, text: String) { #expect(duration.plainText == text) }

    @Test(
        "Each failure is plain words",
        arguments: [
            (ConnectFailure.cancelled, "the attempt was cancelled"), (.poweredOff, "Bluetooth is off"),
            (.connected, "the device is connected already"),
            (.notEstablished(tries: 1), "the device answered nothing on the new link, in 1 try (0x3E)"),
            (.notEstablished(tries: 20), "the device answered nothing on the new link, in 20 tries (0x3E)"),
        ])
    func failureTexts(failure: ConnectFailure, text: String) { #expect(failure.description == text) }
}

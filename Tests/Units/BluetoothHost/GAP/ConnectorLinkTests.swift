import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Links that come and go")
struct ConnectorLinkTests {
    private static let device = PeerAddress.numbered(0x50)

    @Test("A link that the device never answers is tried again; the failure is told after the last try")
    func notEstablished() {
        var run = AccessRun.connecting { $0.establishmentTries = 3 }
        run.act { $0.connect(to: ConnectorLinkTests.device, at: $1) }
        for tries in 1...2 {
            run.connects(tries)
            _ = run.takeHeard()
            let handle = ConnectionHandle(tries)
            run.receive(.disconnectionComplete(handle, status: .success, reason: .notEstablished))
            #expect(
                run.takeHeard() == [
                    .closed(handle, .notEstablished), .retrying(ConnectorLinkTests.device, tries: tries),
                ])
            #expect(run.controller.initiatingTo == ConnectorLinkTests.device)
        }
        // Some controllers report it without a link.
        run.controller.connects()
        run.receive(.leConnectionComplete(.test(0, status: .notEstablished)))
        #expect(run.heard == [.failed(ConnectorLinkTests.device, .notEstablished(tries: 3))])
        #expect(run.access.connector.isQuiet)
    }

    @Test("Each try has the whole time limit")
    func limitOfTry() {
        var run = AccessRun.connecting()
        run.act { $0.connect(to: ConnectorLinkTests.device, at: $1) }
        run.advance(by: .seconds(9))
        run.connects(1)
        run.receive(.disconnectionComplete(ConnectionHandle(1), status: .success, reason: .notEstablished))
        #expect(run.access.connector.deadline == .seconds(19))
    }

    @Test("A link that ends for another reason, or that this phone ends, is not tried again")
    func otherEnds() {
        var run = AccessRun.connecting()
        run.act { $0.connect(to: ConnectorLinkTests.device, at: $1) }
        run.connects(1)
        _ = run.takeHeard()
        run.receive(.disconnectionComplete(ConnectionHandle(1), status: .success, reason: .connectionTimeout))
        #expect(run.takeHeard() == [.closed(ConnectionHandle(1), .connectionTimeout)])
        run.act { $0.connect(to: ConnectorLinkTests.device, at: $1) }
        run.connects(2)
        _ = run.takeHeard()
        run.isSlow = true
        run.act { $0.disconnect(ConnectionHandle(2), at: $1) }
        run.receive(.disconnectionComplete(ConnectionHandle(2), status: .success, reason: .notEstablished))
        #expect(run.takeHeard() == [.closed(ConnectionHandle(2), .notEstablished)])
        #expect(run.access.connector.isQuiet)
        // The end of an unknown link is nobody's.
        run.receive(.disconnectionComplete(ConnectionHandle(77), status: .success, reason: .connectionTimeout))
        #expect(run.takeHeard().isEmpty)
    }

    @Test("A device with a link is not called again, until this phone ends the link")
    func alreadyConnected() {
        var run = AccessRun.connecting()
        run.act { $0.connect(to: ConnectorLinkTests.device, at: $1) }
        run.connects(1)
        _ = run.takeHeard()
        run.act { $0.connect(to: ConnectorLinkTests.device, at: $1) }
        #expect(run.takeHeard() == [.failed(ConnectorLinkTests.device, .connected)])
        run.isSlow = true
        run.act { $0.disconnect(ConnectionHandle(1), at: $1) }
        run.act { $0.connect(to: ConnectorLinkTests.device, at: $1) }
        #expect(run.takeHeard().isEmpty)
        #expect(run.access.connector.attemptCount == 1)
    }

    @Test("A link is ended once, with the phone's reason or another; a refusal is told and allows another end")
    func disconnect() {
        var run = AccessRun.connecting()
        run.act { $0.connect(to: ConnectorLinkTests.device, at: $1) }
        run.connects(1)
        _ = (run.takeHeard(), run.takeCommands())
        run.controller.refusals[.disconnect] = .controllerBusy
        run.act { $0.disconnect(ConnectionHandle(1), at: $1) }
        #expect(run.takeHeard().refusals == ["the controller refused Disconnect: the controller is busy (0x3A)"])
        run.isSlow = true
        run.act { $0.disconnect(ConnectionHandle(1), reason: .authenticationFailure, at: $1) }
        run.act { $0.disconnect(ConnectionHandle(1), at: $1) }
        #expect(run.unanswered.map(\.command) == [.disconnect(ConnectionHandle(1), reason: .authenticationFailure)])
        run.receive(.disconnectionComplete(ConnectionHandle(1), status: .controllerBusy, reason: .success))
        #expect(run.takeHeard().refusals.count == 1)
        run.isSlow = false
        run.act { $0.disconnect(ConnectionHandle(1), at: $1) }
        #expect(run.takeHeard() == [.closed(ConnectionHandle(1), .localHostEnded)])
        run.act { $0.disconnect(ConnectionHandle(1), at: $1) }
        #expect(run.takeHeard().isEmpty)
    }

    @Test("A new link beside many others has the parameters for many links")
    func manyLinks() throws {
        let many = ConnectionParameters(milliseconds: 45...60)
        var run = AccessRun.connecting { ($0.phases.manyLinks, $0.phases.withManyLinks) = (2, many) }
        for number in 0..<3 {
            run.act { $0.connect(to: .numbered(UInt8(number)), at: $1) }
            run.connects(number)
        }
        let intervals = run.takeCommands().map { Array($0.parameters[13...14]) }
        #expect(intervals == [[8, 0], [8, 0], [36, 0]])
    }

    @Test("A link gets its settled parameters after discovery, or after 5 s, once", .shows("GAP/CONN/CPUP/BV-06-C"))
    func settled() {
        let settled = ConnectionParameters(milliseconds: 30...60)
        var run = AccessRun.connecting { $0.phases.settled = settled }
        for number in 1...3 {
            run.act { $0.connect(to: .numbered(UInt8(number)), at: $1) }
            run.connects(number)
        }
        _ = run.takeCommands()
        run.act { $0.discoveryEnded(on: ConnectionHandle(1), at: $1) }
        #expect(run.takeCommands() == [.leConnectionUpdate(ConnectionHandle(1), settled)])
        run.access.parametersAgreed(on: ConnectionHandle(2))
        run.controller.refusals[.leConnectionUpdate] = .unsupportedFeature
        run.advance(by: .seconds(5))
        #expect(run.takeCommands() == [.leConnectionUpdate(ConnectionHandle(3), settled)])
        #expect(run.heard.refusals.count == 1)
        run.act { $0.discoveryEnded(on: ConnectionHandle(2), at: $1) }
        run.advance(by: .seconds(60))
        #expect(run.takeCommands().isEmpty)
    }

    @Test("An iPhone changes no parameters by itself")
    func noSettledParameters() {
        var run = AccessRun.connecting()
        run.act { $0.connect(to: ConnectorLinkTests.device, at: $1) }
        run.connects(1)
        _ = run.takeCommands()
        run.act { $0.discoveryEnded(on: ConnectionHandle(1), at: $1) }
        run.advance(by: .seconds(60))
        #expect(run.takeCommands().isEmpty)
    }
}

import Testing

@testable import HILBluetoothHost

@Suite("The configuration of classic channels")
struct L2CAPConfigurationTests {
    private var pair = L2CAPPair(.classic)
    private var link = L2CAPLink(role: .central, transport: .classic)

    init() { pair.peripheral.listeners[0x19] = L2CAPLink.Listener(mtu: 1000) }

    private func connected(_ result: UInt16 = 0, source: UInt16 = 0x40) -> SignalingCommand {
        .connectionResponse(destination: result == 0 ? 0x70 : 0, source: source, result: result, status: 0)
    }

    private func configured(
        _ result: ConfigurationResult = .success, _ options: [ConfigurationOption] = []
    ) -> SignalingCommand { .configurationResponse(source: 0x40, isContinued: false, result: result, options: options) }

    private func configuration(
        _ options: [ConfigurationOption] = [], isContinued: Bool = false
    ) -> SignalingCommand { .configurationRequest(destination: 0x40, isContinued: isContinued, options: options) }

    @Test("A peer without an MTU option receives 672 bytes")
    mutating func defaultMTU() throws {
        let (id, _) = try link.open(psm: 0x19, at: .zero)
        #expect(
            link.hear(connected()).commands == [
                .configurationRequest(destination: 0x70, isContinued: false, options: [.mtu(672)])
            ])
        #expect(
            link.hear(configuration(), identifier: 9).commands == [
                .configurationResponse(source: 0x70, isContinued: false, result: .success, options: [])
            ])
        #expect(link.hear(configured(), identifier: 2) == [.opened(id, psm: 0x19, peerMTU: 672, byPeer: false)])
    }

    @Test("An unknown option is refused with itself, an unknown hint is skipped")
    mutating func unknownOptions() throws {
        _ = try link.open(psm: 0x19, at: .zero)
        _ = link.hear(connected())
        let unknown = ConfigurationOption(type: 0x05, value: [1])
        let hint = ConfigurationOption(type: 0x30, isHint: true, value: [1, 2])
        #expect(
            link.hear(configuration([.mtu(100), unknown, hint]), identifier: 9).commands == [
                .configurationResponse(source: 0x70, isContinued: false, result: .unknownOptions, options: [unknown])
            ])
        #expect(
            link.hear(configuration([.mtu(100), hint]), identifier: 9).commands == [
                .configurationResponse(source: 0x70, isContinued: false, result: .success, options: [])
            ])
    }

    @Test("An answer with unknown options fits the signalling MTU")
    mutating func manyUnknownOptions() throws {
        _ = try link.open(psm: 0x19, at: .zero)
        _ = link.hear(connected())
        let many = (0..<20).map { ConfigurationOption(type: UInt8(0x20 + $0), value: []) }
        let outputs = link.hear(configuration(many), identifier: 9)
        #expect(outputs.frames.allSatisfy { $0.payload.count <= 48 } && !outputs.frames.isEmpty)
    }

    @Test(
        "Values that this end cannot have are answered with better ones",
        arguments: [
            (ConfigurationOption.mtu(47), ConfigurationOption.mtu(48)),
            (ConfigurationOption(type: 4, value: [3, 0, 0, 0, 0, 0, 0, 0, 0]), .basicMode),
        ])
    mutating func betterValues(option: ConfigurationOption, better: ConfigurationOption) throws {
        _ = try link.open(psm: 0x19, at: .zero)
        _ = link.hear(connected())
        #expect(
            link.hear(configuration([option]), identifier: 9).commands == [
                .configurationResponse(
                    source: 0x70, isContinued: false, result: .unacceptableParameters, options: [better])
            ])
        #expect(link.hear(configured(), identifier: 2).events.isEmpty)
        #expect(link.hear(configuration([better]), identifier: 10).events.count == 1)
    }

    @Test("Known options of the peer's own traffic are accepted, of a wrong length rejected")
    mutating func otherOptions() throws {
        _ = try link.open(psm: 0x19, at: .zero)
        _ = link.hear(connected())
        let flush = ConfigurationOption(type: 2, value: [0xFF, 0xFF])
        let quality = ConfigurationOption(type: 3, value: [UInt8](repeating: 0, count: 22))
        let outputs = link.hear(configuration([flush, quality, .basicMode]), identifier: 9)
        #expect(outputs.commands.first?.code == .configurationResponse && !outputs.hasNote)
        let short = ConfigurationOption(type: 1, value: [1])
        #expect(
            link.hear(configuration([short]), identifier: 9).commands == [
                .configurationResponse(source: 0x70, isContinued: false, result: .rejected, options: [])
            ])
    }

    @Test("Options in two parts count together")
    mutating func continued() throws {
        let (id, _) = try link.open(psm: 0x19, at: .zero)
        _ = link.hear(connected())
        _ = link.hear(configured(), identifier: 2)
        let part = link.hear(configuration([.mtu(300)], isContinued: true), identifier: 9)
        #expect(
            part.commands == [
                .configurationResponse(source: 0x70, isContinued: true, result: .success, options: [])
            ])
        #expect(part.events.isEmpty)
        let rest = link.hear(configuration(), identifier: 10)
        #expect(rest.events == [.opened(id, psm: 0x19, peerMTU: 300, byPeer: false)])
    }

    @Test("A smaller MTU that the peer proposes is taken")
    mutating func proposedMTU() throws {
        let (id, _) = try link.open(psm: 0x19, at: .zero)
        _ = link.hear(connected())
        #expect(
            link.hear(configured(.unacceptableParameters, [.mtu(200)]), identifier: 2).commands == [
                .configurationRequest(destination: 0x70, isContinued: false, options: [.mtu(200)])
            ])
        _ = link.hear(configuration(), identifier: 9)
        #expect(link.hear(configured(), identifier: 3).events.count == 1)
        let outputs = link.hear([UInt8](repeating: 0, count: 201), on: id.cid)
        let why = ChannelEnd.violation("the peer sent an SDU of 201 bytes; our MTU is 200")
        #expect(outputs.events == [.closed(id, byPeer: false, why: why)])
    }

    @Test("After some tries, or with another refusal, the channel fails and is closed")
    mutating func configurationFails() throws {
        let (id, _) = try link.open(psm: 0x19, at: .zero)
        _ = link.hear(connected())
        for identifier in 2...3 as ClosedRange<UInt8> {
            let answer = configured(.unacceptableParameters, [.mtu(200)])
            #expect(link.hear(answer, identifier: identifier).events.isEmpty)
        }
        let outputs = link.hear(configured(.unacceptableParameters, [.mtu(200)]), identifier: 4)
        #expect(outputs.commands == [.disconnectionRequest(destination: 0x70, source: 0x40)])
        #expect(outputs.events == [.openFailed(id, why: L2CAPRefusal(.configurationFailed, code: 1))])
    }

    @Test("A refusal without a proposal, and a Command Reject, fail at once")
    mutating func configurationRefused() throws {
        for answer in [configured(.rejected), configured(.unacceptableParameters), .commandReject(.notUnderstood)] {
            var link = self.link
            let (id, _) = try link.open(psm: 0x19, at: .zero)
            _ = link.hear(connected())
            let outputs = link.hear(answer, identifier: 2)
            #expect(outputs.commands == [.disconnectionRequest(destination: 0x70, source: 0x40)])
            guard case .openFailed(id, _)? = outputs.events.first else {
                Issue.record("\(outputs)")
                continue
            }
        }
    }

    @Test("A configuration without an answer, or that needs too long, fails")
    mutating func configurationTimeouts() throws {
        let (id, _) = try link.open(psm: 0x19, at: .zero)
        _ = link.hear(connected(), at: .seconds(10))
        var slow = link
        #expect(link.deadline == .seconds(40))
        let failed = L2CAPLink.Output.openFailed(id, why: L2CAPRefusal(.noAnswer))
        #expect(link.advance(to: .seconds(40)).events == [.timedOut(.configuration(id)), failed])

        #expect(slow.hear(configured(.pending), identifier: 2, at: .seconds(20)).isEmpty)
        #expect(slow.deadline == .seconds(80))
        _ = slow.hear(configured(), identifier: 2, at: .seconds(50))
        #expect(slow.deadline == .seconds(130))
        let outputs = slow.advance(to: .seconds(130))
        #expect(outputs.events == [.timedOut(.configuration(id)), failed])
        #expect(outputs.commands == [.disconnectionRequest(destination: 0x70, source: 0x40)])
        #expect(slow.advance(to: .seconds(160)).events == [.timedOut(.disconnection(id))])
        #expect(slow.channels.isEmpty)
    }

    @Test("The configuration of an unknown channel, or before its connection, gets Command Reject")
    mutating func unknownChannel() throws {
        let reject = SignalingCommand.commandReject(.invalidChannel(local: 0x40, remote: 0))
        #expect(link.hear(configuration(), identifier: 9).commands == [reject])
        _ = try link.open(psm: 0x19, at: .zero)
        #expect(link.hear(configuration(), identifier: 9).commands == [reject])
    }

    @Test("An open channel may be configured again")
    mutating func again() throws {
        let (id, outputs) = try pair.central.open(psm: 0x19, at: .zero)
        pair.pump(outputs, from: .central)
        let again = pair.central.hear(configuration([.mtu(64)]), identifier: 99)
        #expect(again.commands.count == 1 && again.events.isEmpty)
        #expect(throws: L2CAPError.tooLong(length: 65, most: 64)) {
            try pair.central.send(sdu: [UInt8](repeating: 0, count: 65), on: id)
        }
    }
}

import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Signalling of a link")
struct L2CAPSignalingTests {
    private var le = L2CAPLink(role: .central, transport: .le)
    private var classic = L2CAPLink(role: .central, transport: .classic)

    @Test("ATT and SMP go up with their payload")
    mutating func fixed() {
        #expect(le.hear([1, 2], on: 0x0004) == [.fixed(.attributes, [1, 2])])
        #expect(le.hear([], on: 0x0006) == [.fixed(.securityManager, [])])
        #expect(classic.hear([1], on: 0x0007) == [.fixed(.classicSecurityManager, [1])])
    }

    @Test("ATT and SMP go down as frames")
    func fixedSent() {
        #expect(le.send([1, 2], on: .attributes) == [.frame([2, 0, 4, 0, 1, 2])])
        let long = le.send([UInt8](repeating: 0, count: 65536), on: .attributes)
        #expect(long.frames.isEmpty && long.hasNote)
    }

    @Test(
        "Data for a channel that does not exist is ignored", .shows("L2CAP/LE/CID/BI-01-C"),
        arguments: [0x0000, 0x0002, 0x0007, 0x0040, 0xFFFF])
    mutating func unknownChannel(cid: UInt16) {
        let outputs = le.hear([1, 2, 3], on: cid)
        #expect(outputs.count == 1 && outputs.hasNote)
    }

    @Test("The signalling channel of the other kind of link is unknown")
    mutating func otherSignaling() {
        let echo = SignalingCommand.echoRequest([]).bytes(identifier: 1)
        #expect(le.hear(echo, on: 0x0001).frames.isEmpty)
        #expect(classic.hear(echo, on: 0x0005).frames.isEmpty)
    }

    @Test("A frame of a wrong length is a violation")
    mutating func malformedFrame() {
        #expect(
            le.receive([5, 0, 4, 0, 1], at: .zero)
                == [.violation("the peer sent an L2CAP frame with 1 bytes of payload; its header says 5")])
        #expect(
            le.receive([5], at: .zero)
                == [.violation("the peer sent an L2CAP frame of 1 bytes; at least 2 are needed")])
    }

    @Test("An unknown command is rejected as not understood")
    mutating func unknownCommand() {
        #expect(le.hear([0x77, 9, 0, 0], on: 5).packets.map(\.identifier) == [9])
        #expect(le.hear([0x77, 9, 1, 0, 1], on: 5).commands == [.commandReject(.notUnderstood)])
        #expect(classic.hear([0x77, 9, 0, 0], on: 1).commands == [.commandReject(.notUnderstood)])
    }

    @Test(
        "A request that only the other kind of link has is rejected",
        arguments: [
            SignalingCommand.echoRequest([1]), .informationRequest(.features),
            .connectionRequest(psm: 0x19, source: 0x40),
            .configurationRequest(destination: 0x40, isContinued: false, options: []),
        ])
    mutating func wrongTransport(command: SignalingCommand) {
        #expect(le.hear(command).commands == [.commandReject(.notUnderstood)])
        let update = SignalingCommand.flowControlCredit(channel: 0x40, credits: 1)
        #expect(classic.hear(update).commands == [.commandReject(.notUnderstood)])
    }

    @Test("A request of a wrong length is rejected")
    mutating func wrongLength() {
        #expect(le.hear([0x14, 3, 2, 0, 1, 0], on: 5).commands == [.commandReject(.notUnderstood)])
    }

    @Test("Identifier 0 gets no answer")
    mutating func identifierZero() {
        let outputs = le.hear(.disconnectionRequest(destination: 0x40, source: 0x40), identifier: 0)
        #expect(outputs.frames.isEmpty && outputs.hasNote)
    }

    @Test("A frame of an LE link with two commands is rejected, for the first one")
    mutating func twoCommands() {
        let bad = SignalingCommand.disconnectionRequest(destination: 0x40, source: 0x40)
        let outputs = le.hear(bad.bytes(identifier: 4) + bad.bytes(identifier: 5), on: 5)
        #expect(outputs.commands == [.commandReject(.notUnderstood)] && outputs.packets.map(\.identifier) == [4])
    }

    @Test("A frame of an LE link with stray bytes after its command, or too few, is rejected")
    mutating func strayBytes() {
        #expect(le.hear([0x06, 4, 4, 0, 0x40, 0, 0x40, 0, 1], on: 5).commands == [.commandReject(.notUnderstood)])
        #expect(le.hear([0x06, 4, 4, 0, 0x40, 0], on: 5).commands == [.commandReject(.notUnderstood)])
    }

    @Test("A frame without a whole header gets no answer", arguments: 0..<4)
    mutating func noHeader(count: Int) {
        for outputs in [
            le.hear([UInt8](repeating: 6, count: count), on: 5),
            classic.hear([UInt8](repeating: 6, count: count), on: 1),
        ] { #expect(outputs.frames.isEmpty && outputs.hasNote) }
    }

    @Test("A frame longer than the signalling MTU is rejected with the MTU")
    mutating func tooLong() {
        let long = SignalingPacket(code: 0x14, identifier: 6, data: [UInt8](repeating: 0, count: 20)).bytes
        #expect(le.hear(long, on: 5).commands == [.commandReject(.mtuExceeded(23))])
        let fits = SignalingPacket(code: 0x77, identifier: 6, data: [UInt8](repeating: 0, count: 19)).bytes
        #expect(le.hear(fits, on: 5).commands == [.commandReject(.notUnderstood)])
        let echo = SignalingCommand.echoRequest([UInt8](repeating: 0, count: 45)).bytes(identifier: 2)
        #expect(classic.hear(echo, on: 1).commands == [.commandReject(.mtuExceeded(48))])
    }

    @Test("The reject of a long frame is for its first request; one with responses only is discarded")
    mutating func tooLongResponses() {
        let response = SignalingCommand.echoResponse([UInt8](repeating: 0, count: 45)).bytes(identifier: 2)
        #expect(classic.hear(response, on: 1).frames.isEmpty)
        let both = response + SignalingCommand.echoRequest([]).bytes(identifier: 3)
        #expect(classic.hear(both, on: 1).packets.map(\.identifier) == [3])
    }

    @Test("A frame of a classic link may have several commands")
    mutating func severalCommands() {
        let echoes =
            SignalingCommand.echoRequest([1]).bytes(identifier: 1)
            + SignalingCommand.echoRequest([2]).bytes(identifier: 2)
        let outputs = classic.hear(echoes + [9], on: 1)
        #expect(outputs.commands == [.echoResponse([1]), .echoResponse([2])] && outputs.hasNote)
        #expect(outputs.packets.map(\.identifier) == [1, 2])
    }

    @Test(
        "A response without its request is told, and gets no answer",
        arguments: [
            SignalingCommand.commandReject(.notUnderstood), .disconnectionResponse(destination: 0x40, source: 0x40),
            .parameterUpdateResponse(isAccepted: true),
            .creditBasedConnectionResponse(
                destination: 0x40, terms: CreditBasedTerms(mtu: 100, mps: 100, credits: 1), result: 0),
            .enhancedConnectionResponse(
                terms: CreditBasedTerms(mtu: 100, mps: 100, credits: 1), result: 0, destinations: [0x40]),
            .reconfigureResponse(result: 0),
        ])
    mutating func unmatchedLE(command: SignalingCommand) {
        let outputs = le.hear(command, identifier: 200)
        #expect(outputs.count == 1 && outputs.hasNote)
    }

    @Test(
        "A response of a classic link without its request is told, and gets no answer",
        arguments: [
            SignalingCommand.connectionResponse(destination: 0x40, source: 0x40, result: 0, status: 0),
            .configurationResponse(source: 0x40, isContinued: false, result: .success, options: []),
            .echoResponse([1]), .informationResponse(.features, value: 0),
            .disconnectionResponse(destination: 0x40, source: 0x40),
        ])
    mutating func unmatchedClassic(command: SignalingCommand) {
        let outputs = classic.hear(command, identifier: 200)
        #expect(outputs.count == 1 && outputs.hasNote)
    }

    @Test("A malformed response gets no answer, and its request stays open")
    mutating func malformedResponse() throws {
        let (_, request) = try le.open(psm: 0x80, at: .zero)
        let identifier = try #require(request.packets.first?.identifier)
        let outputs = le.hear([0x15, identifier, 1, 0, 0], on: 5)
        #expect(outputs.count == 1 && outputs.hasNote && le.deadline != nil)
    }

    @Test("Identifiers run from 1 to 255, and skip those in use")
    mutating func identifiers() throws {
        let (_, request) = try le.open(psm: 0x80, at: .zero)
        #expect(request.packets.map(\.identifier) == [1])
        let next = (0..<255).map { _ in le.nextIdentifier() }
        #expect(next == (2...255).map { UInt8($0) } + [2])
    }
}

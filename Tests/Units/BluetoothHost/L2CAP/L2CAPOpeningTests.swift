import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Channels that this end opens")
struct L2CAPOpeningTests {
    private static let terms = CreditBasedTerms(mtu: 512, mps: 64, credits: 3)
    private var link = L2CAPLink(role: .central, transport: .le)

    private func accepted(_ destination: UInt16 = 0x50, _ terms: CreditBasedTerms = terms) -> SignalingCommand {
        .creditBasedConnectionResponse(destination: destination, terms: terms, result: 0)
    }

    private func refused(_ result: UInt16) -> SignalingCommand {
        .creditBasedConnectionResponse(
            destination: 0, terms: CreditBasedTerms(mtu: 0, mps: 0, credits: 0), result: result)
    }

    @Test("The request has the lengths and credits of the configuration")
    mutating func request() throws {
        let (channel, outputs) = try link.open(psm: 0x80, at: .zero)
        #expect(channel.cid == 0x40)
        #expect(
            outputs.commands == [
                .creditBasedConnectionRequest(
                    psm: 0x80, source: 0x40, terms: CreditBasedTerms(mtu: 2048, mps: 247, credits: 10))
            ])
        let (_, second) = try link.open(psm: 0x81, mtu: 100, at: .zero)
        #expect(
            second.commands == [
                .creditBasedConnectionRequest(
                    psm: 0x81, source: 0x41, terms: CreditBasedTerms(mtu: 100, mps: 247, credits: 10))
            ])
    }

    @Test("A successful answer opens the channel with the peer's MTU", .shows("L2CAP/LE/CFC/BV-02-C"))
    mutating func success() throws {
        let (channel, _) = try link.open(psm: 0x80, at: .zero)
        #expect(link.hear(accepted()) == [.opened(channel, psm: 0x80, peerMTU: 512, byPeer: false)])
        #expect(link.deadline == nil)
    }

    @Test(
        "A refusal has the meaning of its code",
        .shows(
            "L2CAP/LE/CFC/BV-04-C", "L2CAP/LE/CFC/BV-10-C", "L2CAP/LE/CFC/BV-12-C", "L2CAP/LE/CFC/BV-14-C",
            "L2CAP/LE/CFC/BV-16-C", "L2CAP/LE/CFC/BV-18-C", "L2CAP/LE/CFC/BV-19-C", "L2CAP/LE/CFC/BV-21-C",
            "L2CAP/LE/CFC/BV-24-C"),
        arguments: [
            (0x0002, .portNotSupported), (0x0004, .noResources), (0x0005, .insufficientAuthentication),
            (0x0006, .insufficientAuthorization), (0x0007, .keyTooShort), (0x0008, .insufficientEncryption),
            (0x0009, .invalidSource), (0x000A, .sourceInUse), (0x000B, .unacceptableParameters),
            (0x0003, .unknownResult), (0xFFFF, .unknownResult),
        ] as [(UInt16, L2CAPRefusal.Reason)])
    mutating func refusal(code: UInt16, reason: L2CAPRefusal.Reason) throws {
        let (channel, _) = try link.open(psm: 0x80, at: .zero)
        let why = L2CAPRefusal(reason, code: code)
        #expect(link.hear(refused(code)) == [.openFailed(channel, why: why)])
        #expect(link.channels.isEmpty && link.deadline == nil)
    }

    @Test("A refusal is told in words with its code")
    func words() {
        #expect(L2CAPRefusal(result: 5, on: .le).description == "insufficient authentication (0x0005)")
        #expect(L2CAPRefusal(result: 3, on: .classic).description == "security block (0x0003)")
        let detailed = L2CAPRefusal(.violation, code: 0, detail: "an MTU of 22 bytes; 23 is the least")
        #expect(detailed.description == "invalid answer (0x0000): an MTU of 22 bytes; 23 is the least")
        #expect(L2CAPRefusal(.noAnswer).description == "no answer")
    }

    @Test("A Command Reject ends the attempt", .shows("L2CAP/LE/CFC/BV-01-C"))
    mutating func commandReject() throws {
        let (channel, _) = try link.open(psm: 0x80, at: .zero)
        let why = L2CAPRefusal(.commandRejected, code: 0, detail: "command not understood")
        #expect(link.hear(.commandReject(.notUnderstood)) == [.openFailed(channel, why: why)])
    }

    @Test("A request without an answer fails after the request timeout, and says so")
    mutating func timeout() throws {
        let (channel, _) = try link.open(psm: 0x80, at: .seconds(5))
        #expect(link.deadline == .seconds(35))
        #expect(link.advance(to: .milliseconds(34_999)).isEmpty)
        #expect(
            link.advance(to: .seconds(35)) == [
                .timedOut(.connection(channel)), .openFailed(channel, why: L2CAPRefusal(.noAnswer)),
            ])
        #expect(link.channels.isEmpty && link.deadline == nil)
        #expect(link.hear(accepted()).hasNote)
    }

    @Test(
        "An answer with a channel that the peer cannot have fails, without a further command",
        arguments: [0x0000, 0x003F, 0x0080, 0xFFFF] as [UInt16])
    mutating func invalidDestination(destination: UInt16) throws {
        let (channel, _) = try link.open(psm: 0x80, at: .zero)
        let outputs = link.hear(accepted(destination))
        guard case .openFailed(channel, let why)? = outputs.first else {
            Issue.record("\(outputs)")
            return
        }
        #expect(outputs.count == 1 && why.reason == .violation && link.channels.isEmpty)
    }

    @Test("An answer with the channel of another one fails")
    mutating func destinationInUse() throws {
        let (first, _) = try link.open(psm: 0x80, at: .zero)
        let (second, _) = try link.open(psm: 0x80, at: .zero)
        _ = link.hear(accepted(0x50), identifier: 1)
        let outputs = link.hear(accepted(0x50), identifier: 2)
        guard case .openFailed(second, _)? = outputs.first else {
            Issue.record("\(outputs)")
            return
        }
        #expect(link.channel(first)?.isOpen == true)
    }

    @Test(
        "An answer with forbidden lengths fails, and the peer's channel is closed",
        arguments: [(22, 64), (23, 22), (23, 65534)] as [(UInt16, UInt16)])
    mutating func forbiddenLengths(mtu: UInt16, mps: UInt16) throws {
        let (channel, _) = try link.open(psm: 0x80, at: .zero)
        let outputs = link.hear(accepted(0x50, CreditBasedTerms(mtu: mtu, mps: mps, credits: 1)))
        #expect(outputs.commands == [.disconnectionRequest(destination: 0x50, source: 0x40)])
        guard case .openFailed(channel, let why)? = outputs.events.first else {
            Issue.record("\(outputs)")
            return
        }
        #expect(why.reason == .violation)
        #expect(link.hear(.disconnectionResponse(destination: 0x50, source: 0x40), identifier: 2).isEmpty)
        #expect(link.channels.isEmpty)
    }

    @Test("An abandoned attempt fails at once, and its channel is closed when the peer opens it")
    mutating func abandoned() throws {
        let (channel, _) = try link.open(psm: 0x80, at: .zero)
        #expect(link.close(channel, at: .zero) == [.openFailed(channel, why: L2CAPRefusal(.cancelled))])
        #expect(link.close(channel, at: .zero).isEmpty)
        let outputs = link.hear(accepted())
        #expect(outputs.commands == [.disconnectionRequest(destination: 0x50, source: 0x40)])
        #expect(outputs.events.isEmpty)
        #expect(link.hear(.disconnectionResponse(destination: 0x50, source: 0x40), identifier: 2).isEmpty)
        #expect(link.channels.isEmpty)
    }

    @Test("An abandoned attempt that the peer refuses, or never answers, is told once")
    mutating func abandonedAndRefused() throws {
        let (first, _) = try link.open(psm: 0x80, at: .zero)
        _ = link.close(first, at: .zero)
        #expect(link.hear(refused(2)).isEmpty)
        let (second, _) = try link.open(psm: 0x80, at: .zero)
        _ = link.close(second, at: .zero)
        #expect(link.advance(to: .seconds(30)) == [.timedOut(.connection(second))])
        #expect(link.channels.isEmpty)
    }

    @Test("A forbidden PSM or MTU is an error", arguments: [0x0000, 0x0100, 0xFFFF] as [UInt16])
    mutating func ownMistakes(psm: UInt16) {
        #expect(throws: L2CAPError.invalidPort(psm)) { try link.open(psm: psm, at: .zero) }
        #expect(throws: L2CAPError.invalidMTU(22)) { try link.open(psm: 0x80, mtu: 22, at: .zero) }
        #expect(link.channels.isEmpty)
    }

    @Test("A link has at most as many channels as its configuration says")
    mutating func limit() throws {
        for _ in 0..<32 { _ = try link.open(psm: 0x80, at: .zero) }
        #expect(throws: L2CAPError.noFreeChannel(most: 32)) { try link.open(psm: 0x80, at: .zero) }
    }

    @Test("However many channels are allowed, an LE link has CIDs for 64", .shows("L2CAP/LE/CFC/BV-29-C"))
    mutating func limitOfCIDs() throws {
        var configuration = L2CAPConfiguration()
        configuration.maxChannels = 1000
        link = L2CAPLink(role: .central, transport: .le, configuration: configuration)
        for _ in 0..<64 { #expect((0x40...0x7F).contains(try link.open(psm: 0x80, at: .zero).0.cid)) }
        #expect(throws: L2CAPError.noFreeChannel(most: 1000)) { try link.open(psm: 0x80, at: .zero) }
    }

    @Test("The CID of a closed channel is used again, its name is not")
    mutating func names() throws {
        let (first, _) = try link.open(psm: 0x80, at: .zero)
        _ = link.hear(refused(2))
        let (second, _) = try link.open(psm: 0x80, at: .zero)
        #expect(first.cid == second.cid && first != second)
        _ = link.hear(accepted(), identifier: 2)
        #expect(throws: L2CAPError.notOpen(first)) { try link.send(sdu: [1], on: first) }
        #expect(link.close(first, at: .zero).isEmpty)
    }

    @Test("A configuration without initial credits gives one as soon as the channel is open")
    mutating func noInitialCredits() throws {
        var configuration = L2CAPConfiguration()
        configuration.initialCredits = 0
        link = L2CAPLink(role: .central, transport: .le, configuration: configuration)
        _ = try link.open(psm: 0x80, at: .zero)
        #expect(link.hear(accepted()).commands == [.flowControlCredit(channel: 0x40, credits: 1)])
    }
}

import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Bridging that fails")
struct BridgingFailureTests {
    private typealias Bench = BridgingBench

    /// A failure on the way: the command, what becomes of it, and the text that the phone has for it.
    struct Case: Sendable, CustomTestStringConvertible {
        let opcode: UInt16
        let reply: ClassicAccessory.Reply
        let text: String

        init(_ opcode: UInt16, _ reply: ClassicAccessory.Reply, _ text: String) {
            (self.opcode, self.reply, self.text) = (opcode, reply, text)
        }

        var testDescription: String { text }
    }

    private static let accessory = ClassicAccessory(Bench.address, linkKey: nil)
    /// The controller's handle of the first link.
    private static let handle: [UInt8] = [0x01, 0x02]

    private static let cases: [Case] = [
        Case(
            0x0405, .refusal(.connectionLimit),
            "the controller refused Create Connection: the controller has no room for another connection (0x09)"),
        Case(
            0x0405, .events([accessory.connectionFailed(.pageTimeout)]),
            "no classic connection: the device did not answer the page (0x04)"),
        Case(
            0x0405, .events([accessory.connectionFailed(.limitedResources)]),
            "no classic connection: rejected for limited resources (0x0D)"),
        Case(
            0x0411, .refusal(.commandDisallowed),
            "the controller refused Authentication Requested: the command is not allowed now (0x0C)"),
        Case(
            0x0411, .events([[4, 0x06, 3, 0x22] + handle]),
            "the key of the pairing did not authenticate the classic link: the remote link layer did not answer in time "
                + "(0x22)"),
        Case(
            0x0413, .refusal(.unsupportedRemoteFeature),
            "the controller refused Set Connection Encryption: the remote device does not support the feature (0x1A)"),
        Case(
            0x0413, .events([[4, 0x08, 4, 0x25] + handle + [0]]),
            "the classic link was not encrypted: the encryption mode is not acceptable (0x25)"),
        Case(
            0x0413, .events([[4, 0x08, 4, 0] + handle + [0]]), "the encryption of the classic link was switched off"),
        Case(
            0x0413, .events([[4, 0x30, 3, 0x05] + handle]),
            "the classic link was not encrypted: authentication failed (0x05)"),
        Case(
            0x1408, .refusal(.unknownCommand),
            "the controller refused Read Encryption Key Size: the controller does not know the command (0x01)"),
    ]

    @Test("A refusal at any step is told in words, and leaves nothing behind", arguments: cases)
    func refusal(_ failing: Case) {
        var bench = Bench { $0.replies[failing.opcode] = failing.reply }
        let id = bench.bridge()
        #expect(bench.failure(id)?.description == failing.text)
        #expect(bench.accessory.parameters(of: 0x0406).count == (failing.opcode == 0x0405 ? 0 : 1))
        bench.expectFree()
    }

    @Test("Silence at any step ends after 20 s, and names the step", arguments: BridgingBench.order.dropLast())
    func silence(_ opcode: UInt16) {
        // Without an answer at all the controller is broken after 10 s; here it begins and never ends.
        let isCompleted = opcode == 0x040B || opcode == 0x1408
        var bench = Bench { $0.replies[opcode] = isCompleted ? .silence : .events([]) }
        let id = bench.bridge()
        if isCompleted {
            bench.air.advance(by: .seconds(10))
            guard case .failure(.controllerFailed)? = bench.air.result(0, id) else {
                Issue.record("\(String(describing: bench.air.result(0, id)))")
                return
            }
            return
        }
        bench.air.advance(by: .seconds(19))
        #expect(bench.air.result(0, id) == nil)
        bench.air.advance(by: .seconds(1))
        let steps: [UInt16: BridgingStep] = [0x0405: .connection, 0x0411: .authentication, 0x0413: .encryption]
        #expect(bench.failure(id) == steps[opcode].map { .timeout($0, .seconds(20)) })
        #expect(bench.accessory.opcodes.last == (opcode == 0x0405 ? 0x0408 : 0x0406))
        bench.expectFree()
    }

    @Test("A device that answers after the phone gave up the call loses its link at once")
    func lateAnswer() {
        var bench = Bench {
            $0.replies[0x0405] = .events([])
            $0.replies[0x0408] = .refusal(.connectionExists)
        }
        let id = bench.bridge()
        bench.air.advance(by: .seconds(20))
        #expect(bench.failure(id) == .timeout(.connection, .seconds(20)))
        bench.hear(bench.air.classic!.connected())  // every bench has an accessory
        #expect(bench.accessory.opcodes == [0x0405, 0x0408, 0x0406])
        bench.expectFree()
    }

    @Test("A call that the controller has forgotten is over")
    func forgottenCall() {
        var bench = Bench {
            $0.replies[0x0405] = .events([])
            $0.replies[0x0408] = .refusal(.unknownConnection)
        }
        _ = bench.bridge()
        bench.air.advance(by: .seconds(20))
        bench.expectFree()
    }

    @Test("The accessory has lost its key, or has another one")
    func keys() {
        var bench = Bench { $0.linkKey = nil }
        let lost = bench.bridge()
        #expect(bench.failure(lost) == .notAuthenticated(.keyMissing))
        bench.expectFree()
        bench = Bench { $0.linkKey = [UInt8](repeating: 1, count: 16) }
        let other = bench.bridge()
        #expect(bench.failure(other) == .notAuthenticated(.authenticationFailure))
        bench.expectFree()
    }

    @Test("A key of fewer than 7 bytes is refused before a channel is opened", arguments: [0, 1, 6, 7] as [UInt8])
    func keySize(_ size: UInt8) {
        var bench = Bench { $0.keySize = size }
        let id = bench.bridge()
        if size >= 7 {
            #expect(bench.link(id)?.keySize == Int(size))
        } else {
            #expect(bench.failure(id) == .keyTooShort(Int(size), least: 7))
            #expect(bench.accessory.received.isEmpty)
        }
        bench.expectFree()
    }

    @Test("The channel is refused, or the accessory is silent about it")
    func channel() {
        var bench = Bench()
        let refused = bench.bridge(psm: 0x1003)
        #expect(
            bench.failure(refused)?.description
                == "the classic channel at PSM 0x1003 did not open: PSM not supported (0x0002)")
        bench.expectFree()
        bench = Bench { $0.isDeaf = true }
        let silent = bench.bridge()
        bench.air.advance(by: .seconds(20))
        #expect(bench.failure(silent) == .timeout(.channel, .seconds(20)))
        bench.expectFree()
    }

    @Test("The link is lost at any step", arguments: BridgingBench.order.dropLast())
    func lostLink(_ opcode: UInt16) {
        guard opcode != 0x0405 else { return }
        let steps: [UInt16: BridgingStep] = [
            0x0411: .authentication, 0x040B: .authentication, 0x0413: .encryption, 0x1408: .keySize,
        ]
        var bench = Bench { $0.replies[opcode] = .silence }
        let id = bench.bridge()
        bench.loseLink()
        #expect(bench.failure(id) == steps[opcode].map { .linkLost($0, .connectionTimeout) })
        #expect(!bench.accessory.opcodes.contains(0x0406))
        #expect(bench.air.devices[0].stack.bridging.current == nil)
    }

    @Test("The encryption ends while the channel is being opened")
    func encryptionEnds() {
        var bench = Bench { $0.isDeaf = true }
        let id = bench.bridge()
        bench.hear(bench.accessory.encrypted(false))
        #expect(bench.failure(id) == .encryptionEnded)
        bench.expectFree()
    }

    @Test("Without a classic controller, a bond, a key or a public address nothing is called")
    func nothingToCall() {
        var bench = Bench(bond: nil)
        var id = bench.bridge()
        #expect(bench.failure(id) == .notBonded)
        #expect(bench.accessory.commands.isEmpty)
        bench = Bench(bond: Bench.bond(linkKey: nil))
        id = bench.bridge()
        #expect(bench.failure(id) == .noKey)
        #expect(bench.accessory.commands.isEmpty)
        bench = Bench(bond: Bench.bond(isRandom: true))
        id = bench.bridge()
        #expect(bench.failure(id) == .noPublicAddress(Bench.address))
        #expect(bench.accessory.commands.isEmpty)
        bench = Bench()
        id = bench.bridge(psm: 0x1002)
        guard case .failure(.invalid(let text))? = bench.air.result(0, id) else {
            Issue.record("\(String(describing: bench.air.result(0, id)))")
            return
        }
        #expect(text == "invalid PSM 0x1002" && bench.accessory.commands.isEmpty)
        var air = LocalAir(bonds: [Bench.bond()])
        id = air.perform(0, .bridge(Bench.address, psm: 1))
        guard case .failure(.bridging(.noClassicController))? = air.result(0, id) else {
            Issue.record("\(String(describing: air.result(0, id)))")
            return
        }
    }
}

import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Pairings of all capabilities")
struct PairingMatrixTests {
    /// Which methods follow from the capabilities, by the Core Specification 6.0, Vol 3, Part H, table 2.8.
    ///
    /// A row for each responder, a column for each initiator: DisplayOnly, DisplayYesNo, KeyboardOnly, NoInputNoOutput,
    /// KeyboardDisplay. J: Just Works, N: Numeric Comparison; who enters the passkey: I, R, B for both.
    private static let legacyTable = ["JJIJI", "JJIJI", "RRBJR", "JJJJJ", "RRIJR"]
    private static let secureTable = ["JJIJI", "JNIJN", "RRBJR", "JJJJJ", "RNIJN"]
    private static let capabilities: [PairingCapability] = [
        .displayOnly, .displayYesNo, .keyboardOnly, .noInputNoOutput, .keyboardDisplay,
    ]
    private static let methods: [Character: PairingMethod] = [
        "J": .justWorks, "N": .numericComparison, "I": .passkeyInitiatorEnters, "R": .passkeyResponderEnters,
        "B": .passkeyBothEnter,
    ]

    /// What the two ends support and ask for.
    struct Wishes: Sendable, CustomTestStringConvertible {
        var secure: (initiator: Bool, responder: Bool)
        var authenticated: (initiator: Bool, responder: Bool)

        var testDescription: String { "Secure Connections \(secure), authentication \(authenticated)" }

        static let all = [0, 1, 2, 3].flatMap { secure in
            [0, 1, 2, 3].map { authenticated in
                Wishes(
                    secure: (secure & 1 != 0, secure & 2 != 0),
                    authenticated: (authenticated & 1 != 0, authenticated & 2 != 0))
            }
        }
    }

    @Test("Two ends pair by the method of the specification's table, and have the same keys", arguments: Wishes.all)
    func pairs(wishes: Wishes) throws {
        let isSecure = wishes.secure.initiator && wishes.secure.responder
        for (column, initiatorCapability) in Self.capabilities.enumerated() {
            for (row, responderCapability) in Self.capabilities.enumerated() {
                let letter = Array((isSecure ? Self.secureTable : Self.legacyTable)[row])[column]
                let isAsked = wishes.authenticated.initiator || wishes.authenticated.responder
                let method = isAsked ? try #require(Self.methods[letter]) : .justWorks
                var initiator = PairingFeatures()
                initiator.capability = initiatorCapability
                initiator.supportsSecureConnections = wishes.secure.initiator
                initiator.asksForAuthentication = wishes.authenticated.initiator
                var responder = PairingFeatures()
                responder.capability = responderCapability
                responder.supportsSecureConnections = wishes.secure.responder
                responder.asksForAuthentication = wishes.authenticated.responder
                var pair = PairingPair(initiator, responder, seed: UInt64(row * 5 + column))
                pair.run()
                try check(pair, method: method, isSecure: isSecure)
            }
        }
    }

    private func check(_ pair: PairingPair, method: PairingMethod, isSecure: Bool) throws {
        let first = try #require(pair.result(.initiator), "\(String(describing: pair.end(.initiator)))")
        let second = try #require(pair.result(.responder), "\(String(describing: pair.end(.responder)))")
        for result in [first, second] {
            #expect(result.method == method)
            #expect(result.strength == Bond(isSecureConnections: isSecure, isAuthenticated: method != .justWorks))
            #expect(result.isBonded)
            #expect(result.keySize == 16)
            #expect(!result.usedDebugKey)
        }
        #expect(first.keys.peerKey != nil)
        #expect(first.keys.peerKey == second.keys.localKey)
        #expect(first.keys.localKey == second.keys.peerKey)
        #expect((first.keys.localKey == first.keys.peerKey) == isSecure)
        #expect(first.keys.linkKey == second.keys.linkKey)
        #expect((first.keys.linkKey != nil) == isSecure)
        #expect(first.keys.peerIdentity == PairingPair.identity(of: .responder))
        #expect(second.keys.peerIdentity == PairingPair.identity(of: .initiator))
        #expect(pair.compared(.initiator) == pair.compared(.responder))
        #expect((pair.compared(.initiator) != nil) == (method == .numericComparison))
        for session in pair.sessions.values {
            #expect(!session.isActive)
            #expect(session.deadline == nil)
        }
    }
}

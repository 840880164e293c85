import AccessorySetupKit
import BoardProtocol
import HILPhone
import HILTiming
import RadioModel
import TestSupport
import Testing

/// The prompts of a pairing that nobody on the phone has ended.
@Suite(.timeLimit(.minutes(1))) struct PairingPromptTests {
    private static let questions: [(RadioEvent, Screen.Kind)] = [
        (.askPairing(SetupStand.seven), .pairing), (.confirmPasskey(SetupStand.seven, passkey: 4711), .passkey),
        (.enterPasskey(SetupStand.seven), .passkeyEntry),
        (.showPasskey(SetupStand.seven, passkey: 4711), .passkeyDisplay),
    ]

    @Test("A pairing that fails while its prompt is shown closes the prompt", .covers("K12"), arguments: questions)
    func failure(_ question: RadioEvent, _ kind: Screen.Kind) async throws {
        let stand = try await SetupStand()
        stand.phone.person.isWilling = false
        stand.radio.emit(question)
        try await stand.screen(kind)
        stand.radio.emit(.pairingFailed(SetupStand.seven, reason: "the peer refused"))
        // What comes after it has been handled after it.
        stand.radio.emit(.mtuChanged(SetupStand.seven, 185))
        _ = try await stand.phone.log.first(within: .seconds(300), waitingFor: "the last event") {
            if case .radio(.mtuChanged) = $0.kind { true } else { false }
        }
        #expect(stand.phone.screen.isEmpty)
    }
}

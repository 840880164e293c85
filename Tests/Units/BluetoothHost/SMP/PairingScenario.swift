import RadioModel
import Testing

@testable import HILBluetoothHost

/// A pair of devices for each method of pairing.
struct PairingScenario: Sendable, CustomTestStringConvertible {
    var initiator = PairingFeatures()
    var responder = PairingFeatures()
    var method: PairingMethod

    var testDescription: String {
        "\(initiator.supportsSecureConnections ? "Secure Connections" : "legacy"), \(method.rawValue)"
    }

    init(
        _ method: PairingMethod, _ initiator: PairingCapability, _ responder: PairingCapability, isSecure: Bool
    ) {
        self.method = method
        self.initiator.capability = initiator
        self.responder.capability = responder
        self.initiator.supportsSecureConnections = isSecure
        self.initiator.initiatorKeys = .all
        self.initiator.responderKeys = .all
        self.responder.initiatorKeys = .all
        self.responder.responderKeys = .all
    }

    func pair(seed: UInt64 = 1) -> PairingPair { PairingPair(initiator, responder, seed: seed) }

    static let all: [PairingScenario] =
        [true, false].flatMap { isSecure in
            [
                PairingScenario(.justWorks, .keyboardDisplay, .noInputNoOutput, isSecure: isSecure),
                PairingScenario(.passkeyInitiatorEnters, .keyboardDisplay, .displayOnly, isSecure: isSecure),
                PairingScenario(.passkeyResponderEnters, .displayOnly, .keyboardDisplay, isSecure: isSecure),
                PairingScenario(.passkeyBothEnter, .keyboardOnly, .keyboardOnly, isSecure: isSecure),
            ]
        } + [PairingScenario(.numericComparison, .keyboardDisplay, .displayYesNo, isSecure: true)]

    static func all(secure isSecure: Bool) -> [PairingScenario] {
        all.filter { $0.initiator.supportsSecureConnections == isSecure }
    }

    /// Secure Connections pairings without a passkey.
    static let withoutPasskey = all(secure: true).filter { !$0.method.isPasskeyEntry }
    /// Secure Connections pairings with a passkey.
    static let withPasskey = all(secure: true).filter { $0.method.isPasskeyEntry }
}

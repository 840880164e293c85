import HILBluetoothHost
import RadioModel

// Pairing.
extension ConversationBuilder {
    mutating func takeSecurity(_ bytes: [UInt8], from side: Procedure.Side, at place: Place) {
        let command: SMPCommand
        do { command = try SMPCommand(bytes) } catch {
            return flaw("a command of the Security Manager of an unknown form", at: place)
        }
        switch command {
        case .securityRequest(let authentication):
            add(
                .securityRequest, by: side, "",
                [("authentication", ConversationBuilder.text(authentication)), ("answer", "none")], at: place)
        case .pairingRequest(let parameters):
            answersSecurityRequest("pairs", at: place)
            ongoing.pairing = add(.pairing, by: side, "", ConversationBuilder.values(of: parameters), at: place)
        case .pairingResponse(let parameters):
            let values = ConversationBuilder.values(of: parameters).map { ("\(side)'s \($0.0)", $0.1) }
            extend(ongoing.pairing, values, at: place)
        case .pairingFailed(let reason):
            if ongoing.pairing == nil { answersSecurityRequest("refuses: \(reason.name ?? "\(reason)")", at: place) }
            extend(
                ongoing.pairing, [("result", "failed: \(reason.name ?? "\(reason)"), said by the \(side)")], at: place)
            ongoing.pairing = nil
        case .publicKey: extend(ongoing.pairing, [("method", "LE Secure Connections")], at: place)
        case .pairingConfirm where procedure(ongoing.pairing)?["method"] == nil:
            extend(ongoing.pairing, [("method", "legacy")], at: place)
        default: extend(ongoing.pairing, at: place)
        }
    }

    /// The link is encrypted, or is not.
    mutating func encrypted(_ isOn: Bool, _ reason: String, at place: Place) {
        finish(.encryption, by: .phone, [("result", isOn ? "encrypted" : "failed: \(reason)")], at: place)
        guard isOn, let pairing = ongoing.pairing, procedure(pairing)?["result"] == nil else { return }
        extend(ongoing.pairing, [("result", "paired")], at: place)
    }

    /// The phone begins to encrypt the link.
    mutating func encrypts(at place: Place) {
        if ongoing.pairing == nil { answersSecurityRequest("encrypts with the key of the bond", at: place) }
        add(
            .encryption, by: .phone, "", [("key", ongoing.pairing == nil ? "of the bond" : "of the pairing")], at: place
        )
    }

    /// What the phone does after the accessory asked for security. It is noted once.
    private mutating func answersSecurityRequest(_ answer: String, at place: Place) {
        guard latest(.securityRequest)?["answer"] == "none" else { return }
        complete(.securityRequest, [("answer", answer)], at: place)
    }

    static func values(of parameters: PairingParameters) -> [(String, String)] {
        [
            ("capability", parameters.capability.rawValue),
            ("out-of-band data", parameters.hasOutOfBandData ? "yes" : "no"),
            ("authentication", text(parameters.authentication)), ("key size", "\(parameters.maximumKeySize)"),
            ("initiator's keys", text(parameters.initiatorKeys)), ("responder's keys", text(parameters.responderKeys)),
        ]
    }

    static func text(_ authentication: AuthenticationRequirements) -> String {
        let names: [(AuthenticationRequirements, String)] = [
            (.manInTheMiddle, "MITM"), (.secureConnections, "secure connections"), (.keypress, "keypress"),
            (.crossTransport2, "CT2"),
        ]
        let parts =
            (authentication.asksForBonding ? ["bonding"] : [])
            + names.filter { authentication.contains($0.0) }.map(\.1)
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }

    static func text(_ keys: KeyDistribution) -> String {
        let names: [(KeyDistribution, String)] = [
            (.encryption, "encryption"), (.identity, "identity"), (.signing, "signing"), (.link, "link"),
        ]
        let parts = names.filter { keys.contains($0.0) }.map(\.1)
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }
}

import RadioModel

// What the peer wants.
extension SecurityManager {
    /// Takes a packet of the Security Manager channel.
    package mutating func receive(_ packet: [UInt8], at now: Duration) -> [Output] {
        let overdue = advance(to: now)
        if isClosed { return overdue }
        if isPairing {
            if isCentral, case .securityRequest(let asked)? = try? SMPCommand(packet) {
                return overdue + takeSecurityRequest(asked, at: now)
            }
            return overdue + withSession(at: now) { $0.receive(packet, at: now) }
        }
        do throws(SMPCommand.Unreadable) {
            return overdue + take(try SMPCommand(packet), packet: packet, at: now)
        } catch {
            switch error {
            case .reservedCode(let code): return overdue + [.noticed("a packet with the reserved SMP code \(code)")]
            case .invalid(let malformed):
                let isRequest = !isCentral && packet.first == SMPCommand.Code.pairingRequest.rawValue
                return overdue
                    + answer(
                        stray: malformed.description,
                        with: isRequest ? answerToInvalidRequest : policy.strayCommand)
            }
        }
    }

    /// The answer to a Pairing Request with a value out of range; nil if the phone ignores requests.
    ///
    /// Source: Core Specification 6.0, Vol 3, Part H, 3.5.5.
    private var answerToInvalidRequest: PairingFailure? {
        guard (bond == nil ? policy.pairingRequest : policy.bondedPairingRequest) != .ignore else { return nil }
        if case .asking = state { return nil }
        return .invalidParameters
    }

    /// The answer to a packet of the Security Manager channel of BR/EDR, where this phone does not pair; nil if the
    /// packet is ignored.
    package static func answerOverClassic(_ packet: [UInt8]) -> [UInt8]? {
        guard let code = packet.first.flatMap({ SMPCommand.Code(rawValue: $0) }), code != .pairingFailed else {
            return nil
        }
        return SMPCommand.pairingFailed(.pairingNotSupported).bytes
    }

    private mutating func take(_ command: SMPCommand, packet: [UInt8], at now: Duration) -> [Output] {
        switch command {
        case .securityRequest(let asked) where isCentral: return takeSecurityRequest(asked, at: now)
        case .pairingRequest where !isCentral: return takePairingRequest(packet, at: now)
        case .securityRequest, .pairingRequest: return [send(.commandNotSupported), .noticed(wrongRole(command))]
        case .pairingFailed(let reason): return takeFailure(reason, at: now)
        default: return answer(stray: "an SMP \(command.code) outside a pairing", with: policy.strayCommand)
        }
    }

    private func wrongRole(_ command: SMPCommand) -> String {
        "a \(command.code) from the \(isCentral ? "peripheral" : "central")"
    }

    private mutating func takeSecurityRequest(_ asked: AuthenticationRequirements, at now: Duration) -> [Output] {
        switch state {
        case .closed: return []
        case .asking: return [.noticed("a Security Request while the person is asked")]
        case .pairing:
            guard case .refuse(let reason) = policy.pairing else {
                return [.noticed("a Security Request during a pairing")]
            }
            return withSession(at: now) { session in
                session.refuse(
                    reason, cause: .refused(reason), detail: "it sent a Security Request during a pairing")
            }
        case .encrypting: return follow(policy.encrypting, request: nil, at: now)
        case .idle, .requested: break
        }
        if let activeKey {
            let isEnough = asked.isMet(by: activeKey.strength)
            return follow(isEnough ? policy.encrypted : policy.weaklyEncrypted, request: nil, at: now)
        }
        guard let bond, bond.keys.key(for: .initiator) != nil else {
            return follow(policy.unpaired, request: nil, at: now)
        }
        return follow(asked.isMet(by: bond.strength) ? policy.bonded : policy.weaklyBonded, request: nil, at: now)
    }

    private mutating func takePairingRequest(_ packet: [UInt8], at now: Duration) -> [Output] {
        switch state {
        case .asking: return [.noticed("a second Pairing Request while the person is asked")]
        // This device asked for it.
        case .requested:
            let outputs = follow(.pair, request: packet, at: now)
            // A central with the key encrypts instead.
            guard bond != nil, activeKey == nil else { return outputs }
            return [.noticed("the central pairs again: it has lost the key of the bond, or wants another one")]
                + outputs
        default:
            let answer = bond == nil ? policy.pairingRequest : policy.bondedPairingRequest
            return follow(answer, request: packet, at: now)
        }
    }

    private mutating func takeFailure(_ reason: PairingFailure, at now: Duration) -> [Output] {
        let step: PairingStep
        switch state {
        case .asking: step = .consent
        case .requested: step = .askingForSecurity
        default: return [.noticed("a Pairing Failed outside a pairing: \(reason)")]
        }
        state = .idle
        let end = PairingEnd(.refused(reason), by: .peer, while: step)
        attempts.note(end, at: now)
        return [.failed(end)]
    }

    /// - Parameter request: The Pairing Request; nil for a Security Request.
    private mutating func follow(_ answer: SecurityPolicy.Answer, request: [UInt8]?, at now: Duration) -> [Output] {
        let what = request == nil ? "a Security Request" : "a Pairing Request"
        switch answer {
        case .ignore: return [.noticed("\(what), ignored")]
        case .refuse(let reason): return [send(reason), .noticed("\(what), refused: \(reason)")]
        case .encrypt:
            let outputs = encryptWithBond(at: now)
            return outputs.isEmpty ? [.noticed("\(what), without a key to encrypt with")] : outputs
        case .ask, .pair: break
        }
        if attempts.isWaiting(at: now) {
            return [send(.repeatedAttempts), .noticed("\(what) too soon after a failed pairing")]
        }
        if case .encrypting = state { return [.noticed("\(what) while the link is being encrypted")] }
        if answer == .pair { return startPairing(hasConsent: false, with: request, at: now) }
        state = .asking(request: request, deadline: now + setup.features.timeout)
        return [.askConsent]
    }

    private func answer(stray text: String, with reason: PairingFailure?) -> [Output] {
        guard let reason else { return [.noticed(text)] }
        return [send(reason), .noticed(text)]
    }

    private func send(_ reason: PairingFailure) -> Output { .send(SMPCommand.pairingFailed(reason).bytes) }
}

extension AuthenticationRequirements {
    /// Whether a key of this strength is enough.
    fileprivate func isMet(by strength: Bond) -> Bool {
        if contains(.manInTheMiddle) && !strength.isAuthenticated { return false }
        return !contains(.secureConnections) || strength.isSecureConnections
    }
}

import HILBluetoothHost
import RadioModel

// Who pairs, and with which keys.
extension AuditCheck {
    /// The lengths of keys that must be refused, in bytes.
    private static let shortKeys = [7, 15]
    /// How often a stranger guesses.
    private static let guesses = 20

    static let pairing = [
        AuditCheck("pairing.legacy", .new) { scene in
            let (stranger, device) = try await scene.approach(.stranger { $0.supportsSecureConnections = false })
            let received = await stranger.watchPairing()
            _ = await stranger.pair(with: device)
            let codes = received.events.compactMap(\.first)
            scene.note("to a request without LE Secure Connections it answered \(words(codes))")
            // It goes on with its confirm value, whether or not the stranger then knows its number.
            guard codes.contains(SMPCommand.Code.pairingConfirm.rawValue) else { return .holds }
            return .breached("it pairs by legacy pairing, whose key a listener can compute")
        },
        AuditCheck("pairing.keySize", .new) { scene in
            for size in shortKeys {
                let (stranger, device) = try await scene.approach(.stranger { $0.maximumKeySize = size })
                let pairing = await stranger.pair(with: device)
                if scene.hasPaired(pairing, "with a key of \(size) bytes") {
                    return .breached("it takes a key of \(size) bytes")
                }
                await stranger.leave()
            }
            return .holds
        },
        AuditCheck("pairing.debugKey", .new) { scene in
            let (stranger, device) = try await scene.approach(.stranger { $0.usesDebugKey = true })
            let pairing = await stranger.pair(with: device)
            guard scene.hasPaired(pairing, "with the key of the debug mode") else { return .holds }
            return .breached("it takes the public key of the debug mode, whose private key everybody knows")
        },
        AuditCheck("pairing.invalidKey", .new) { scene in
            let (stranger, device) = try await scene.approach()
            // The point (x, 0) is not on the curve (CVE-2018-5383).
            let received = await stranger.watchPairing { code, bytes in
                code == .publicKey ? Array(bytes.prefix(33)) + [UInt8](repeating: 0, count: 32) : nil
            }
            _ = await stranger.pair(with: device)
            let codes = received.events.compactMap(\.first)
            scene.note("to a public key that is no point of the curve it answered \(words(codes))")
            let goesOn = codes.contains(SMPCommand.Code.pairingConfirm.rawValue)
            return goesOn ? .breached("it goes on with a public key that is no point of the curve") : .holds
        },
        AuditCheck("pairing.reflectedKey", .new) { scene in
            var keys: [[UInt8]] = []
            for _ in 0..<2 {
                let (stranger, device) = try await scene.approach()
                let received = await stranger.watchPairing()
                _ = await stranger.pair(with: device, .refuses)
                keys += received.events.filter { $0.first == SMPCommand.Code.publicKey.rawValue }.map {
                    Array($0.dropFirst())
                }
                await stranger.leave()
            }
            guard keys.count == 2 else { return .doesNotApply("it sends no public key") }
            guard keys[0] == keys[1] else {
                scene.note("its public key is another one at each pairing, so that nobody can reflect it")
                return .holds
            }
            scene.note("its public key was the same at two pairings")
            return .breached("it uses one key pair for all pairings, so that a stranger can reflect its public key")
        },
        AuditCheck("pairing.withoutPerson", .new) { scene in
            let (stranger, device) = try await scene.approach(.stranger { $0.hidesItself() })
            let pairing = await stranger.pair(with: device)
            guard scene.hasPaired(pairing, "without showing or entering anything") else { return .holds }
            if scene.expectations.display == .nothing { return .doesNotApply("it shows and asks nothing, as declared") }
            return .breached("a stranger who says that it has no screen pairs without an act of a person")
        },
        AuditCheck("pairing.capabilities", .new) { scene in
            let (stranger, device) = try await scene.approach()
            let received = await stranger.watchPairing()
            _ = await stranger.pair(with: device, .refuses)
            let response = received.events.first {
                $0.first == SMPCommand.Code.pairingResponse.rawValue && $0.count > 1
            }
            guard let code = response?[1], let capability = PairingCapability(code: code) else {
                return .doesNotApply("it does not pair")
            }
            scene.note("it says \(capability.rawValue)")
            let fits: Set<PairingCapability> =
                switch scene.expectations.display {
                case .nothing: [.noInputNoOutput]
                case .number: [.displayOnly, .displayYesNo, .keyboardDisplay]
                case .keyboard: [.keyboardOnly, .keyboardDisplay]
                }
            guard !fits.contains(capability) else { return .holds }
            let shown = scene.expectations.display
            return .breached("it says \(capability.rawValue), and the team declares that it shows: \(shown.rawValue)")
        },
        AuditCheck("pairing.guesses", .new) { scene in
            var failed = 0
            for number in 0..<guesses {
                let (stranger, device) = try await scene.approach(.stranger { $0.capability = .keyboardOnly })
                let pairing = await stranger.pair(with: device, .enters(UInt32(number)))
                await stranger.leave()
                guard pairing.wasAsked else { return .doesNotApply("it shows no number that a stranger could guess") }
                if scene.hasPaired(pairing, "with the guess \(number)") {
                    return .breached("the number is \(number), which a stranger guessed")
                }
                if case .refused(.repeatedAttempts)? = pairing.end?.cause { return .holds }
                failed += 1
            }
            scene.note("\(failed) wrong guesses in a row were each answered at once")
            return .breached("a stranger may guess as often as it likes")
        },
        AuditCheck("pairing.fixedNumber", .new) { scene in
            let numbers: [UInt32] = [0, 123_456, 111_111, 1_234, 999_999, 654_321]
            for number in numbers {
                let (stranger, device) = try await scene.approach(.stranger { $0.capability = .keyboardOnly })
                let pairing = await stranger.pair(with: device, .enters(number))
                await stranger.leave()
                guard pairing.wasAsked else { return .doesNotApply("it shows no number that a stranger could know") }
                if scene.hasPaired(pairing, "with the number \(digits(number))") {
                    return .breached("its number is always \(digits(number))")
                }
            }
            return .holds
        },
        AuditCheck("pairing.whenSetUp", .setUp) { scene in
            if scene.expectations.pairsWhenSetUp == .always {
                return .doesNotApply("it pairs with everybody at any time, as declared")
            }
            // Who shows a number asks the owner to compare it, and that is an act.
            let stranger = try await scene.appear(.stranger { $0.hidesItself() })
            guard let heard = try await scene.hear(by: stranger) else { return .holds }
            try await stranger.connect(to: heard.device.address)
            let pairing = await stranger.pair(with: heard.device.address)
            guard scene.hasPaired(pairing, "with the accessory that is set up, without showing anything") else {
                return .holds
            }
            return .breached("a stranger pairs with it although it is set up, without an act of its owner")
        },
    ]

    private static func digits(_ number: UInt32) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 6 - text.count)) + text
    }

    private static func words(_ codes: [UInt8]) -> String {
        codes.map { SMPCommand.Code(rawValue: $0).map { "\($0)" } ?? "code \($0)" }.joined(separator: ", ")
    }
}

extension PairingFeatures {
    /// It says that it can neither show nor enter anything, so that pairing just works.
    fileprivate mutating func hidesItself() {
        capability = .noInputNoOutput
        asksForAuthentication = false
    }
}

import HILBluetoothHost
import HILTiming
import RadioModel

// Who pairs, and with which keys.
extension AuditCheck {
    /// The lengths of keys that must be refused, in bytes.
    private static let shortKeys = [7, 15]

    static let pairing = [
        AuditCheck("pairing.legacy", .new) { scene in
            let (stranger, device) = try await scene.approach(.stranger { $0.supportsSecureConnections = false })
            let received = await stranger.watchPairing()
            let pairing = try await stranger.pair(with: device)
            scene.note("to a request without LE Secure Connections it answered \(received.words)")
            // It goes on with its confirm value, whether or not the stranger then knows its number.
            guard received.codes.contains(.pairingConfirm) else { return AuditFinding.refusal(pairing, received) }
            return .breached("it pairs by legacy pairing, whose key a listener can compute")
        },
        AuditCheck("pairing.keySize", .new) { scene in
            for size in shortKeys {
                let (stranger, device) = try await scene.approach(.stranger { $0.maximumKeySize = size })
                let received = await stranger.watchPairing()
                let pairing = try await stranger.pair(with: device, .refuses)
                await stranger.leave()
                scene.note("to a request for a key of \(size) bytes it answered \(received.words)")
                if received.refusal == .encryptionKeySize { continue }
                // Whether or not its person then agrees: the size is settled before the first key.
                guard received.codes.contains(.publicKey) || received.codes.contains(.pairingConfirm) else {
                    if case .holds = AuditFinding.refusal(pairing, received) { continue }
                    return AuditFinding.refusal(pairing, received)
                }
                return .breached("it takes a key of \(size) bytes")
            }
            return .holds
        },
        AuditCheck("pairing.debugKey", .new) { scene in
            let (stranger, device) = try await scene.approach(.stranger { $0.usesDebugKey = true })
            let received = await stranger.watchPairing()
            let pairing = try await stranger.pair(with: device)
            scene.note("to the key of the debug mode it answered \(received.words)")
            guard received.codes.contains(.pairingConfirm) else { return AuditFinding.refusal(pairing, received) }
            return .breached("it takes the public key of the debug mode, whose private key everybody knows")
        },
        AuditCheck("pairing.invalidKey", .new) { scene in
            let (stranger, device) = try await scene.approach()
            // The point (x, 0) is not on the curve (CVE-2018-5383).
            let received = await stranger.watchPairing { code, bytes in
                code == .publicKey ? Array(bytes.prefix(33)) + [UInt8](repeating: 0, count: 32) : nil
            }
            let pairing = try await stranger.pair(with: device)
            scene.note("to a public key that is no point of the curve it answered \(received.words)")
            return received.codes.contains(.pairingConfirm)
                ? .breached("it goes on with a public key that is no point of the curve")
                : AuditFinding.refusal(pairing, received)
        },
        AuditCheck("pairing.reflectedKey", .new) { scene in
            var keys: [[UInt8]] = []
            for _ in 0..<2 {
                let (stranger, device) = try await scene.approach()
                let received = await stranger.watchPairing()
                _ = try await stranger.pair(with: device, .refuses)
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
            let received = await stranger.watchPairing()
            let mark = scene.told.mark
            let pairing = try await stranger.pair(with: device)
            guard scene.hasPaired(pairing, "without showing or entering anything") else { return .holds }
            if await scene.personHasAgreed(since: mark, received) { return .holds }
            if scene.expectations.display == .nothing { return .doesNotApply("it shows and asks nothing, as declared") }
            return .breached("a stranger who says that it has no screen pairs without an act of a person")
        },
        AuditCheck("pairing.capabilities", .new) { scene in
            let (stranger, device) = try await scene.approach()
            let received = await stranger.watchPairing()
            _ = try await stranger.pair(with: device, .refuses)
            guard let capability = received.capability else { return .doesNotApply("it does not pair") }
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
        AuditCheck("pairing.ownersBond", .setUp) { scene in
            guard let (device, owner) = try await scene.ownersBond() else {
                return .doesNotApply("its owner has no bond with it")
            }
            let other = try await scene.appear()
            if let heard = try await scene.hear(by: other) {
                try await other.connect(to: heard.device.address)
                let received = await other.watchPairing()
                let mark = scene.told.mark
                let hasPaired = scene.hasPaired(
                    try await other.pair(with: heard.device.address), "with a number, as another phone")
                await other.leave()
                if hasPaired, try await !scene.ownersKeyWorks(with: device) {
                    if await scene.personHasAgreed(since: mark, received) {
                        return .doesNotApply("its person let another phone take the place of its owner's")
                    }
                    return .breached("another phone that pairs ends the bond of its owner")
                }
            } else {
                await other.leave()
            }
            for (habits, how) in [
                (HostPersonality.stranger { $0.hidesItself() }, "without a number"), (.stranger, "with a number"),
            ] {
                let stranger = try await scene.appear(habits)
                guard let heard = try await scene.hear(by: stranger) else {
                    await stranger.leave()
                    break
                }
                // The address of its identity comes with its keys, and nothing proves it.
                _ = await stranger.watchPairing { code, bytes in
                    code == .identityAddressInformation ? [bytes[0], 0] + owner.bytes.reversed() : nil
                }
                try await stranger.connect(to: heard.device.address)
                let pairing = try await stranger.pair(with: heard.device.address)
                _ = scene.hasPaired(pairing, "\(how), as \(owner)")
                await stranger.leave()
            }
            guard try await scene.ownersKeyWorks(with: device) else {
                return .breached("a stranger who says that it is \(owner) ends the bond of its owner")
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
            let received = await stranger.watchPairing()
            let mark = scene.told.mark
            let pairing = try await stranger.pair(with: heard.device.address)
            guard scene.hasPaired(pairing, "with the accessory that is set up, without showing anything"),
                await !scene.personHasAgreed(since: mark, received)
            else { return .holds }
            return .breached("a stranger pairs with it although it is set up, without an act of its owner")
        },
    ]
}

extension AuditFinding {
    /// What it shows that an accessory has not gone on with a pairing.
    ///
    /// - Parameter received: What came to the stranger's security manager.
    static func refusal(_ pairing: Stranger.Pairing, _ received: EventLog<[UInt8]>) -> AuditFinding {
        refusal(pairing.end, hasAnswered: received.codes.contains(.pairingResponse))
    }

    /// - Parameter hasAnswered: Whether it has answered with a Pairing Response.
    static func refusal(_ end: PairingEnd?, hasAnswered: Bool) -> AuditFinding {
        hasAnswered && end?.cause == .timeout ? .waitsForItsPerson : .holds
    }

    static let waitsForItsPerson = outOfReach(
        "it began to pair, and waited for its person until time ran out",
        instead: "let somebody agree at the accessory while it is checked")
}

import Foundation

// Pairing, encryption and addresses.
extension Lessons {
    mutating func learnPairing() {
        for pairing in byPhone(.pairing) {
            guard let capability = pairing["capability"], let authentication = pairing["authentication"],
                let size = pairing["key size"], let given = pairing["initiator's keys"],
                let wanted = pairing["responder's keys"], let first = capability.first
            else { continue }
            let bits = Set(authentication.components(separatedBy: ", "))
            let name = first.lowercased() + capability.dropFirst()
            let expression = [
                "PairingHabits(",
                "    capability: .\(name), bonds: \(bits.contains("bonding")), authenticates: \(bits.contains("MITM")),",
                "    isSecure: \(bits.contains("secure connections")), tellsKeypresses: \(bits.contains("keypress")),",
                "    supportsH7: \(bits.contains("CT2")), keySize: \(size), givenKeys: [\(Lessons.keys(given))],",
                "    wantedKeys: [\(Lessons.keys(wanted))])",
            ].joined(separator: "\n")
            add(
                "pairing", expression,
                "\(capability), authentication \(authentication), keys \(given), from the accessory \(wanted)", pairing)
            if pairing["out-of-band data"] == "yes" {
                observe("it has out-of-band data of the accessory", pairing)
            }
            if let result = pairing["result"], result != "paired" { observe("its pairing \(result)", pairing) }
        }
    }

    private static func keys(_ text: String) -> String {
        text == "none" ? "" : text.components(separatedBy: ", ").map { ".\($0)" }.joined(separator: ", ")
    }

    mutating func learnSecurity() {
        var isPaired = false
        let used = Set(usedLinks)
        for link in links {
            let all = onLink(link)
            let isWhole = isWhole(link)
            let asked = all.first { $0.kind == .securityRequest && $0.side == .accessory }
            let encryption = all.first { $0.kind == .encryption }
            if let encryption, encryption["key"] == "of the bond", asked.map({ $0.frame > encryption.frame }) ?? true {
                add("encryptsAtOnce", "true", "it encrypts a link with the key of the bond, unasked", encryption)
            } else if isPaired, encryption == nil, isWhole, let begin = all.first, used.contains(link) {
                add("encryptsAtOnce", "false", "it uses a link to a paired accessory unencrypted", begin)
            }
            if let asked, let answer = asked["answer"], answer != "none" || isWhole {
                observe("after the accessory's Security Request it \(answer == "none" ? "goes on" : answer)", asked)
            }
            if let asked, !isPaired, !isBonded(link) {
                let pairs = all.contains { $0.kind == .pairing && $0.side == .phone && $0.frame > asked.frame }
                if !pairs, !isWhole { continue }
                add(
                    "pairsOnSecurityRequest", "\(pairs)",
                    "it \(pairs ? "pairs" : "does not pair") after a Security Request",
                    asked)
            }
            if all.contains(where: { $0.kind == .pairing && $0["result"] == "paired" }) { isPaired = true }
        }
    }

    mutating func learnAddresses() {
        for link in conversation.all(.connection) {
            guard let kind = link["phone's address"] else { continue }
            add("hasPrivateAddress", "\(kind == "resolvable and private")", "its address is \(kind)", link)
            if kind == "random and static" {
                observe("its address is random and static; the rig's phone has a public one", link)
            }
        }
        let changes = conversation.all(.address).filter { $0["kind"] == "resolvable and private" }
        let gaps = zip(changes, changes.dropFirst()).map { ($1, $1.time - $0.time) }.filter { $0.1 >= 60_000_000_000 }
        if let (change, gap) = gaps.min(by: { $0.1 < $1.1 }) {
            let seconds = (gap + 500_000_000) / 1_000_000_000
            add("addressLifetime", ".seconds(\(seconds))", "a new address after \(seconds) s", change)
        }
    }
}

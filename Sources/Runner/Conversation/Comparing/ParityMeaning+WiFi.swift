// Wi-Fi.
extension ParityMeaning {
    static func ofWiFiValue(_ procedure: Procedure, _ value: String) -> String? {
        switch (procedure.kind, value) {
        case (.probe, _): "the accessory's access point may answer one of them otherwise, or later"
        case (.authentication, "algorithm"):
            "one of them uses WPA3 (SAE), the other does not: an access point must offer what each needs"
        case (.authentication, "form"):
            "an access point that knows one form of SAE only refuses the other phone: WPA3 needs both, 6 GHz hash to element"
        case (.authentication, "groups"): "the access point must know the group, or refuse it so that another is tried"
        case (.authentication, _): "one of them is let in otherwise: look at the status, and at the password"
        case (.association, "protection"), (.association, "cipher"), (.association, "group cipher"):
            "the link is protected otherwise: the access point must offer both, or one of them does not join"
        case (.association, "protected management frames"):
            "an access point that requires protected management frames, or cannot do them, refuses one of them"
        case (.association, "result"): "the access point let only one of them in: look at the status"
        case (.association, _): "the access point's driver meets other rates, standards or elements"
        case (.enterpriseLogin, _): "the server must offer a method that each knows"
        case (.handshake, "result"):
            "one of them has no keys: after message 2 the passphrase is wrong, after message 3 the access point was not heard"
        case (.handshake, _): "the access point must know both forms of the handshake"
        case (.addressLease, "begins with"):
            "a phone that comes back asks for its old address at once: the server must answer a Request without a Discover"
        case (.addressLease, "options asked for"), (.addressLease, "options"):
            "the server meets other options; one that it must answer may be missing"
        case (.addressLease, "result"): "only one of them has an address"
        case (.addressLease, _): "a server that tells phones apart by this value treats them otherwise"
        case (.nameQuery, _), (.serviceQuery, _):
            "the accessory's DNS must answer each type, or say at once that there is none"
        case (.webRequest, _): "a portal that looks at this value answers one of them otherwise"
        case (.connectionToPort, _): "the accessory's server took only one of them"
        case (.leaving, _): "firmware that acts on the reason acts differently"
        default: nil
        }
    }

    static func ofWiFiMissing(_ kind: Procedure.Kind, isMore: Bool) -> String? {
        let (one, other) = isMore ? ("second", "first") : ("first", "second")
        return switch kind {
        case .network: "the \(other) capture begins after the network was there, or does not hear it"
        case .probe:
            "the \(other) waits for beacons: a hidden network, or one with few beacons, is found later or never"
        case .authentication, .association: "the \(other) does not try this: count the attempts, and what ends each"
        case .handshake: "the \(other) has no keys for this link, or needs none"
        case .enterpriseLogin: "only the \(one) logs in with a name"
        case .groupKey: "the link of the \(other) was too short for it"
        case .addressLease: "the \(other) asks for no address here: it has one, or gives up before"
        case .nameQuery, .webRequest:
            "firmware with a portal, or without internet, meets this question from the \(one) only: iPhones check for one"
        case .serviceQuery: "only the \(one) looks for this service"
        case .connectionToPort: "only the \(one) opens it: the app, or the system, asks for something else"
        case .leaving: "the \(other) stays, or the capture ends before"
        default: nil
        }
    }
}

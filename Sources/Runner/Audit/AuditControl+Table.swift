// The controls of an audit: those of chapter families, and each of BSAM's 36 once.
extension AuditControl {
    static let air = [
        AuditControl(
            .air, "modes", "Only the modes of Bluetooth are on that the accessory needs", bsam: "DI-01",
            radio: ["GEC-2", "GEC-5"], consumer: ["5.6-1"]),
        AuditControl(
            .air, "signal", "Its signal reaches no further than its use needs", bsam: "DI-02", radio: ["GEC-2"],
            .outOfReach(
                "nothing here measures how far its signal reaches",
                instead: "measure it outdoors, or in a chamber, at several metres")),
        AuditControl(
            .air, "name", "Its name tells of no person and of no single device", bsam: "DI-03",
            consumer: ["5.6-2"]),
        AuditControl(
            .air, "data", "Its advertisements carry no secret of its owner, and no number for pairing",
            bsam: "DI-04", radio: ["SCM-3"], consumer: ["5.6-2", "5.5-6"]),
        AuditControl(
            .air, "identifier", "Its advertisements have nothing that outlives a change of its address",
            consumer: ["5.6-2"]),
        AuditControl(
            .air, "whenSetUp", "Once set up, it does not offer itself to strangers", bsam: "DI-05", radio: ["GEC-2"],
            consumer: ["5.6-2"]),
        AuditControl(
            .air, "privateAddress", "Its address is private: only who has a bond can know it again when it changes",
            bsam: "DI-06",
            consumer: ["5.6-2"]),
    ]

    static let pairing = [
        AuditControl(
            .pairing, "whenSetUp", "Once set up, it pairs with nobody without an act of its owner", bsam: "PA-01",
            radio: ["ACM-2", "AUM-1-1"], consumer: ["5.5-4"]),
        AuditControl(
            .pairing, "capabilities", "It says what it can show and enter as it is", bsam: "PA-02",
            radio: ["AUM-2-1"], consumer: ["5.1-3"]),
        AuditControl(
            .pairing, "outOfBand", "Its out-of-band channel is safe", bsam: "PA-03", radio: ["AUM-3"],
            .outOfReach(
                "no channel but radio is in the rig",
                instead: "read what is printed, shown, or sent by NFC, twice, on two devices")),
        AuditControl(
            .pairing, "legacy", "It refuses legacy pairing", bsam: "PA-04", radio: ["CRY-1", "SCM-3"],
            consumer: ["5.5-1"]),
        AuditControl(
            .pairing, "withoutPerson", "Nobody pairs without an act of a person", bsam: "PA-05",
            radio: ["AUM-1-1"], consumer: ["5.5-4"]),
        AuditControl(
            .pairing, "fixedNumber", "The number to compare or enter is another one each time", bsam: "PA-06",
            radio: ["AUM-5-1", "CCK-3"], consumer: ["5.1-1"]),
        AuditControl(
            .pairing, "predictableNumber", "Nobody can tell the next number from those before", bsam: "PA-07",
            radio: ["AUM-5-1", "CCK-2"], consumer: ["5.1-2"]),
        AuditControl(
            .pairing, "ownersBond", "A stranger who pairs, also by the owner's name, does not end the owner's bond",
            bsam: "PA-08", radio: ["ACM-2", "AUM-4"], consumer: ["5.5-5"]),
        AuditControl(
            .pairing, "shortNumber", "The number has six digits, and uses them", bsam: "PA-09", radio: ["AUM-5-1"],
            consumer: ["5.1-2"]),
        AuditControl(
            .pairing, "storage", "It keeps its keys where nobody reads them", bsam: "PA-10", radio: ["SSM-3"],
            consumer: ["5.4-1"],
            .outOfReach(
                "a radio does not show memory", instead: "read the flash, or its protection, through the debug port")),
        AuditControl(
            .pairing, "methodConfusion", "It takes a number only by the method that it shows", radio: ["AUM-3"],
            consumer: ["5.1-3"],
            .outOfReach(
                "only a person sees whether its screen says what the number is for",
                instead: "look at its screen in both methods: comparing must not look like entering")),
        AuditControl(
            .pairing, "reflectedKey", "It refuses its own public key", radio: ["CRY-1", "AUM-3"],
            consumer: ["5.5-1"]),
        AuditControl(
            .pairing, "invalidKey", "It refuses a public key that is no point of the curve", radio: ["CRY-1"],
            consumer: ["5.5-1"]),
        AuditControl(
            .pairing, "debugKey", "It refuses the key of the debug mode", radio: ["CCK-1", "CRY-1"],
            consumer: ["5.5-1"]),
        AuditControl(
            .pairing, "keySize", "It refuses keys shorter than 16 bytes", bsam: "EN-03", radio: ["CCK-1", "CRY-1"],
            consumer: ["5.5-1"]),
        AuditControl(
            .pairing, "guesses", "Guessing a number takes ever longer", radio: ["AUM-6"], consumer: ["5.1-5"]),
        AuditControl(
            .pairing, "roleSwitch", "It refuses a change of roles before authentication", bsam: "AU-01",
            radio: ["AUM-3"], .classicLinkManager),
        AuditControl(
            .pairing, "mutual", "Both ends of a classic link prove who they are", bsam: "AU-02",
            radio: ["AUM-3"], .classicLinkManager),
        AuditControl(
            .pairing, "encryptionRoleSwitch", "It refuses a change of roles before encryption", bsam: "EN-01",
            radio: ["SCM-3"], .classicLinkManager),
    ]

    static let access = [
        AuditControl(
            .access, "matrix", "Each attribute is open to those whom the team names, and to nobody else",
            bsam: "SE-03", "EN-02", radio: ["ACM-1", "ACM-2", "SCM-3"], consumer: ["5.5-4", "5.5-5"]),
        AuditControl(
            .access, "hidden", "There is no attribute that discovery does not show", bsam: "SE-02",
            radio: ["GEC-2", "GEC-4"], consumer: ["5.6-1"]),
        AuditControl(
            .access, "classicServices", "There is no classic service that discovery does not show", bsam: "SE-01",
            radio: ["GEC-2"],
            .outOfReach(
                "the attacker's controller has no classic discovery",
                instead: "scan the ports of L2CAP and RFCOMM with a classic adapter")),
        AuditControl(
            .access, "replay", "A write that a stranger repeats does nothing", bsam: "AP-05", radio: ["SCM-4"],
            consumer: ["5.5-1"]),
        AuditControl(
            .access, "reconnection", "What needs encryption is not served on a new link without it",
            radio: ["SCM-3", "ACM-2"], consumer: ["5.5-5"]),
        AuditControl(
            .access, "forcedEnd", "A stranger with the phone's address does not end the phone's link", bsam: "AU-03",
            radio: ["RLM-1"], consumer: ["5.9-1"],
            .outOfReach(
                "virtual controllers know a link by its two addresses, so that two devices with one address are one",
                instead: "connect with a second adapter that has the phone's address, while the phone is connected")),
        AuditControl(
            .access, "injection", "Packets that are injected into a link are refused", bsam: "AP-06",
            radio: ["SCM-2"],
            .outOfReach(
                "an attacker's controller sends no frame on a foreign link",
                instead: "try InjectaBLE with a board that times single frames")),
    ]

    static let robustness = [
        AuditControl(
            .robustness, "attributes", "It survives any packets of the attribute protocol, and serves its owner",
            radio: ["GEC-6", "RLM-1"], consumer: ["5.13-1"]),
        AuditControl(
            .robustness, "channels", "It survives any packets of L2CAP, and serves its owner",
            radio: ["GEC-6", "RLM-1"], consumer: ["5.13-1"]),
        AuditControl(
            .robustness, "security", "It survives any packets of the security manager, and serves its owner",
            radio: ["GEC-6", "RLM-1"], consumer: ["5.13-1"]),
        AuditControl(
            .robustness, "lengths", "It takes values of every length as its service says",
            radio: ["GEC-6"], consumer: ["5.13-1"]),
        AuditControl(
            .robustness, "longWrites", "Prepared writes without end cost it nothing", radio: ["GEC-6", "RLM-1"],
            consumer: ["5.13-1"]),
        AuditControl(
            .robustness, "occupied", "Strangers who connect and do nothing do not lock its owner out",
            radio: ["RLM-1"], consumer: ["5.9-1"]),
        AuditControl(
            .robustness, "connections", "A thousand connections cost it nothing", radio: ["RLM-1"],
            consumer: ["5.9-3"]),
        AuditControl(
            .robustness, "advertisements", "It survives any advertisements that it hears", radio: ["GEC-6"],
            consumer: ["5.13-1"]),
        AuditControl(
            .robustness, "ports", "Its ports for DHCP, DNS and HTTP survive any packets", radio: ["GEC-6", "RLM-1"],
            consumer: ["5.13-1"]),
    ]

    static let wifi = [
        AuditControl(
            .wifi, "open", "Its own network is not open", radio: ["SCM-1", "SCM-3"], consumer: ["5.5-1", "5.5-6"]),
        AuditControl(
            .wifi, "passphrase", "Its passphrase is no default, and nothing on the air tells it",
            radio: ["AUM-5-1", "CCK-3"], consumer: ["5.1-1", "5.1-2"]),
        AuditControl(
            .wifi, "security", "Its own network has WPA2 or better", radio: ["CRY-1", "SCM-3"],
            consumer: ["5.5-1"]),
        AuditControl(
            .wifi, "protectedFrames", "Management frames of its network are protected", radio: ["SCM-2", "RLM-1"],
            consumer: ["5.9-1"]),
        AuditControl(
            .wifi, "wps", "Wi-Fi Protected Setup is off", radio: ["AUM-6", "GEC-2"], consumer: ["5.1-5", "5.6-1"]),
        AuditControl(
            .wifi, "isolation", "Stations of its network do not reach each other", radio: ["GEC-2"],
            consumer: ["5.6-1"]),
        AuditControl(
            .wifi, "replay", "A repeated message of the handshake sets no key again", radio: ["SCM-4"],
            consumer: ["5.5-1"]),
        AuditControl(
            .wifi, "services", "It opens the ports that the team names, and no others",
            radio: ["GEC-2", "GEC-4"], consumer: ["5.6-1", "5.6-5"]),
        AuditControl(
            .wifi, "tls", "Its servers speak TLS 1.2 or later, and nothing weaker", radio: ["CRY-1", "SCM-3"],
            consumer: ["5.5-1", "5.5-7"]),
        AuditControl(
            .wifi, "certificates", "It refuses a server with a false certificate", radio: ["AUM-3", "SCM-2"],
            consumer: ["5.5-7"]),
        AuditControl(
            .wifi, "credentials", "The home's credentials are in the clear nowhere: air, logs, advertisements",
            radio: ["SCM-3", "SSM-3"], consumer: ["5.5-6", "5.8-2"]),
    ]

    static let life = [
        AuditControl(
            .life, "reset", "A factory reset leaves no bond, no network and no value that its owner wrote",
            radio: ["DLM-1"],
            consumer: ["5.11-1"]),
        AuditControl(
            .life, "powerCut", "A power cut at any moment of the set-up leaves the old state or the new one",
            radio: ["RLM-1", "SSM-2"], consumer: ["5.9-2"],
            .outOfReach(
                "a check tries one moment, and this needs all of them",
                instead: "`hil explore SCENARIO --fault powerCut` tries each moment of the journey")),
        AuditControl(
            .life, "owners", "Who owned it before has no access once it has a next owner",
            radio: ["DLM-1", "ACM-2"], consumer: ["5.11-1"]),
    ]

    static let paper = [
        AuditControl(
            .paper, "controllerLife", "The controller is supported", bsam: "IG-01", radio: ["GEC-1"], .documents),
        AuditControl(
            .paper, "controllerWeaknesses", "The controller has no known weakness", bsam: "IG-02", radio: ["GEC-1"],
            .documents),
        AuditControl(
            .paper, "stackWeaknesses", "The host stack has no known weakness", bsam: "IG-03", radio: ["GEC-1"],
            .documents),
        AuditControl(
            .paper, "bluetoothVersion", "The Bluetooth version has no known weakness", bsam: "IG-04", radio: ["GEC-1"],
            .documents),
        AuditControl(
            .paper, "controllerUpdates", "The controller's firmware can be updated", bsam: "AP-01", radio: ["SUM-1"],
            consumer: ["5.3-2"], .documents),
        AuditControl(
            .paper, "stackUpdates", "The host stack can be updated", bsam: "AP-02", radio: ["SUM-1"],
            consumer: ["5.3-2"],
            .documents),
        AuditControl(
            .paper, "applicationUpdates", "The application can be updated", bsam: "AP-03", radio: ["SUM-1"],
            consumer: ["5.3-2"], .documents),
        AuditControl(
            .paper, "signedUpdates", "Only signed updates are taken", bsam: "AP-04", radio: ["SUM-2"],
            consumer: ["5.3-7", "5.3-10"], .documents),
        AuditControl(
            .paper, "services", "The services' own protocols are safe", bsam: "AP-07", radio: ["GEC-6"],
            consumer: ["5.13-1"], .documents),
    ]
}

extension AuditControl.Reach {
    fileprivate static let classicLinkManager = AuditControl.Reach.outOfReach(
        "an attacker's controller does not show the link manager of classic Bluetooth",
        instead: "try BIAS and KNOB with a board whose firmware can be patched")
    fileprivate static let documents = AuditControl.Reach.outOfReach(
        "nothing on the air shows it", instead: "take it from the maker's documents")
}

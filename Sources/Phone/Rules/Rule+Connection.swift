extension Rule {
    /// The rules for an accessory that was set up: CoreBluetooth and Wi-Fi.
    static let connection: [Rule] = [
        Rule(
            "C1", [.seed, .seen],
            """
            With AccessorySetupKit declared there is no permission prompt; the state is poweredOn only with an \
            authorised accessory, else poweredOff.
            """),
        Rule(
            "C2", [.seed],
            """
            Scanning returns authorised accessories only.
            """),
        Rule(
            "C3", [.seed, .seen],
            """
            `retrievePeripherals(withIdentifiers:)` finds an authorised accessory by `bluetoothIdentifier`; an \
            identifier that the app is not authorised for ends the app [crash]. That of a removed accessory gives nothing \
            until the app has handled `accessoryRemoved`.
            """),
        Rule(
            "C4", [.seed],
            """
            Connect, discover, read, write with and without response, notify, disconnect, over the air; the \
            negotiated MTU is what `maximumWriteValueLength` reports.
            """),
        Rule(
            "C5", [.inferred],
            """
            The identifier stays the same while the accessory changes its private address.
            """),
        Rule(
            "C6", [.header],
            """
            Bluetooth switched off, accessory removed, link lost: state and callbacks are as CoreBluetooth \
            documents them.
            """),
        Rule(
            "C7", [.header],
            """
            An accessory that changes its services while it is connected: `didModifyServices` names those that are no \
            longer valid, and discovery finds the new ones.
            """),
        Rule(
            "C8", [.header],
            """
            `CBPeripheralManager` publishes services of the phone and advertises them; other devices read, write and \
            subscribe, and the app answers.
            """),
        Rule(
            "C9", [.header],
            """
            L2CAP channels over LE: the app opens one at an accessory's port, or publishes a port of the phone; bytes go \
            both ways in order.
            """),
        Rule(
            "C10", [.seen],
            """
            An accessory that lost its bond: connecting fails with peerRemovedPairingInformation, without a second try. \
            The phone keeps its own bond until the person forgets the accessory.
            """),
        Rule(
            "C11", [.seen],
            """
            `CBPeripheral.name` is the name that the phone read over the last link (Device Name, 2A00), whatever is \
            advertised; before the first link it is the advertised one. `peripheralDidUpdateName` reports a change.
            """),
        Rule(
            "C12", [.seen, .open],
            """
            The phone keeps the services of an accessory that has no Service Changed, even without a bond, until the \
            accessory is removed: an app sees the old ones. With Service Changed, it sees the new ones.
            """),
        Rule(
            "C13", [.header],
            """
            An app in the background is suspended: its requests are carried out when it is awake again. An attempt to \
            connect that it left continues. With `bluetooth-central` in UIBackgroundModes, an event of its accessory \
            wakes it for about 10 s. A scan in the background has to name services, and reports each peripheral once.
            """),
        Rule(
            "C14", [.header],
            """
            Connection parameters are accepted within the limits of Apple's Accessory Design Guidelines; others cause a \
            warning, and the phone keeps its own. A link may end when they change.
            """),
        Rule(
            "C15", [.seen],
            """
            The phone's own services: Device Information for everybody; Battery and Current Time over an encrypted link.
            """),
        Rule(
            "C16", [.header],
            """
            Apple Notification Center Service: a bonded accessory hears of each notification, asks for its texts, and may \
            clear it.
            """),
        Rule(
            "C17", [.seed],
            """
            The phone's address is private. It changes with time, and when Bluetooth is switched on; an accessory that has \
            paired knows the phone by its identity resolving key.
            """),
        Rule(
            "C18", [.seen],
            """
            The phone itself asks for its longest attribute packets: 527 bytes to accessories with Data Length Extension, \
            185 to others. It pairs as KeyboardDisplay with bonding, protection against \
            a man in the middle and Secure Connections, and gives and takes the keys for encryption and identity. It never \
            has out-of-band data.
            """),
        Rule(
            "C19", [.seen],
            """
            A pairing in which no number is compared asks the person, unless she has picked the accessory in a picker. If \
            she refuses, the accessory hears Pairing Failed and the app gets the attribute's error.
            """),
        Rule(
            "C20", [.header],
            """
            After the system has ended an app, a central manager with the same restore identifier gets `willRestoreState`: \
            the scan, and the peripherals that were connected or connecting, with their services, characteristics, \
            descriptors and subscriptions.
            """),
        Rule(
            "C21", [.header],
            """
            `retrieveConnectedPeripherals` and connection events are about the peripherals that are connected to the \
            phone, whoever connected them, as far as the app may use them. Such a peripheral may not advertise.
            """),
        Rule(
            "C22", [.seen, .open],
            """
            Each peripheral manager of an app has its own services and state, but only the first that advertises is on the \
            air; the next one follows when it stops. A service of the system's own is refused with uuidNotAllowed. For an \
            app with AccessorySetupKit the state is unauthorized [it is].
            """),
        Rule(
            "C23", [.header, .seen, .open],
            """
            Share System Notifications: the person is asked, for each accessory, when it subscribes to the Notification \
            Source [then]. Without her permission subscriptions succeed, nothing is notified, and a command is refused with \
            Write Not Permitted. Settings changes the answer: `ancsAuthorized`, and the delegate hears it. Deleting the \
            bond forgets it.
            """),
        Rule(
            "C24", [.header, .open],
            """
            A connection with `CBConnectPeripheralOptionRequiresANCS` pairs, asks the person to share notifications, and is \
            made when she agrees [it waits without a limit].
            """),
        Rule(
            "C25", [.seen],
            """
            What waits for a peripheral's answer when the link ends gets no callback: `didDisconnectPeripheral` is all that \
            the app hears. A request that the peripheral does not answer within 30 s fails with `unknown`, and the phone \
            ends the link.
            """),
        Rule(
            "W1", [.seed],
            """
            `NEHotspotConfiguration` by SSID, passphrase or prefix; no prompt for an accessory that was set up, \
            a prompt for any other network.
            """),
        Rule(
            "W2", [.header],
            """
            Bad SSID or passphrase (8 to 63 characters, or 64 hexadecimal digits): the matching error at once.
            """),
        Rule(
            "W3", [.header],
            """
            Wrong passphrase, network gone, refusal by the person: the old network back.
            """),
        Rule(
            "W4", [.seed],
            """
            Open, Enhanced Open, WPA, WPA2, WPA3, mixed, hidden, WPA2-Enterprise by EAP-TLS, EAP-TTLS and PEAP; an address \
            by DHCP; the accessory answers on it. WPA3 without protected management frames is refused; WPA2/WPA3 without \
            them is joined by WPA2.
            """),
        Rule(
            "W5", [.header],
            """
            `joinOnce` until the app ends or is in the background for 15 s, `lifeTimeInDays`, \
            `removeConfiguration(forSSID:)`, `getConfiguredSSIDs`, alreadyAssociated.
            """),
        Rule(
            "W6", [.open],
            """
            Wi-Fi switched off: the phone leaves the network, an attempt to join fails, and a scan finds nothing. When \
            Wi-Fi is on again, the phone joins the network that it was on [it does].
            """),
        Rule(
            "W7", [.header],
            """
            `NWConnection` over TCP: data both ways, each direction ends separately, a refused connection waits until \
            `restart()`, and one whose network is lost fails with ECONNABORTED.
            """),
        Rule(
            "W8", [.seed, .seen, .open],
            """
            The first use of Bonjour asks the person for the local network [a connection to an address does not]; refused, a \
            browser and a listener's service wait with PolicyDenied (-65570), and a connection to an address with ENETDOWN \
            and `localNetworkDenied`. A service type that is not in \
            NSBonjourServices fails with NoAuth (-65555). Listening alone needs no permission. While the person is asked, a \
            request of `URLSession` fails at once [it does], unless it waits for connectivity; a connection waits.
            """),
        Rule(
            "W9", [.header],
            """
            `NWBrowser` finds services of a type by Bonjour, with their TXT records if asked, and reports what is added, \
            changed and removed; `NWConnection` connects to such a service by its name.
            """),
        Rule(
            "W10", [.header],
            """
            `NWListener` accepts TCP connections on the phone's network, and offers a service there by Bonjour: a name \
            that is taken gets a number, or is an error with `noAutoRename`.
            """),
        Rule(
            "W11", [.inferred],
            """
            The name of a network is UTF-8; one that is not is read as Windows-1252, and joined by its bytes.
            """),
        Rule(
            "W12", [.header, .seen],
            """
            `NWConnection` speaks TLS 1.2 and 1.3. A server that neither the app (`sec_protocol_options_set_verify_block`) nor \
            the phone trusts gets the alert “certificate unknown”, and the connection waits with errSSLBadCert (-9808). \
            This phone has no root certificates, so it trusts no server itself.
            """),
        Rule(
            "W13", [.header],
            """
            An app's `URLSession` uses only the network that the phone has joined. Its errors, for closures, delegates and \
            asynchronous methods, tell apart no network (`notConnectedToInternet`, -1009), a host that refuses \
            (`cannotConnectToHost`, -1004), a connection that is lost (`networkConnectionLost`, -1005) and a host that does \
            not answer (`timedOut`, -1001).
            """),
        Rule(
            "W14", [.header],
            """
            App Transport Security: `URLSession` speaks HTTP without TLS to names that end with .local or have no dot only with \
            NSAllowsLocalNetworking, to other names only with an exception, and to addresses of the local network always.
            """),
        Rule(
            "W15", [.header, .open],
            """
            `NWConnection` and `NWListener` over UDP: each complete content is a datagram, and so is each message received; a peer \
            whose port is closed fails the connection with ECONNREFUSED [it does]. Datagrams by broadcast or multicast need the \
            entitlement com.apple.developer.networking.multicast, or the connection waits with EHOSTUNREACH.
            """),
        Rule(
            "W16", [.header],
            """
            `NEHotspotNetwork.fetchCurrent` and `CNCopyCurrentNetworkInfo` name the network that the phone is on to an app \
            that has the entitlement `com.apple.developer.networking.wifi-info` and has configured this network itself; \
            to another app they give nil. Location, VPN and DNS settings, the other grounds, are not simulated.
            """),
        Rule(
            "W17", [.header, .seen, .open],
            """
            `apply` succeeds when the configuration is stored, whether or not the network is near; the person is told if it \
            cannot be joined, and only `fetchCurrent` tells the app [it completes after the attempt].
            """),
        Rule(
            "W18", [.open],
            """
            A network of an app that was lost or not near, and comes, is joined by itself [from 4 s on], also on another \
            channel; not one of `joinOnce`, nor one that refused the passphrase.
            """),
        Rule(
            "W19", [.seen],
            """
            A network with TKIP, by WPA or WPA2, is joined, with the warning “Weak Security”.
            """),
        Rule(
            "W20", [.header, .open],
            """
            The connections of an app that is suspended end with ECONNABORTED [they do]; the app hears of it when it is awake \
            again.
            """),
        Rule(
            "W21", [.open],
            """
            A network that the person joined in Settings is known to the phone: whenever it is on no network, it looks for the \
            known ones and joins the strongest [every second]. Apps are not asked. Apple says only that the phone joins known \
            networks automatically (support.apple.com/102169).
            """),
    ]
}

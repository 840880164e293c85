import HIL
import HILURLLoading
import Network

/// An app's first request meets a permission for the local network that nobody has given yet. The person is asked, and
/// the request fails at once with “no internet connection”; the second try works, so nobody finds it at a desk. A
/// session that waits for connectivity waits for the answer.
///
/// Report: https://github.com/partout-io/passepartout/issues/1492
let firstRequestIsAnswered = Scenario(
    "An app's first request to a lamp is answered when the person has allowed the local network",
    .tags("field", .wifi), .covers("W8", "W13"), over: AppVersion.axis
) { lab, version in
    _ = try await lab.joinedLamp()
    lab.phone.policy.asksForAddresses = true
    let router = try lab.require(lab.phone.network.link?.router, "the phone is on the lamp's network")
    let page = try lab.require(URL(string: "http://\(router)/"), "the lamp's address")
    let configuration = URLSessionConfiguration.ephemeral
    if version == .mended { configuration.waitsForConnectivity = true }
    let session = URLSession(configuration: configuration)
    let mark = lab.phone.log.mark
    try await lab.expect(version, "the first request is answered") {
        try await lab.step("load", within: .seconds(20)) { try await session.isLoaded(page) }
    }
    try await lab.phone.log.next(.note(containing: "may use it"), since: mark)
    lab.expect(try await session.isLoaded(page), "the second one is, in any case")
    lab.expect(
        lab.phone.shownScreens.map(\.kind), equals: [.joinNetwork, .localNetworkPermission],
        "the person was asked once")
}

/// An app offers a service whose type is not among its NSBonjourServices, and never looks for it: the system refuses
/// the service without asking the person, so there is no switch in Settings either. One that declares the type and looks
/// for it first is asked about.
///
/// Report: https://github.com/MyNamesEMurray/LensLink/pull/39
let offerIsFound = Scenario(
    "A lamp finds the service that an app offers", .tags("field", .wifi), .covers("W8", "W10"), over: AppVersion.axis
) { lab, version in
    let (lamp, _) = try await lab.joinedLamp()
    let type = version == .broken ? "_undeclared._tcp" : "_gadgets._tcp"
    let search = version == .broken ? nil : BrowserProbe(.bonjour(type: type, domain: nil))
    try await search?.reach(.ready)
    let offer = ListenerProbe(
        try NWListener(service: NWListener.Service(name: "Gadgets", type: type), using: .tcp)
    ) { Data("You said: ".utf8) + $0 }
    try await lab.expect(version, "the lamp reaches the app") {
        if version == .mended { _ = try await offer.registered.first(within: .seconds(15), waitingFor: "the service") }
        do {
            return try await lamp.exchange(Data("hello".utf8), withService: "Gadgets", type: type)
                == Data("You said: hello".utf8)
        } catch is RadioError { return false }
    }
    let noAuth = NWListener.State.failed(.dns(DNSServiceErrorType(kDNSServiceErr_NoAuth)))
    lab.expect(offer.states.events.contains(noAuth), equals: version == .broken, "the listener fails with NoAuth")
    lab.expect(
        lab.phone.shownScreens.map(\.kind).contains(.localNetworkPermission), equals: version == .mended,
        "the person is asked about a declared type, and not about another")
}

/// The person takes the permission back in Settings. The app shows no lamp and gives no reason, because its browser
/// waits and does not fail; the person resets the lamp. An app that reads the reason says where the switch is.
///
/// Report: https://github.com/superuser404notfound/Sodalite/issues/92
let refusalIsExplained = Scenario(
    "A person who has taken the permission for the local network back finds the lamp again", .tags("field", .wifi),
    .covers("W8", "W9"), over: AppVersion.axis
) { lab, version in
    _ = try await lab.joinedLamp { $0.bonjour = [HomeLamp.service] }
    let app = LampFinder(explains: version == .mended)
    try await app.shown.next(.event(.lamp), within: .seconds(15))
    // The person has forgotten it when the app is next used.
    lab.phone.localNetworkAccess.set(false, for: GadgetApp.bundle.identifier)
    app.lookAgain()
    try await app.shown.next(.event(version == .broken ? .nothing : .switchInSettings), within: .seconds(15))
    let mark = app.shown.mark
    // The person does what the app says.
    if app.shown.events.contains(.switchInSettings) {
        lab.phone.localNetworkAccess.set(true, for: GadgetApp.bundle.identifier)
    }
    try await lab.expect(version, "the person sees the lamp again") {
        do {
            try await app.shown.next(.event(.lamp), since: mark, within: .seconds(6))
            return true
        } catch is TimedOut { return false }
    }
}

extension URLSession {
    /// Whether a page is loaded; false without a network, or without the permission for it.
    fileprivate func isLoaded(_ page: URL) async throws -> Bool {
        do { return try await data(from: page).0 == Data("on".utf8) } catch let error as URLError {
            guard error.code == .notConnectedToInternet else { throw error }
            return false
        }
    }
}

import HILBluetoothHost
import HILPhone
import HILTiming
import RadioModel

// What anybody hears.
extension AuditCheck {
    /// How long a stranger listens for what changes in advertisements.
    private static let listening = Duration.seconds(2)

    static let air = [
        AuditCheck("air.whenSetUp", .setUp) { scene in
            let stranger = try await scene.appear()
            guard let heard = try await scene.hear(by: stranger) else { return .holds }
            scene.note("once set up it advertises as \(heard.advertisement.name.map { "“\($0)”" } ?? "nameless")")
            if scene.expectations.pairsWhenSetUp == .always {
                return .doesNotApply("it offers itself at any time, as declared")
            }
            // Its owner has to find it again. What counts is whether it says so to everybody.
            guard heard.advertisement.name != nil || !heard.advertisement.serviceUUIDs.isEmpty else { return .holds }
            return .breached("once set up it still tells everybody its name and services")
        },
        AuditCheck("air.modes", .new) { scene in
            let stranger = try await scene.appear()
            let heard = try await stranger.hear()
            switch heard.advertisement.mayHaveClassic {
            case nil: return .doesNotApply("its advertisement has no flags")
            case true?: return .breached("its flags do not say that it has no classic Bluetooth")
            case false?: return .holds
            }
        },
        AuditCheck("air.name", .new) { scene in
            let stranger = try await scene.appear()
            let heard = try await stranger.hear()
            guard let name = heard.advertisement.name else { return .doesNotApply("it advertises no name") }
            scene.note("it advertises as “\(name)”")
            return TellingName(name).what.map { .breached("its name “\(name)” tells \($0)") } ?? .holds
        },
        AuditCheck("air.data", .setUp) { scene in
            let stranger = try await scene.appear()
            let heard = try await scene.hear(by: stranger)
            let data = try await scene.advertisedData(by: heard == nil ? nil : stranger)
            var secrets: [(what: String, bytes: [UInt8])] = []
            let home = scene.lab.homeNetwork
            if home.wasOpened {
                secrets += [("the home network's passphrase", home.passphrase), ("the home network's name", home.ssid)]
                    .map { ($0, Array($1.utf8)) }
            }
            secrets += scene.shownNumbers.map { ("the number that it shows for pairing", ShownNumbers.text($0)) }.map {
                ($0, Array($1.utf8))
            }
            scene.note(
                "\(data.map(\.count).reduce(0, +)) bytes of names and data were searched for \(secrets.count) secrets")
            if let told = secrets.first(where: { secret in
                !secret.bytes.isEmpty && data.contains { $0.contains(secret.bytes) }
            }) {
                return .breached("its advertisement has \(told.what) in the clear")
            }
            let isAsked = EventPattern<PhoneEvent, Void>("a question for the accessory's number") {
                if case .radio(.enterPasskey) = $0.kind { () } else { nil }
            }
            if scene.shownNumbers.isEmpty, scene.lab.phone.log.contains(isAsked) { return .untoldNumber }
            return secrets.isEmpty
                ? .doesNotApply(
                    "nothing here knows a secret of it: its owner gave it no network, and it tells no number")
                : .holds
        },
        AuditCheck("air.identifier", .setUp) { scene in
            let stranger = try await scene.appear()
            guard let heard = try await scene.hear(by: stranger) else { return .holds }
            guard heard.address.isRandom, heard.address.address.bytes[0] & 0xC0 != 0xC0 else {
                return .doesNotApply("its address itself does not change")
            }
            let advertised = SteadyData(try await stranger.listen(for: listening).map(\.advertisement))
            if let address = await scene.lab.phone.bondedDevices.first,
                advertised.parts.contains(where: {
                    $0.contains(address.bytes) || $0.contains(Array(address.bytes.reversed()))
                })
            {
                return .breached("its advertisement has its address in the clear, which its private addresses hide")
            }
            scene.note("it has at most \(advertised.words) beside its private address")
            guard advertised.steadyBytes >= SteadyData.telling else { return .holds }
            return .outOfReach(
                "it has \(advertised.words) beside its private address, and one device does not show whether each device "
                    + "has others",
                instead:
                    "compare the advertisements of two devices: what differs and stays must change with the address")
        },
        AuditCheck("air.privateAddress", .setUp) { scene in
            let stranger = try await scene.appear()
            guard let heard = try await scene.hear(by: stranger) else { return .holds }
            let address = heard.address
            guard address.isRandom else {
                return .breached(
                    "its address \(address.address) is public and never changes, so that it can be followed")
            }
            // The two highest bits are set (Core Specification 6.0, Vol 6, Part B, 1.3.2.1).
            guard address.address.bytes[0] & 0xC0 != 0xC0 else {
                return .breached("its address \(address.address) is static, so that it can be followed")
            }
            scene.note("its address \(address.address) is private; how often it changes was not waited for")
            return .holds
        },
    ]
}

extension AuditScene {
    /// How long a stranger listens for the answers to its scan requests.
    private static let listening = Duration.seconds(1)

    /// The names and the data of the accessory's advertisements and scan responses: those that a stranger hears now, and on a
    /// simulated air those of the set-up, too.
    ///
    /// - Parameter stranger: Nil if it does not advertise now.
    fileprivate func advertisedData(by stranger: Stranger?) async throws -> Set<[UInt8]> {
        var data: Set<[UInt8]> = []
        if let stranger {
            for heard in try await stranger.listen(for: Self.listening) {
                data.formUnion(SteadyData.parts(of: heard.advertisement))
                data.insert(Array((heard.advertisement.name ?? "").utf8))
            }
        }
        guard !isOnBench, !isOfPhone else { return data }
        for advertised in AdvertisingData.all(byAccessoriesIn: try await capture()) {
            data.formUnion(advertised.manufacturerData.values.map(Array.init))
            data.formUnion(advertised.serviceData.values.map(Array.init))
            data.insert(Array((advertised.name ?? "").utf8))
        }
        return data
    }
}

/// What a name tells beside the kind of a device.
struct TellingName {
    private let name: String

    /// So many digits with a letter among them tell one device from another: the end of an address.
    private static let suffixLength = 4
    /// So many decimal digits do: fewer are a model or a year.
    private static let serialLength = 6

    init(_ name: String) { self.name = name }

    /// In words that follow “tells”; nil for nothing.
    var what: String? {
        if name.contains("'s ") || name.contains("’s ") { return "of a person" }
        // An address has colons.
        let runs = name.split { !$0.isHexDigit && $0 != ":" }
        let serial = runs.first { run in
            let digits = run.filter(\.isHexDigit)
            guard digits.contains(where: \.isNumber) else { return false }
            return digits.count >= (digits.allSatisfy(\.isNumber) ? TellingName.serialLength : TellingName.suffixLength)
        }
        return serial.map { "a single device by “\($0)”" }
    }
}

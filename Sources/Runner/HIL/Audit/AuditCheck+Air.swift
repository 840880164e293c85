import HILBluetoothHost
import RadioModel

// What anybody hears.
extension AuditCheck {
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
            guard let heard = try await scene.hear(by: stranger) else { return .holds }
            let advertisement = heard.advertisement
            var secrets: [(what: String, bytes: [UInt8])] = []
            let home = scene.lab.homeNetwork
            if home.wasOpened {
                secrets += [("the home network's passphrase", home.passphrase), ("the home network's name", home.ssid)]
                    .map {
                        ($0, Array($1.utf8))
                    }
            }
            if heard.address.isRandom, let address = await scene.lab.phone.bondedDevices.first {
                secrets += [("its address", address.bytes), ("its address", address.bytes.reversed())]
            }
            let parts =
                advertisement.manufacturerData.values.map(Array.init) + advertisement.serviceData.values.map(Array.init)
                + [Array((advertisement.name ?? "").utf8)]
            scene.note(
                "\(parts.map(\.count).reduce(0, +)) bytes of name and data were searched for \(secrets.count) secrets")
            let told = secrets.first { secret in !secret.bytes.isEmpty && parts.contains { $0.contains(secret.bytes) } }
            return told.map { .breached("its advertisement has \($0.what) in the clear") } ?? .holds
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

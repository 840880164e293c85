import AccessorySetupKit
import CoreBluetooth
import HIL
import NetworkExtension

let lampAsDataIsUsed = Scenario(
    "An accessory as data is picked, paired, read and written, and notifies, without its own program",
    .tags(.smoke, .pairing), .covers("K1", "K11", "C4")
) { lab in
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp()
    let brightness = try peripheral.found("FF01")
    lab.expect(brightness.properties, equals: [.read, .write, .notify], "the declared properties are discovered")
    peripheral.readValue(for: brightness)
    try await probe.next(.value(Data([50]), nil))
    peripheral.discoverDescriptors(for: brightness)
    try await probe.next(.descriptors(nil))
    let label = try lab.require(
        brightness.descriptors?.first { $0.uuid == CBUUID(string: "2901") }, "the description is discovered")
    peripheral.readValue(for: label)
    try await probe.next(.descriptor("Brightness in percent"))

    peripheral.writeValue(Data([80]), for: brightness, type: .withResponse)
    try await probe.next(.written(nil))
    lab.expect(
        try await lamp.events.next(.written(lamp.place(of: "FF01"))), equals: Data([80]), "the lamp got the write")
    lab.expect(try await lamp.value(of: "FF01"), equals: Data([80]), "the board keeps the written value")

    peripheral.setNotifyValue(true, for: brightness)
    try await probe.next(.notifying(true, nil))
    try await lamp.events.next(.subscription(true))
    try await lamp.notify([7], of: "FF01")
    try await probe.next(.value(Data([7]), nil))

    let name = Data("Reading lamp".utf8)
    peripheral.writeValue(name, for: try peripheral.found("FF02"), type: .withResponse)
    try await probe.next(.written(nil))
    peripheral.readValue(for: try peripheral.found("FF02"))
    try await probe.next(.value(name, nil))
    let bond = try await lamp.events.next(.bonded)
    lab.expect(bond.isSecureConnections && bond.isAuthenticated, "the number was compared")
    lab.expect([try await lamp.events.next(.compares)], equals: lab.phone.shownNumbers, "both showed the same number")
}

let lampHasItsOwnTable = Scenario(
    "An accessory as data has its own Device Information only, and includes services that come later in its table",
    .tags(.pairing), .covers("C4")
) { lab in
    let information = CBUUID(string: "180A")
    let declared = Peripheral.lamp { lamp in
        lamp.services[0].included = ["FF20", "180A"]
        lamp.services += [
            .service("180A", [.characteristic("2A29", .read, value: Array("Example".utf8))]),
            .service("FF20", [.characteristic("FF21", .read, value: [1])], including: ["180A"]),
        ]
        // More than ten, in their order.
        lamp.services[0].characteristics += (0x30...0x3A).map {
            .characteristic("FF\(String($0, radix: 16))", .read, value: [UInt8($0)])
        }
    }
    let (_, _, probe, peripheral) = try await lab.connectedLamp(declared, pairing: false)
    let found = (peripheral.services ?? []).filter { $0.uuid == information }
    lab.expect(
        found.map { $0.characteristics?.map(\.uuid) }, equals: [[CBUUID(string: "2A29")]], "one, with its own value")
    let service = try lab.require(
        peripheral.services?.first { $0.uuid == CBUUID(string: GadgetApp.service) }, "the lamp's own service is found")
    lab.expect(
        service.characteristics?.map(\.uuid.uuidString),
        equals: ["FF01", "FF02"] + (0x30...0x3A).map { "FF\(String($0, radix: 16).uppercased())" },
        "its characteristics are in their order")
    peripheral.discoverIncludedServices(nil, for: service)
    try await probe.next(.includedServices(nil))
    lab.expect(
        service.includedServices?.map(\.uuid.uuidString).sorted(), equals: ["180A", "FF20"],
        "both included services are found")
}

let lampAnswersBySchedule = Scenario(
    "An accessory as data notifies on schedule, and the scenario answers reads and writes",
    .tags(.pairing), .covers("C4")
) { lab in
    let declared = Peripheral.lamp { lamp in
        lamp.services[0].characteristics += [
            .characteristic(
                "FF03", .notify, schedule: .every(.milliseconds(100), [Data([1]), Data([2])])),
            .characteristic("FF04", [.read, .write])
                .onRead { Data("\($0.mtu > 23)".utf8) }
                .onWrite { access, value in
                    guard value != Data([0]) else { throw AccessRefusal(0x81) }
                    try await access.peripheral.notify([value[0], 99], of: "FF01")
                },
            .characteristic("FF05", [.read]).onRead { _ in throw AccessRefusal(0x08) },
        ]
    }
    let (_, _, probe, peripheral) = try await lab.connectedLamp(declared, pairing: false)
    let ticks = try peripheral.found("FF03")
    peripheral.setNotifyValue(true, for: ticks)
    try await probe.next(.notifying(true, nil))
    for value: UInt8 in [1, 2, 1] { try await probe.next(.value(Data([value]), nil)) }
    peripheral.setNotifyValue(false, for: ticks)
    try await probe.next(.notifying(false, nil))

    let answered = try peripheral.found("FF04")
    peripheral.readValue(for: answered)
    try await probe.next(.value(Data("true".utf8), nil))
    peripheral.writeValue(Data([0]), for: answered, type: .withResponse)
    try await probe.next(.written(0x81))
    peripheral.setNotifyValue(true, for: try peripheral.found("FF01"))
    try await probe.next(.notifying(true, nil))
    peripheral.writeValue(Data([5]), for: answered, type: .withResponse)
    try await probe.next(.value(Data([5, 99]), nil))
    peripheral.readValue(for: try peripheral.found("FF05"))
    try await probe.next(.value(Data(), CBATTError.insufficientAuthorization.rawValue))
}

/// The ways to pair an accessory with a phone.
private enum Comparison: String, CaseIterable {
    case numericComparison, showsPasskey, entersPasskey, justWorks
    case legacyShowsPasskey, legacyEntersPasskey, legacyJustWorks

    var pairing: PeripheralPairing {
        switch self {
        case .numericComparison: .numericComparison
        case .showsPasskey: .showsPasskey
        case .entersPasskey: .entersPasskey
        case .justWorks: .justWorks
        case .legacyShowsPasskey: .showsPasskey.legacy
        case .legacyEntersPasskey: .entersPasskey.legacy
        case .legacyJustWorks: .justWorks.legacy
        }
    }

    var isAuthenticated: Bool { self != .justWorks && self != .legacyJustWorks }
}

let lampPairsInEveryWay = Scenario(
    "An accessory pairs by comparison, by a number that either side shows, or without one, also without Secure Connections",
    .tags(.pairing), .covers("K12", "K19"), over: Axis("by", Comparison.allCases)
) { lab, comparison in
    let lamp = try await lab.accessory.powerOn(.lamp(pairing: comparison.pairing))
    let app = try await lab.phone.launch(GadgetApp.self)
    lab.phone.person.will(.pick("Lamp 7"))
    let picker = Task { try await app.add() }
    try await lab.compare(with: lamp, by: comparison)
    _ = try await lab.step("set up", within: .seconds(15)) { try await picker.value }
    try await lab.expectBonds(with: lamp, by: comparison)
}

/// The accessory is the central here, and asks for the pairing.
let phonePairsInEveryWay = Scenario(
    "An accessory that connects to the phone pairs by each method, and comes back with its bond",
    .tags(.pairing), .covers("C8", "C16", "K19"), over: Axis("by", Comparison.allCases)
) { lab, comparison in
    lab.phone.personality = .iPhone16
    _ = try await lab.phone.launch(OpenGadgetApp.self)
    let app = PublishingApp()
    try await lab.step("publish", within: .seconds(10)) { try await app.publish() }
    let lamp = try await lab.accessory.powerOn(.lamp(pairing: comparison.pairing))
    try await lab.step("connect", within: .seconds(20)) { try await lamp.connect(toPhoneWith: PublishingApp.service) }
    try await lamp.askToPair()
    try await lab.compare(with: lamp, by: comparison)
    try await lab.expectBonds(with: lamp, by: comparison)
    lab.expect(try await lamp.readPhone("2A19"), equals: Data([80]), "the lamp reads the battery's level")

    let mark = lab.phone.log.mark
    try await lamp.disconnect()
    try await lab.step("lose the link", within: .seconds(10)) {
        try await lab.phone.log.next(.disconnected, since: mark)
    }
    try await lab.step("connect again", within: .seconds(20)) {
        try await lamp.connect(toPhoneWith: PublishingApp.service)
        lab.expect(try await lamp.readPhone("2A19"), equals: Data([80]), "the lamp reads the level with its bond")
    }
    lab.expect(lab.phone.log.all(.bonded).count, equals: 1, "nobody pairs again")
}

extension Lab {
    /// Does what the person does with phone and lamp: enters the number that the other one shows. A number on both is
    /// compared without being told.
    fileprivate func compare(with lamp: RunningPeripheral, by comparison: Comparison) async throws {
        switch comparison {
        case .showsPasskey, .legacyShowsPasskey:
            let number = try await step("read the lamp", within: .seconds(15)) {
                try await self.phone.shows(.passkeyEntry)
                return try await lamp.events.next(.showsPasskey)
            }
            phone.person.will(.enterPasskey(number))
        case .entersPasskey, .legacyEntersPasskey:
            let number = try await step("read the phone", within: .seconds(15)) {
                try await lamp.events.next(.asksForPasskey)
                return try await self.phone.log.next(.passkeyToEnter)
            }
            expect(phone.screen.last?.kind, equals: .passkeyDisplay, "the phone shows the number")
            try await lamp.enterPasskey(number)
        default: break
        }
    }

    /// Checks what both ends say about their keys, and that the phone asks nothing any more.
    fileprivate func expectBonds(with lamp: RunningPeripheral, by comparison: Comparison) async throws {
        for bond in [try await lamp.events.next(.bonded), try await phone.log.next(.bonded)] {
            expect(bond.isAuthenticated, equals: comparison.isAuthenticated, "the key is authenticated or not")
            expect(bond.isSecureConnections, equals: comparison.pairing.hasSecureConnections, "the kind of pairing")
        }
        expect(phone.screen.isEmpty, "no screen is left")
    }
}

let wrongPasskeyIsRefused = Scenario(
    "A wrong number or a cancelled prompt makes the setup fail, and the right number completes it",
    .tags(.pairing, .robustness), .covers("K10", "K19")
) { lab in
    let lamp = try await lab.accessory.powerOn(.lamp(pairing: .showsPasskey))
    let app = try await lab.phone.launch(GadgetApp.self)
    for isCancelled in [false, true] {
        let mark = lamp.events.mark
        lab.phone.person.will(.pick("Lamp 7"))
        let picker = Task { try await app.add() }
        let number = try await lab.step("read the lamp", within: .seconds(15)) {
            try await lab.phone.shows(.passkeyEntry)
            return try await lamp.events.next(.showsPasskey, since: mark)
        }
        if isCancelled {
            lab.phone.person.will(.cancel, at: .passkeyEntry)
        } else {
            lab.phone.person.will(.enterPasskey((number + 1) % 1_000_000))
        }
        try await lab.fails("fail to pair", with: .connectionFailed, "the app gets the error", within: .seconds(20)) {
            try await picker.value
        }
        lab.expect(app.session.accessories.isEmpty, "no accessory is authorised")
    }
    let mark = lamp.events.mark
    lab.phone.person.will(.pick("Lamp 7"))
    let picker = Task { try await app.add() }
    let number = try await lab.step("read the lamp again", within: .seconds(15)) {
        try await lab.phone.shows(.passkeyEntry)
        return try await lamp.events.next(.showsPasskey, since: mark)
    }
    lab.phone.person.will(.enterPasskey(number))
    _ = try await lab.step("pair after all", within: .seconds(15)) { try await picker.value }
    lab.expect(try await lamp.events.next(.bonded).isAuthenticated, "the key is authenticated")
}

let tableChangesBehindTheCache = Scenario(
    "An accessory that replaces its services notifies the phone, and its app discovers the new ones",
    .tags(.pairing, .robustness), .covers("C7")
) { lab in
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp()
    try await lamp.replaceServices([
        .service(GadgetApp.service, [.characteristic("FF01", [.read], value: [1])]),
        .service("FF10", [.characteristic("FF11", [.read], value: [2])]),
    ])
    try await lab.step("hear of the change", within: .seconds(10)) { try await probe.next(.modified) }
    try await lab.step("read the new table", within: .seconds(10)) {
        try await probe.discover(peripheral)
        peripheral.readValue(for: try peripheral.found("FF11"))
        try await probe.next(.value(Data([2]), nil))
    }
}

let lampHasAnOldName = Scenario(
    "A network whose name is not UTF-8 is requested as text, found, and joined by its bytes", .tags(.wifi),
    .covers("W11"), over: Axis("security", [WiFiSecurity.wpa2, .wpa3])
) { lab, security in
    let network = NetworkConfiguration(
        ssid: "Küchenlicht ½", security: security, passphrase: "light is fast", encoding: .windowsLatin1)
    let lamp = try await lab.accessory.powerOn(.lamp { $0.networks = [network] })
    let app = try await lab.phone.launch(GadgetApp.self)
    try await lab.step("join", within: .seconds(15)) {
        try await NEHotspotConfigurationManager.shared.apply(
            NEHotspotConfiguration(ssidPrefix: "Küchen", passphrase: "light is fast", isWEP: false))
    }
    lab.expect(lab.phone.network.link?.ssid, equals: network.ssid, "the phone is on the lamp's network")
    _ = try await lamp.events.next(.stationJoined)
    withExtendedLifetime(app) {}
}

let lampHasANetwork = Scenario(
    "An accessory as data opens a network with the scenario's name and passphrase, and the phone joins it",
    .tags(.wifi), .covers("W1", "W4")
) { lab in
    let network = NetworkConfiguration(ssid: "Lamp 7", security: .wpa2, passphrase: "light is fast")
    let lamp = try await lab.accessory.powerOn(.lamp { $0.networks = [network] })
    let link = try await lab.step("join", within: .seconds(15)) {
        try await lab.phone.radio.joinWiFi(
            WiFiCredentials(ssid: network.ssid, security: .wpa2, passphrase: network.passphrase))
    }
    lab.expect(link.ssid, equals: "Lamp 7", "the phone is on the lamp's network")
    _ = try await lamp.events.next(.stationJoined)
}

import CoreBluetooth
import HIL

/// An app that publishes the Battery Service, which belongs to the phone itself.
///
/// Report: https://github.com/nordicsemi/IOS-nRF-Connect/issues/83
let serviceIsPublished = Scenario(
    "An app publishes a service of its own, not one of the system's", .tags("field", .pairing), .covers("C22"),
    over: AppVersion.axis
) { lab, version in
    _ = try await lab.phone.launch(OpenGadgetApp.self)
    let app = PublishingApp()
    let uuid = version == .broken ? "180F" : "FF30"
    try await lab.expect(version, "the phone takes the service") {
        try await lab.step("publish", within: .seconds(10)) { try await app.add(uuid, with: "2A19") }
    }
    guard version == .mended else { return }
    try await lab.step("advertise", within: .seconds(10)) { try await app.advertise(uuid) }
    let lamp = try await lab.accessory.powerOn(.lamp())
    try await lab.step("connect", within: .seconds(20)) { try await lamp.connect(toPhoneWith: uuid) }
    lab.expect(try await lamp.readPhone("2A19"), equals: Data([42]), "the accessory reads the app's value")
}

/// An app with two peripheral managers, each of which advertises its service: only the first is on the air.
///
/// Report: https://github.com/lionheart/openradar-mirror/issues/21136
let secondServiceIsAdvertised = Scenario(
    "An accessory finds the second service that an app advertises", .tags("field", .pairing), .covers("C22"),
    over: AppVersion.axis
) { lab, version in
    _ = try await lab.phone.launch(OpenGadgetApp.self)
    let first = PublishingApp()
    lab.expect(try await first.add("FF30", with: "FF31"), "the phone takes the first service")
    let second = PublishingApp()
    lab.expect(try await second.add("FF40", with: "FF41"), "and the second")
    try await lab.step("advertise", within: .seconds(10)) {
        if version == .broken { try await first.advertise("FF30") }
        try await second.advertise("FF40")
    }
    let lamp = try await lab.accessory.powerOn(.lamp())
    try await lab.expect(version, "the accessory finds it") {
        do {
            try await lamp.connect(toPhoneWith: "FF40", within: .seconds(4))
            return true
        } catch is RadioError { return false }
    }
    if version == .mended {
        lab.expect(try await lamp.readPhone("FF41"), equals: Data([42]), "the accessory reads the second value")
        lab.expect(try await lamp.readPhone("FF31"), equals: Data([42]), "and the first, which has the same phone")
    }
}

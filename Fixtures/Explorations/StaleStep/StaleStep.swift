import HIL

package let staleStep = Scenario(
    "An app whose setup was cut off begins anew with a lamp that was removed meanwhile", over: Build.ofApp
) { lab, build in
    let lamp = try await lab.accessory.powerOn(.lamp())
    let app = try await lab.phone.launch(RememberingApp.self)
    lab.phone.person.will(.pick("Lamp"))
    try await lab.step("set up", within: .seconds(5)) { try await app.setUp(build) }
    lab.expect(try await lamp.value(of: "FF01"), equals: Data([1]), "the lamp is set up")
    app.link.disconnect()
}

/// An app that remembers in which step of the setup it is, and with which lamp.
private final class RememberingApp: LampApp {
    private var remembered: UUID? {
        get { UserDefaults.standard.string(forKey: "lampInSetup").flatMap { UUID(uuidString: $0) } }
        set { UserDefaults.standard.set(newValue?.uuidString, forKey: "lampInSetup") }
    }

    func setUp(_ build: Build) async throws {
        // The person may have removed it in Settings. A faulty app does not look.
        if build == .mended, remembered != lamp { remembered = nil }
        let lamp = if let remembered { remembered } else { try await add() }
        remembered = lamp
        try await link.connect(to: lamp)
        try await link.write(Data([1]))
        remembered = nil
    }
}

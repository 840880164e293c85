import HIL
import LanternApp

extension AccessoryProgram {
    /// The lantern as it ships: Python with BlueZ and its own wpa_supplicant.
    static let lantern = lantern([])
    /// A lantern whose button allows credentials for 3 s. The specification proposes a minute.
    static let lanternWithButton = lantern(["--button", "3"])

    private static func lantern(_ options: [String]) -> AccessoryProgram {
        AccessoryProgram(
            named: "lantern", files: "Accessory", packages: ["python3-dbus", "python3-gi"],
            command: ["python3", "lantern.py"] + options, owns: [.wpaSupplicant],
            ready: .line(containing: "is ready"), within: .seconds(60),
            hooks: AccessoryHooks(press: .onBoard(["sh", "-c", "echo press >button"])))
    }
}

extension LanternApp: AppUnderTest {
    /// What Xcode would put into the app's bundle: its Info.plist and pictures.
    public nonisolated static var bundle: AppBundle {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return AppBundle(identifier: "com.example.lantern", folder: package.appendingPathComponent("App").path)
    }
}

extension Lab {
    /// Starts a lantern, and lets the app add it.
    func addedLantern(_ program: AccessoryProgram = .lantern) async throws -> (RunningProgram, LanternApp) {
        let lantern = try await accessory.run(program)
        let app = try await phone.launch(LanternApp.self)
        phone.person.will(.pick("Lantern"))
        try await step("add", within: .seconds(20)) { try await app.add() }
        return (lantern, app)
    }

    /// What a person does whom the app tells of an error: launches it again, and goes on.
    func setUpAgain() async throws {
        let app = try await phone.launch(LanternApp.self)
        phone.person.will(.pick("Lantern"))
        try await step("set up again", within: .seconds(50)) {
            try await app.continueSetUp()
            if app.link.state == .provisioned { return }
            try await app.provision(ssid: self.homeNetwork.ssid, passphrase: self.homeNetwork.passphrase)
        }
    }

    /// Lets the app send the passphrase of the home's network, and waits until the lantern has joined it.
    func provision(_ app: LanternApp) async throws {
        try await step("provision", within: .seconds(30)) {
            try await app.provision(
                ssid: self.homeNetwork.ssid, passphrase: self.homeNetwork.passphrase)
        }
        // The answer to the command may come before the new state.
        try await becomes("the app knows that the lantern is online") { app.link.state == .provisioned }
        expect(homeNetwork.events.all(.gaveAddress).count, equals: 1, "the lantern has an address of the home")
    }
}

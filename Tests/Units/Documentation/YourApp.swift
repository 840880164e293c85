// The listings of the article "Your app", which ArticleTests compares.

import AccessorySetupKit
import CoreBluetooth
import Foundation
import HIL

@MainActor
final class LampApp {
    private let session = ASAccessorySession()
    private var added: ASAccessory?

    required init() async throws {
        session.activate(on: .main) { [weak self] event in
            MainActor.assumeIsolated {
                if event.eventType == .accessoryAdded { self?.added = event.accessory }
            }
        }
    }

    /// Shows the picker, and returns the lamp that the person chose.
    func add() async throws -> ASAccessory? {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: "7E570000-1C2B-4E0A-9F4B-6D1E0C5A8B21")
        guard let picture = UIImage(named: "lamp") else { return nil }
        try await session.showPicker(
            for: [ASPickerDisplayItem(name: "Lamp", productImage: picture, descriptor: descriptor)])
        return added
    }
}

extension LampApp: AppUnderTest {
    nonisolated static var bundle: AppBundle {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return AppBundle(identifier: "com.example.lamp", folder: package.appendingPathComponent("App").path)
    }
}

let lampHasAService = Scenario("A lamp on its own network offers a service") { lab in
    let network = NetworkConfiguration(ssid: "Lamp 7", security: .wpa2, passphrase: "light is fast")
    var lamp = Peripheral.peripheral(named: "Lamp 7", networks: [network])
    lamp.ports = [.port(80, answers: Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\non".utf8)), .echo(7)]
    lamp.bonjour = [.service("Lamp 7", type: "_lamp._tcp", port: 80, text: ["fw": "1.4"])]
    _ = try await lab.accessory.powerOn(lamp)
    _ = try await lab.phone.launch(LampApp.self)
}

let personCancels = Scenario("A person who closes the picker adds nothing") { lab in
    let app = try await lab.phone.launch(LampApp.self)
    lab.phone.person.will(.cancel)
    try await lab.expect(throwing: ASError.self, "the app hears it", where: { $0.code == .userCancelled }) {
        _ = try await app.add()
    }
    lab.expect(lab.phone.shownScreens.map(\.kind), equals: [.picker], "the person saw the picker, and nothing else")
}

@MainActor
final class LampDelegate: UIResponder, UIApplicationDelegate {
    private(set) var launchedFor: [String] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        // The phone has launched the app: make these central managers now, not when a screen appears.
        launchedFor = launchOptions?[.bluetoothCentrals] as? [String] ?? []
        return true
    }
}

@MainActor
final class WatchingLampApp: AppUnderTest {
    nonisolated static var bundle: AppBundle { LampApp.bundle }
    let delegate = LampDelegate()

    init() async throws { UIApplication.shared.delegate = delegate }
}

let valueLaunchesApp = Scenario("A value of its lamp launches the app") { lab in
    let lamp = try await lab.accessory.powerOn(.peripheral(named: "Lamp 7"))
    _ = try await lab.phone.launch(WatchingLampApp.self)
    // Here the person sets the lamp up, and the app subscribes to its brightness.
    lab.phone.terminateApp(bySystem: true)
    try await lamp.notify([60], of: "FF01")
    let app = try await lab.phone.launched(WatchingLampApp.self, within: .seconds(5))
    lab.expect(app.delegate.launchedFor, equals: ["lamps"], "it knows which manager it was launched for")
}

let lampSurvivesItsExtension = Scenario("The transport extension is killed in the middle of a message") { lab in
    let app = try await lab.phone.launch(LampApp.self)
    try await lab.withEnd(of: .transport(.bluetooth), at: .write(2), because: .memoryLimit) {
        _ = try await app.add()
    }
    try await lab.forwarding.next(.launchedAgain)
}

import AccessorySetupKit
import DieProtocol
import HILPhone
import HILTiming
import HostRadio
import NetworkExtension
import RadioModel
import TestSupport
import Testing

@testable import DiceApp

/// The companion app on a phone with an in-memory radio: its own code, through Apple's frameworks, to the die's bytes.
@MainActor
@Suite("DiceApp")
struct DiceAppTests {
    private static let address = DeviceAddress("9C:5A:81:00:00:01")!

    private let radio = InMemoryRadio()
    private let clock = ManualClock()
    private let phone: Phone
    private let app: DiceApp

    init() async throws {
        phone = Phone(radio: radio, clock: clock)
        app = try await phone.launch(DiceApp.self)
    }

    @Test("A die is picked, connected and read, and its rolls arrive", .covers("K11", "C1", "C3", "C4"))
    func rolls() async throws {
        try addDie()
        let accessory = try await phone.asCurrent { try await app.addDie(pairing: false) }
        #expect(
            app.events.map(\.eventType) == [.activated, .pickerDidPresent, .accessoryAdded, .pickerDidDismiss])
        #expect(app.session.accessories == [accessory] && radio.bonds.isEmpty)

        let peripheral = try await phone.asCurrent { try await app.connect(accessory) }
        #expect(peripheral.identifier == accessory.bluetoothIdentifier && peripheral.name == "Die 7")
        #expect(try await app.readSerial() == "D7-0001")
        try await app.watchRolls()
        for face: UInt8 in [6, 1] {
            let roll = Roll(number: UInt32(face), face: face)
            radio.notify(roll.encoded, from: CharacteristicID(handle: 10), of: Self.address)
            #expect(try await app.nextRoll() == roll)
        }
    }

    @Test("An app runs on, and keeps its links, when nobody in the scenario looks at it any more")
    func runsOn() async throws {
        weak var app = try await phone.launch(DiceApp.self)
        #expect(app != nil)
        phone.app?.release()
        #expect(app == nil)
        app = try await phone.launch(DiceApp.self)
        phone.terminateApp()
        #expect(app == nil)
    }

    @Test("A die that is paired in the picker lets its owner be read and written", .covers("K12", "C4"))
    func pairing() async throws {
        try addDie()
        let accessory = try await phone.asCurrent { try await app.addDie() }
        #expect(app.events.contains { $0.eventType == .pickerSetupPairing })
        #expect(radio.bonds[Self.address]?.isSecureConnections == true)
        _ = try await phone.asCurrent { try await app.connect(accessory) }
        try await app.writeOwner("Robin")
        #expect(try await app.readOwner() == "Robin")
    }

    @Test(
        "A die that was not paired in the picker is paired by touching a protected characteristic", .covers("O2", "C4"))
    func latePairing() async throws {
        try addDie()
        let accessory = try await phone.asCurrent { try await app.addDie(pairing: false) }
        _ = try await phone.asCurrent { try await app.connect(accessory) }
        phone.person.will(.refusePasskey)
        await #expect(throws: CBATTError(.insufficientAuthentication)) { try await app.readOwner() }
        phone.person.will(.confirmPasskey)
        #expect(try await app.readOwner() == "Kim")
    }

    @Test("The die's network is read over Bluetooth and joined", .covers("W1", "W4"))
    func network() async throws {
        try addDie()
        let network = WiFiNetwork(
            ssid: "Die 7", bssid: Self.address, frequency: 2412, signal: -42, security: .wpa3)
        radio.add(.init(network, passphrase: "seven is a prime"))
        let accessory = try await phone.asCurrent { try await app.addDie() }
        try await phone.asCurrent { try await app.joinWiFi(of: accessory) }
        #expect(phone.network.link?.ssid == "Die 7" && phone.network.link?.keyManagement == "SAE")
    }

    @Test("A person who cancels leaves the app with the error, after the picker is gone", .covers("K5"))
    func cancelled() async throws {
        try addDie()
        phone.person.will(.cancel)
        await #expect(throws: ASError.self) { try await phone.asCurrent { try await app.addDie() } }
        #expect(app.events.last?.eventType == .pickerDidDismiss)
    }

    @Test("An app that goes takes its connection along, and nothing is said against it")
    func farewell() async throws {
        try addDie()
        try await phone.asCurrent {
            let app = try await DiceApp()
            try await app.connect(try await app.addDie(pairing: false))
        }
        try await radio.changes.wait(for: "the link to end") { radio.connected.isEmpty }
        #expect(phone.warnings.isEmpty)
    }

    @Test("A die that vanishes ends what the app waits for", .covers("C6"))
    func vanishing() async throws {
        try addDie()
        let accessory = try await phone.asCurrent { try await app.addDie(pairing: false) }
        let peripheral = try await phone.asCurrent { try await app.connect(accessory) }
        // It begins to wait before the next line.
        let roll = Task.immediate { try await app.nextRoll() }
        radio.remove(Self.address)
        #expect(try await roll.value == nil && peripheral.state == .disconnected)
        let later = Task.immediate { try await app.nextRoll() }
        #expect(try await later.value == nil, "nor does it wait for what can no longer come")
        await #expect(throws: CBError(.notConnected)) { try await app.readSerial() }
    }

    private func addDie() throws {
        func characteristic(_ characteristic: DieGATT.Characteristic, _ handle: UInt16) -> GATTCharacteristic {
            GATTCharacteristic(
                uuid: BluetoothUUID(characteristic.uuid)!, id: CharacteristicID(handle: handle),
                properties: [.read, .write, .notify])
        }
        let die = [
            characteristic(DieGATT.roll, 10), characteristic(DieGATT.info, 12), characteristic(DieGATT.owner, 14),
            characteristic(DieGATT.networks, 16),
        ]
        let networks = DieNetworks(networks: [.init(ssid: "Die 7", security: .wpa3, passphrase: "seven is a prime")])
        let service = BluetoothUUID(DieGATT.service)!
        radio.add(
            InMemoryRadio.Device(
                Advertisement(address: Self.address, name: "Die 7", serviceUUIDs: [service], rssi: -40),
                services: [GATTService(uuid: service, handle: 9, isPrimary: true, characteristics: die)],
                values: [
                    die[0].id: Roll(number: 0, face: 0).encoded,
                    die[1].id: try DieInfo(serialNumber: "D7-0001", firmwareVersion: "1.0").encoded(),
                    die[2].id: Data("Kim".utf8), die[3].id: try networks.encoded(),
                ],
                protected: [die[2].id, die[3].id]))
    }
}

import Foundation
import HILDBus
import RadioModel
import Testing

@testable import HILBlueZ

@Suite struct GATTTests {
    private let device = "/org/bluez/hci0/dev_02_00_00_00_02_B0"

    @Test("A bond counts from the moment of its key, also with a device whose services are not discovered")
    func bonds() {
        func known(_ address: String, _ properties: [String: BusValue]) -> [String: [String: BusValue]] {
            [BlueZ.Interface.device: properties.merging(["Address": .string(address)]) { $1 }]
        }
        let objects: BusObjectTree.Objects = [
            "/org/bluez/hci0": [BlueZ.Interface.adapter: ["Address": "02:00:00:00:00:01"]],
            "/org/bluez/hci0/dev_a": known("02:00:00:00:00:0A", ["Bonded": true, "Paired": false]),
            "/org/bluez/hci0/dev_b": known("02:00:00:00:00:0B", ["Bonded": false, "Paired": true]),
            "/org/bluez/hci0/dev_c": known("02:00:00:00:00:0C", ["Bonded": true, "Paired": true]),
            "/org/bluez/hci0/dev_d": known("nonsense", ["Bonded": true]),
        ]
        #expect(BluetoothDaemon.bonds(in: objects).map(\.description) == ["02:00:00:00:00:0A", "02:00:00:00:00:0C"])
    }

    @Test("A characteristic is found by its UUID among the objects of its device: the first by handle")
    func characteristics() throws {
        func characteristic(_ uuid: String) -> [String: [String: BusValue]] {
            [BlueZ.Interface.characteristic: ["UUID": .string(uuid)]]
        }
        let level = "00002a19-0000-1000-8000-00805f9b34fb"
        let service = "\(device)/service0009"
        let objects: BusObjectTree.Objects = [
            device: [BlueZ.Interface.device: ["Connected": true]],
            service: [BlueZ.Interface.service: ["UUID": .string(level), "Primary": true]],
            "\(service)/char0100": characteristic(level), "\(service)/char00ff": characteristic(level),
            "\(service)/char000a": characteristic("2a1a"),
            "\(service)/char000a/desc000c": [BlueZ.Interface.descriptor: ["UUID": .string(level)]],
            "\(service)/charx": characteristic(level), "\(service)/char000b": characteristic("nonsense"),
            "/org/bluez/hci0/dev_99/service0001/char0002": characteristic(level),
        ]
        func path(_ uuid: String) throws -> String? {
            BoardGATTClient.path(of: try #require(BluetoothUUID(uuid)), on: device, in: objects)
        }
        #expect(try path("2A19") == "\(service)/char00ff")
        #expect(try path("2A1A") == "\(service)/char000a")
        #expect(try path("2A1B") == nil)
    }

    @Test(
        "bluetoothd's errors for attributes become the codes of the attribute protocol",
        arguments: [
            (BlueZ.ErrorName.failed, "Operation failed with ATT error: 0x80", RadioError.attribute(code: 0x80)),
            (BlueZ.ErrorName.failed, "Operation failed with ATT error: 0xzz", .attribute(code: 0x0E)),
            (BlueZ.ErrorName.notPermitted, "Read not permitted", .attribute(code: 0x02)),
            (BlueZ.ErrorName.notPermitted, "Not paired", .attribute(code: 0x05)),
            (BlueZ.ErrorName.invalidArguments, "Invalid Length", .attribute(code: 0x0D)),
            (BlueZ.ErrorName.failed, "Not connected", .notConnected),
            (BusError.Name.cancelled, "", .notConnected),
        ] as [(String, String, RadioError)])
    func attributeErrors(name: String, message: String, expected: RadioError) {
        #expect(RadioError(attribute: BusError(name: name, message: message, action: "")) == expected)
    }

    @Test("A daemon that does not answer is a fault of the rig; Bluetooth that is off is not")
    func faultsOfTheRig() {
        let silent = BusError(name: BusError.Name.noReply, message: "", action: "reading")
        for error in [RadioError(attribute: silent), RadioError(connecting: silent)] {
            guard case .rig = error else {
                Issue.record("\(error) blames the accessory")
                continue
            }
        }
        let off = BusError(name: "org.bluez.Error.NotReady", message: "Resource Not Ready", action: "")
        for error in [RadioError(attribute: off), RadioError(connecting: off)] {
            #expect(error == .bluetoothOff, "off is a state of the phone, not a fault of the rig")
        }
    }

    @Test("A protected characteristic has the secure flags in addition to the plain ones, which permit the access")
    func flags() throws {
        let uuid = try #require(BluetoothUUID("2A19"))
        let plain = LocalCharacteristic(uuid: uuid, properties: [.read, .notify], needsSecureConnections: false)
        #expect(plain.flags == ["read", "notify"])
        let protected = LocalCharacteristic(
            uuid: uuid, properties: [.writeWithoutResponse, .notify], needsSecureConnections: true)
        #expect(protected.flags == ["write-without-response", "secure-write", "notify", "secure-notify"])
    }

    @Test("A name is cut to the length of a scan response, but not inside a character")
    func name() {
        let long = AdvertisedContent(name: "Würfel mit einem langen Namen 🎲🎲", serviceUUIDs: [])
        #expect(long.fittingName == "Würfel mit einem langen Name")
        #expect(
            AdvertisedContent(name: String(repeating: "🎲", count: 8), serviceUUIDs: []).fittingName.utf8.count == 28)
        #expect(AdvertisedContent(name: "Die 7", serviceUUIDs: []).fittingName == "Die 7")
    }

    @Test("A service comes after those that it includes; others keep their order, and so do those in a circle")
    func order() {
        #expect(GATTServer.positions(includes: [[], [], []]) == [0, 1, 2])
        #expect(GATTServer.positions(includes: [[2], [], [3], []]) == [2, 3, 1, 0])
        #expect(GATTServer.positions(includes: [[1], [0], [7]]) == [1, 0, 2])
        #expect(GATTServer.positions(includes: []) == [])
    }

    @Test("An advertisement's length is counted, its content given to bluetoothd, and more than 31 bytes refused")
    func advertisement() throws {
        let service = try #require(BluetoothUUID("D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47"))
        let battery = try #require(BluetoothUUID("180F"))
        var content = AdvertisedContent(
            name: "Die 7", serviceUUIDs: [], manufacturerData: [0xFFFF: Data([1, 0x66])],
            serviceData: [battery: Data([0x63])], appearance: 0x0180, includesTxPower: true)
        // Flags 3, manufacturer data 2 + 2 + 2, service data 2 + 2 + 1, appearance 4, power 3.
        #expect(content.advertisementLength == 21)
        let properties = try content.properties()
        #expect(
            properties["ManufacturerData"]
                == .dictionary(key: "q", value: "v", [.init(.uint16(0xFFFF), .variant(.bytes([1, 0x66])))]))
        #expect(properties["ServiceData"] == .properties([battery.description: .bytes([0x63])]))
        #expect(properties["Appearance"] == .uint16(0x0180))
        #expect(properties["Includes"] == .strings(["tx-power"]))

        content.serviceUUIDs = [battery, try #require(BluetoothUUID("180A"))]
        #expect(content.advertisementLength == 27)
        content.serviceUUIDs.append(service)
        #expect(throws: RadioError.self) { try content.properties() }
        #expect(try AdvertisedContent(name: "", serviceUUIDs: [service]).properties()["Includes"] == nil)
    }
}

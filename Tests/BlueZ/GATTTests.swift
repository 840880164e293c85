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

    @Test("Services are built from the paths and properties of bluetoothd's objects, sorted by handle")
    func services() throws {
        func characteristic(_ uuid: String, of service: String, _ flags: [String]) -> [String: [String: BusValue]] {
            [
                BlueZ.Interface.characteristic: [
                    "UUID": .string(uuid), "Service": .path(service), "Flags": .strings(flags),
                ]
            ]
        }
        let first = "\(device)/service0009"
        let second = "\(device)/service0013"
        let objects: BusObjectTree.Objects = [
            device: [BlueZ.Interface.device: ["Connected": true]],
            second: [BlueZ.Interface.service: ["UUID": "180f", "Primary": true]],
            first: [
                BlueZ.Interface.service: [
                    "UUID": "d1ce0001-7c3a-4f6b-9b52-1a6f0c8e5d47", "Primary": false,
                    "Includes": .array(of: "o", [.path(second), .path("/nonsense")]),
                ]
            ],
            "\(first)/char000d": characteristic(
                "2a19", of: first, ["write", "secure-write", "write-without-response"]),
            "\(first)/char000a": characteristic("2a1a", of: first, ["read", "notify", "extended-properties"]),
            "\(first)/char000a/desc000c": [
                BlueZ.Interface.descriptor: ["UUID": "2902", "Characteristic": .path("\(first)/char000a")]
            ],
            "\(first)/char000a/descx": [
                BlueZ.Interface.descriptor: ["UUID": "2901", "Characteristic": .path("\(first)/char000a")]
            ],
            "\(first)/charffff": characteristic("2a1b", of: first, ["read"]),
            "/org/bluez/hci0/dev_99/service0001/char0002": characteristic("2a19", of: first, ["read"]),
        ]
        let services = GATTClient.services(of: device, in: objects)
        #expect(services.map(\.handle) == [0x09, 0x13])
        #expect(services.map(\.isPrimary) == [false, true])
        #expect(services[0].characteristics.map(\.id.handle) == [0x0B, 0x0E])
        #expect(services[0].characteristics.map(\.properties) == [[.read, .notify], [.write, .writeWithoutResponse]])
        #expect(services[1].uuid == BluetoothUUID("180F"))
        #expect(services.map(\.included) == [[0x13], []])
        #expect(services[0].characteristics.map { $0.descriptors.map(\.id.handle) } == [[0x0C], []])
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

    @Test("A daemon that does not answer is a fault of the rig; failed pairing is not")
    func faultsOfTheRig() {
        let silent = BusError(name: BusError.Name.noReply, message: "", action: "reading")
        for error in [RadioError(attribute: silent), RadioError(connecting: silent), RadioError(pairing: silent)] {
            guard case .rig = error else {
                Issue.record("\(error) blames the accessory")
                continue
            }
        }
        let refused = BusError(
            name: "org.bluez.Error.AuthenticationFailed", message: "Authentication Failed", action: "pairing")
        let off = BusError(name: "org.bluez.Error.NotReady", message: "Resource Not Ready", action: "")
        for error in [RadioError(attribute: off), RadioError(connecting: off), RadioError(pairing: off)] {
            #expect(error == .bluetoothOff, "off is a state of the phone, not a fault of the rig")
        }
        #expect(RadioError(pairing: refused) == .pairingFailed("Authentication Failed"))
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

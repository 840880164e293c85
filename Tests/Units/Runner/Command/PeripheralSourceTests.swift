import Foundation
import RadioModel
import Testing

@testable import HIL
@testable import HILCommand

/// What was recorded of an accessory becomes Swift that declares it.
struct PeripheralSourceTests {
    @Test("Everything of a declaration is written, and nothing of a name or a value becomes code")
    func everything() {
        var advertising = PeripheralAdvertising(
            name: "A \"\\(exit(1))\n", serviceUUIDs: [BluetoothUUID(short: 0xFF00)],
            manufacturerData: [0x004C: Data([1]), 2: Data()], solicitedUUIDs: [.init(short: 0x1805)], appearance: 0x180,
            includesTxPower: true, claimsClassic: true)
        advertising.serviceData = [BluetoothUUID("7905F431-B5CE-4E99-A40F-4B1E122D00D0")!: Data([0xFF])]
        let characteristic = PeripheralCharacteristic(
            uuid: BluetoothUUID(short: 0xFF01), properties: [.read, .notify], reading: .encrypted,
            notifying: .authenticated, value: Data(0..<17),
            descriptors: [
                PeripheralDescriptor(
                    uuid: BluetoothUUID(short: 0x2901), value: Data([0x22]), isWritable: true, protection: .encrypted)
            ])
        let declaration = PeripheralDeclaration(
            advertising: advertising,
            services: [
                PeripheralService(
                    uuid: BluetoothUUID(short: 0xFF00), included: [1], characteristics: [characteristic]),
                PeripheralService(uuid: BluetoothUUID(short: 0xFF10), isPrimary: false),
            ], pairing: .showsPasskey.legacy, hasPrivateAddress: true, name: "B")
        let recorded = RecordedAccessory(
            declaration: declaration, refusals: [AttributePlace(service: 0, characteristic: 0): 0x81],
            notes: ["Not seen:\n*/ exit(1)\u{2028}."])
        #expect(PeripheralSource(recorded: recorded, name: "lamp").text(on: "today") == Self.expected)
    }

    private static let expected = #"""
        import HIL

        // Recorded from the air by `hil record` on today. Change it as you like.
        // Not seen on the air: networks, L2CAP channels, its own actions, and the meaning of values.
        // Not seen:�*/ exit(1)�.
        extension Peripheral {
            static let lamp = Peripheral.peripheral(
                named: "A \"\\(exit(1))\n",
                advertising: PeripheralAdvertising(
                    name: "A \"\\(exit(1))\n",
                    serviceUUIDs: [
                        BluetoothUUID("FF00")!
                    ],
                    manufacturerData: [
                        0x0002: Data([]),
                        0x004C: Data([0x01]),
                    ],
                    serviceData: [
                        BluetoothUUID("7905F431-B5CE-4E99-A40F-4B1E122D00D0")!: Data([0xFF])
                    ],
                    solicitedUUIDs: [
                        BluetoothUUID("1805")!
                    ],
                    appearance: 0x0180,
                    includesTxPower: true,
                    claimsClassic: true),
                services: [
                    .service(
                        "FF00",
                        [
                            .characteristic(
                                "FF01",
                                [.read, .notify],
                                value: [
                                    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B,
                                    0x0C, 0x0D, 0x0E, 0x0F, 0x10,
                                ],
                                descriptors: [
                                    .descriptor("2901", value: [0x22], isWritable: true, needs: .encrypted)
                                ]
                            )
                            .needing(read: .encrypted, notify: .authenticated)
                            .onRead { _ in throw AccessRefusal(0x81) }
                        ], including: ["FF10"]),
                    .service(
                        "FF10", isPrimary: false),
                ],
                pairing: .showsPasskey.legacy,
                hasPrivateAddress: true
            )
            .linked(as: "B")
        }

        """#

    @Test(
        "A constant's name is made of an accessory's",
        arguments: [
            ("Lamp 7", "lamp7"), ("7", "accessory"), ("", "accessory"), ("class", "accessory"),
            ("Küche \u{202E}b", "kCheB"),
            ("\"; exit(1)", "exit1"),
        ])
    func names(text: String, name: String) { #expect(SwiftText.name(for: text) == name) }
}

/// The command line of hil record.
struct RecordArgumentsTests {
    @Test("The command line of hil record")
    func arguments() throws {
        var expected = Request.Recording(scenario: "two", device: .named("Lamp 7"), name: "lamp", passkey: 42)
        let words = ["record", "two", "--device", "Lamp 7", "--as", "lamp", "--passkey", "000042"]
        #expect(try Arguments.parse(words) == .record(expected))
        expected = Request.Recording(device: .address(DeviceAddress("02:00:00:00:00:01")!))
        expected.rig = try Arguments.rig("pi-host,none")
        let device = ["record", "--rig", "pi-host,none", "--device", "02:00:00:00:00:01"]
        #expect(try Arguments.parse(device) == .record(expected))
    }

    @Test(
        "A command line that makes no sense is refused",
        arguments: [
            ["record", "one", "two"], ["record", "--passkey", "1234567"], ["record", "--passkey", "-1"],
            ["record", "--passkey", ""], ["record", "--rig", "a,none", "--boards", "native"], ["record", "--device"],
        ])
    func mistakes(words: [String]) { #expect(throws: UsageError.self) { try Arguments.parse(words) } }
}

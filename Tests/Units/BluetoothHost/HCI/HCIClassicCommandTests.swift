import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Commands for a classic link")
struct HCIClassicCommandTests {
    private let device = DeviceAddress.numbered(5)
    private let link = ConnectionHandle(0x000B)

    @Test("Connecting and its refusal")
    func connecting() {
        var request = ClassicConnectionRequest(to: device)
        #expect(HCICommand.createConnection(request).packet == hci("01 0504 0D 0500000000C0 18CC 01 00 0000 01"))
        request.allowsRoleSwitch = false
        request.repetitionMode = 2
        #expect(HCICommand.createConnection(request).packet == hci("01 0504 0D 0500000000C0 18CC 02 00 0000 00"))
        #expect(HCICommand.createConnectionCancel(device).packet == hci("01 0804 06 0500000000C0"))
        #expect(
            HCICommand.acceptConnectionRequest(device, becomesCentral: true).packet
                == hci("01 0904 07 0500000000C0 00"))
        #expect(
            HCICommand.acceptConnectionRequest(device, becomesCentral: false).packet
                == hci("01 0904 07 0500000000C0 01"))
        #expect(HCICommand.rejectConnectionRequest(device).packet == hci("01 0A04 07 0500000000C0 0F"))
    }

    @Test("Authentication and encryption")
    func security() {
        let key = (0..<16).map { UInt8($0) }
        #expect(HCICommand.authenticationRequested(link).packet == hci("01 1104 02 0B00"))
        #expect(HCICommand.setConnectionEncryption(link, true).packet == hci("01 1304 03 0B00 01"))
        #expect(
            HCICommand.linkKeyRequestReply(device, key: key).packet
                == hci("01 0B04 16 0500000000C0 000102030405060708090A0B0C0D0E0F"))
        #expect(HCICommand.linkKeyRequestNegativeReply(device).packet == hci("01 0C04 06 0500000000C0"))
        #expect(HCICommand.ioCapabilityRequestNegativeReply(device).packet == hci("01 3404 07 0500000000C0 18"))
        #expect(HCICommand.readEncryptionKeySize(link).packet == hci("01 0814 02 0B00"))
    }

    @Test("Settings and questions")
    func settings() {
        #expect(HCICommand.writeSimplePairingMode(true).packet == hci("01 560C 01 01"))
        #expect(HCICommand.writeSecureConnectionsHostSupport(true).packet == hci("01 7A0C 01 01"))
        #expect(
            HCICommand.writeScanEnable(isDiscoverable: false, isConnectable: true).packet == hci("01 1A0C 01 02"))
        #expect(
            HCICommand.writeScanEnable(isDiscoverable: true, isConnectable: false).packet == hci("01 1A0C 01 01"))
        #expect(HCICommand.writePageTimeout(slots: 0x2000).packet == hci("01 180C 02 0020"))
        #expect(HCICommand.remoteNameRequest(device).packet == hci("01 1904 0A 0500000000C0 01 00 0000"))
        #expect(HCICommand.readRemoteSupportedFeatures(link).packet == hci("01 1B04 02 0B00"))
    }
}

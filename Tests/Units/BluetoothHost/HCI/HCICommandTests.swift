import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Commands about a controller and its links")
struct HCICommandTests {
    private let link = ConnectionHandle(0x0040)
    private let parameters = ConnectionParameters(
        shortestInterval: 0x0006, longestInterval: 0x0C80, latency: 0x01F3, timeout: 0x000A)

    @Test("Reset is three bytes after the type")
    func reset() { #expect(HCICommand.reset.packet == hci("01 030C 00")) }

    @Test("Parameters beyond 255 bytes are cut off, so that the length is true")
    func tooLong() {
        let packet = HCICommand(HCIOpcode(rawValue: 0xFC01), [UInt8](repeating: 7, count: 300)).packet
        #expect(packet.count == 4 + 255)
        #expect(packet[3] == 255)
    }

    @Test("Text of a command never has its key")
    func noKey() {
        let command = HCICommand.leLongTermKeyRequestReply(link, key: [UInt8](repeating: 0xAB, count: 16))
        #expect("\(command)" == "LE Long Term Key Request Reply")
    }

    @Test("The bit of an event in the mask is one less than its code")
    func masks() {
        #expect(HCICommand.setEventMask([.disconnectionComplete, .leMeta]).parameters == hci("1000000000000020"))
        // Version 2 of Encryption Change is on another page.
        #expect(HCICommand.setEventMask([.encryptionChangeV2]).parameters == hci("0000000000000000"))
        let classic: [HCIEvent.LECode] = [
            .connectionComplete, .advertisingReport, .connectionUpdateComplete, .readRemoteFeaturesComplete,
            .longTermKeyRequest,
        ]
        // The default mask of the specification.
        #expect(HCICommand.leSetEventMask(classic).parameters == hci("1F00000000000000"))
        #expect(HCICommand.leSetEventMask([.enhancedConnectionCompleteV2]).parameters == hci("0000000000010000"))
    }

    @Test("Commands that only read have no parameters")
    func reading() {
        let commands: [(HCICommand, UInt16)] = [
            (.readLocalVersionInformation, 0x1001), (.readLocalSupportedCommands, 0x1002),
            (.readLocalSupportedFeatures, 0x1003), (.readBufferSize, 0x1005), (.readAddress, 0x1009),
            (.leReadBufferSize, 0x2002), (.leReadLocalSupportedFeatures, 0x2003), (.leReadSupportedStates, 0x201C),
            (.leReadFilterAcceptListSize, 0x200F), (.leReadResolvingListSize, 0x202A),
            (.leReadMaximumDataLength, 0x202F), (.leRand, 0x2018), (.leClearFilterAcceptList, 0x2010),
            (.leReadMaximumAdvertisingDataLength, 0x203A), (.leReadNumberOfSupportedAdvertisingSets, 0x203B),
            (.leClearAdvertisingSets, 0x203D), (.leCreateConnectionCancel, 0x200E),
        ]
        for (command, opcode) in commands { #expect(command == HCICommand(HCIOpcode(rawValue: opcode))) }
    }

    @Test("Settings of the controller")
    func settings() throws {
        let address = try #require(DeviceAddress("C1:22:33:44:55:66"))
        #expect(HCICommand.writeLEHostSupport(true).packet == hci("01 6D0C 02 01 00"))
        #expect(HCICommand.leSetRandomAddress(address).packet == hci("01 0520 06 6655443322C1"))
        #expect(HCICommand.leSetAddressResolutionEnable(true).packet == hci("01 2D20 01 01"))
        #expect(HCICommand.leWriteSuggestedDefaultDataLength(.longest).packet == hci("01 2420 04 FB00 4808"))
        #expect(
            HCICommand.leSetDefaultPHY(tx: [.oneMegabit, .twoMegabit], rx: nil).packet == hci("01 3120 03 02 03 00"))
        #expect(HCICommand.leSetDefaultPHY(tx: nil, rx: nil).packet == hci("01 3120 03 03 00 00"))
        #expect(
            HCICommand.leAddToFilterAcceptList(PeerAddress(address, isRandom: true)).packet
                == hci("01 1120 07 01 6655443322C1"))
        #expect(
            HCICommand.leRemoveFromFilterAcceptList(PeerAddress(address, isRandom: false)).packet
                == hci("01 1220 07 00 6655443322C1"))
    }

    @Test("Encryption as in the specification's sample data (Vol 6, Part C, 1)")
    func encryptionSample() {
        let key = hci("BF01FB9D4EF3BC36D874F5394138684C")
        let start = HCICommand.leEnableEncryption(
            ConnectionHandle(0x0800), random: 0xABCD_EF12_3456_7890, diversifier: 0x2474, key: key)
        #expect(
            start.packet == hci("01 1920 1C 0008 9078563412EFCDAB 7424 BF01FB9D4EF3BC36D874F5394138684C"))
        #expect(
            HCICommand.leLongTermKeyRequestReply(ConnectionHandle(0x0801), key: key).packet
                == hci("01 1A20 12 0108 BF01FB9D4EF3BC36D874F5394138684C"))
        #expect(
            HCICommand.leLongTermKeyRequestNegativeReply(ConnectionHandle(0x0801)).packet == hci("01 1B20 02 0108"))
    }

    @Test("A key of a wrong length never changes a command's length")
    func keyLength() {
        for count in [0, 15, 17, 40] {
            let key = [UInt8](repeating: 1, count: count)
            #expect(HCICommand.leLongTermKeyRequestReply(link, key: key).parameters.count == 18)
        }
    }

    @Test("Commands about a link begin with it")
    func links() {
        #expect(HCICommand.disconnect(link).packet == hci("01 0604 03 4000 13"))
        #expect(HCICommand.disconnect(link, reason: .authenticationFailure).packet == hci("01 0604 03 4000 05"))
        #expect(HCICommand.readRemoteVersionInformation(link).packet == hci("01 1D04 02 4000"))
        #expect(HCICommand.leReadRemoteFeatures(link).packet == hci("01 1620 02 4000"))
        #expect(HCICommand.leSetDataLength(link, .longest).packet == hci("01 2220 06 4000 FB00 4808"))
        #expect(HCICommand.leReadPHY(link).packet == hci("01 3020 02 4000"))
        #expect(HCICommand.readRSSI(link).packet == hci("01 0514 02 4000"))
        #expect(
            HCICommand.leSetPHY(link, tx: .twoMegabit, rx: .twoMegabit).packet == hci("01 3220 07 4000 00 02 02 0000"))
    }

    @Test("Parameters of a link are interval, latency, timeout, and the length of events")
    func linkParameters() {
        let fields = "4000 0600 800C F301 0A00"
        #expect(HCICommand.leConnectionUpdate(link, parameters).packet == hci("01 1320 0E \(fields) 0000 0000"))
        #expect(
            HCICommand.leRemoteConnectionParameterRequestReply(link, parameters, eventLength: 2...4).packet
                == hci("01 2020 0E \(fields) 0200 0400"))
        #expect(
            HCICommand.leRemoteConnectionParameterRequestNegativeReply(link).packet == hci("01 2120 03 4000 3B"))
    }
}

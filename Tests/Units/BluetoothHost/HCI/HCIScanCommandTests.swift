import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Commands for scanning and connecting")
struct HCIScanCommandTests {
    private let parameters = ConnectionParameters(
        shortestInterval: 0x18, longestInterval: 0x28, latency: 0, timeout: 0x48)

    @Test("A legacy scan")
    func scan() {
        var parameters = ScanParameters()
        #expect(HCICommand.leSetScanParameters(parameters).packet == hci("01 0B20 07 01 6000 3000 01 00"))
        parameters.isActive = false
        parameters.interval = 0x4000
        parameters.window = 0x0004
        parameters.ownAddress = .publicAddress
        parameters.filter = .acceptListExtended
        #expect(HCICommand.leSetScanParameters(parameters).packet == hci("01 0B20 07 00 0040 0400 00 03"))
        #expect(HCICommand.leSetScanEnable(true, dropsDuplicates: false).packet == hci("01 0C20 02 01 00"))
        #expect(HCICommand.leSetScanEnable(false, dropsDuplicates: true).packet == hci("01 0C20 02 00 01"))
    }

    @Test("An extended scan has its parameters once for each PHY, and none for the 2M PHY, where nobody scans")
    func extendedScan() {
        var parameters = ScanParameters()
        #expect(HCICommand.leSetExtendedScanParameters(parameters).packet == hci("01 4120 08 01 00 01 01 6000 3000"))
        parameters.phys = [.oneMegabit, .twoMegabit, .coded]
        #expect(
            HCICommand.leSetExtendedScanParameters(parameters).packet
                == hci("01 4120 0D 01 00 05 01 6000 3000 01 6000 3000"))
        #expect(
            HCICommand.leSetExtendedScanEnable(true, dropsDuplicates: true, duration: 500).packet
                == hci("01 4220 06 01 01 F401 0000"))
    }

    @Test("A legacy connection to a device, or to any of the filter accept list")
    func connect() {
        let peer = PeerAddress(.numbered(7), isRandom: true)
        var request = LEConnectionRequest(to: peer, parameters: parameters)
        #expect(
            HCICommand.leCreateConnection(request).packet
                == hci("01 0D20 19 6000 3000 00 01 0700000000C0 01 1800 2800 0000 4800 0000 0000"))
        request.peer = nil
        request.ownAddress = .resolvableOrRandom
        #expect(
            HCICommand.leCreateConnection(request).packet
                == hci("01 0D20 19 6000 3000 01 00 000000000000 03 1800 2800 0000 4800 0000 0000"))
    }

    @Test("An extended connection has its parameters once for each PHY")
    func extendedConnect() {
        var request = LEConnectionRequest(to: PeerAddress(.numbered(7), isRandom: false), parameters: parameters)
        let once = "6000 3000 1800 2800 0000 4800 0000 0000"
        #expect(
            HCICommand.leExtendedCreateConnection(request).packet
                == hci("01 4320 1A 00 01 00 0700000000C0 01 \(once)"))
        request.phys = [.oneMegabit, .twoMegabit, .coded]
        #expect(
            HCICommand.leExtendedCreateConnection(request).packet
                == hci("01 4320 3A 00 01 00 0700000000C0 07 \(once) \(once) \(once)"))
    }
}

import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Commands for advertising")
struct HCIAdvertisingCommandTests {
    @Test("Legacy advertising")
    func legacy() {
        var parameters = AdvertisingParameters()
        #expect(
            HCICommand.leSetAdvertisingParameters(parameters).packet
                == hci("01 0620 0F 3000 3000 00 01 00 000000000000 07 00"))
        parameters.kind = .directed
        parameters.peer = PeerAddress(.numbered(9), isRandom: true)
        parameters.interval = 0x20...0x4000
        parameters.channels = 1
        parameters.filter = .acceptList
        #expect(
            HCICommand.leSetAdvertisingParameters(parameters).packet
                == hci("01 0620 0F 2000 0040 04 01 01 0900000000C0 01 03"))
        #expect(HCICommand.leSetAdvertisingEnable(true).packet == hci("01 0A20 01 01"))
    }

    @Test("Legacy data fills 31 bytes, and more is cut off")
    func legacyData() {
        let short = HCICommand.leSetAdvertisingData([2, 1, 6])
        #expect(short.parameters == [3, 2, 1, 6] + [UInt8](repeating: 0, count: 28))
        #expect(short.opcode == .leSetAdvertisingData)
        let long = HCICommand.leSetScanResponseData([UInt8](repeating: 5, count: 40))
        #expect(long.parameters == [31] + [UInt8](repeating: 5, count: 31))
        #expect(long.opcode == .leSetScanResponseData)
    }

    @Test("An advertising set")
    func sets() {
        var parameters = ExtendedAdvertisingParameters()
        #expect(
            HCICommand.leSetExtendedAdvertisingParameters(1, parameters).packet
                == hci("01 3620 19 01 1300 300000 300000 07 01 00 000000000000 00 7F 01 00 01 00 00"))
        parameters.properties = [.directed, .connectable, .withTxPower]
        parameters.interval = 0x012345...0xFFFFFF
        parameters.peer = PeerAddress(.numbered(9), isRandom: true)
        parameters.txPower = -8
        parameters.secondaryPHY = .twoMegabit
        parameters.setID = 15
        parameters.reportsScanRequests = true
        #expect(
            HCICommand.leSetExtendedAdvertisingParameters(0xEF, parameters).packet
                == hci("01 3620 19 EF 4500 452301 FFFFFF 07 01 01 0900000000C0 00 F8 01 00 02 0F 01"))
        #expect(
            HCICommand.leSetAdvertisingSetRandomAddress(1, .numbered(3)).packet == hci("01 3520 07 01 0300000000C0"))
        #expect(HCICommand.leRemoveAdvertisingSet(1).packet == hci("01 3C20 01 01"))
    }

    @Test("Sets begin and end together; no sets means all")
    func enable() {
        let sets = [EnabledAdvertisingSet(1), EnabledAdvertisingSet(2, duration: 0x0102, mostEvents: 3)]
        #expect(
            HCICommand.leSetExtendedAdvertisingEnable(true, sets).packet
                == hci("01 3920 0A 01 02 01 0000 00 02 0201 03"))
        #expect(HCICommand.leSetExtendedAdvertisingEnable(false, []).packet == hci("01 3920 02 00 00"))
        let many = HCICommand.leSetExtendedAdvertisingEnable(true, (0..<200).map { EnabledAdvertisingSet($0) })
        #expect(many.parameters.count == 2 + 63 * 4)
    }

    @Test("Data of a set comes in one command, or in a first, intermediate and last one")
    func fragments() {
        func operations(_ count: Int) -> [[UInt8]] {
            let data = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let commands = HCICommand.leSetExtendedAdvertisingData(4, data)
            #expect(commands.flatMap { $0.parameters.dropFirst(4) } == data)
            #expect(commands.allSatisfy { $0.parameters[0] == 4 && Int($0.parameters[3]) == $0.parameters.count - 4 })
            return commands.map { Array($0.parameters[1...1]) + [$0.parameters[3]] }
        }
        #expect(operations(0) == [[3, 0]])
        #expect(operations(31) == [[3, 31]])
        #expect(operations(251) == [[3, 251]])
        #expect(operations(252) == [[1, 251], [2, 1]])
        #expect(operations(600) == [[1, 251], [0, 251], [2, 98]])
        #expect(
            HCICommand.leSetExtendedScanResponseData(4, [1]) == [
                HCICommand(.leSetExtendedScanResponseData, [4, 3, 0, 1, 1])
            ])
    }
}

import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Reports of advertisements")
struct AdvertisingReportTests {
    private func reports(_ parameters: String) throws -> [AdvertisingReport] {
        let bytes = hci(parameters)
        let event = try HCIEvent(decoding: [0x3E, UInt8(bytes.count)] + bytes)
        guard case .advertisingReports(let reports) = event else { throw Malformed("\(event)") }
        return reports
    }

    @Test("One event has several legacy reports")
    func legacy() throws {
        let reports = try reports("02 02 00 01 0500000000C0 03 020106 C8  04 00 0600000000C0 00 7F")
        #expect(reports.count == 2)
        #expect(reports[0].kind == [.legacy, .connectable, .scannable])
        #expect(reports[0].address == PeerAddress(.numbered(5), isRandom: true))
        #expect(reports[0].data == [2, 1, 6])
        #expect(reports[0].rssi == -56)
        #expect(reports[0].completeness == .complete)
        #expect(reports[1].kind == [.legacy, .scannable, .scanResponse])
        #expect(reports[1].address == PeerAddress(.numbered(6), isRandom: false))
        #expect(reports[1].rssi == nil)
    }

    @Test("The types of legacy reports, and an unknown one")
    func legacyTypes() throws {
        let kinds: [AdvertisementKind] = [
            [.legacy, .connectable, .scannable], [.legacy, .connectable, .directed], [.legacy, .scannable], [.legacy],
            [.legacy, .scannable, .scanResponse],
        ]
        for (type, kind) in kinds.enumerated() {
            #expect(try reports("02 01 0\(type) 01 0500000000C0 00 C8").map(\.kind) == [kind])
        }
        #expect(throws: Malformed("an LE Advertising Report event with the unknown type 5")) {
            try reports("02 01 05 01 0500000000C0 00 C8")
        }
    }

    @Test("A resolved address is an identity")
    func resolved() throws {
        let report = try reports("02 01 00 02 0500000000C0 00 C8")[0]
        #expect(report.isResolved)
        #expect(report.address == PeerAddress(.numbered(5), isRandom: false))
        #expect(try reports("02 01 00 03 0500000000C0 00 C8")[0].address?.isRandom == true)
    }

    @Test("A directed advertisement names its target")
    func directed() throws {
        let report = try reports("0B 01 01 01 0500000000C0 01 0600000000C0 C8")[0]
        #expect(report.kind == [.legacy, .connectable, .directed])
        #expect(report.target == PeerAddress(.numbered(6), isRandom: true))
        #expect(report.rssi == -56)
        #expect(try reports("0B 01 01 01 0500000000C0 FE 0600000000C0 C8")[0].target?.isRandom == true)
    }

    @Test("An extended report has PHYs, set, power, and whether more follows")
    func extended() throws {
        let fields = "01 0500000000C0 01 02 03 F8 C8 0000 00 000000000000"
        let report = try reports("0D 01 0100 \(fields) 02 AABB")[0]
        #expect(report.kind == [.connectable])
        #expect(report.primaryPHY == .oneMegabit)
        #expect(report.secondaryPHY == .twoMegabit)
        #expect(report.setID == 3)
        #expect(report.txPower == -8)
        #expect(report.rssi == -56)
        #expect(report.target == nil)
        #expect(report.data == [0xAA, 0xBB])
        #expect(try reports("0D 01 2000 \(fields) 00")[0].completeness == .partial)
        #expect(try reports("0D 01 4000 \(fields) 00")[0].completeness == .truncated)
        #expect(throws: Malformed("an LE Extended Advertising Report event with an unknown data status")) {
            try reports("0D 01 6000 \(fields) 00")
        }
    }

    @Test("Legacy, anonymous, and unknown values in extended reports")
    func extendedValues() throws {
        let legacy = try reports("0D 01 1B00 01 0500000000C0 01 00 FF 7F 7F 0000 00 000000000000 00")[0]
        #expect(legacy.kind == [.legacy, .connectable, .scannable, .scanResponse])
        #expect(legacy.secondaryPHY == nil)
        #expect(legacy.setID == nil)
        #expect(legacy.txPower == nil)
        #expect(legacy.rssi == nil)
        let anonymous = try reports("0D 01 0400 FF 000000000000 03 03 00 7F 7F 0000 01 0600000000C0 00")[0]
        #expect(anonymous.address == nil)
        #expect(anonymous.primaryPHY == .coded)
        #expect(anonymous.target == PeerAddress(.numbered(6), isRandom: true))
    }

    @Test(
        "A count without its reports, and data without its bytes, are errors",
        arguments: [
            "02 02 00 01 0500000000C0 00 C8", "02 01 00 01 0500000000C0 1F 0102 C8", "02 FF",
            "0B 01 01 01 0500000000C0 01",
            "0D 01 0000 01 0500000000C0 01 02 03 F8 C8 0000 00 000000000000 05 AABB",
        ])
    func broken(parameters: String) {
        #expect(throws: Malformed.self) { try reports(parameters) }
    }
}

import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("What goes into an advertisement")
struct AdvertisingPlanTests {
    private static let long = BluetoothUUID("7F000000-79E3-E78E-8231-9DFBF045BDD2") ?? BluetoothUUID(short: 0)

    private static func plan(_ name: String?, _ services: [BluetoothUUID] = []) -> AdvertisingPlan {
        AdvertisingPlan(AdvertisingContent(name: name, services: services), AdvertisingLayout())
    }

    @Test("Flags, services by size, then the name, all in one packet if there is room")
    func fits() {
        let plan = AdvertisingPlanTests.plan("Phone", [BluetoothUUID(short: 0x180F), BluetoothUUID(short: 0x180A)])
        #expect(plan.data == hci("02011A 05030F180A18 0609 50686F6E65"))
        #expect(plan.scanResponse.isEmpty)
        #expect(plan.shownName == "Phone")
        #expect(plan.hidden.isEmpty)
    }

    @Test("Nothing but flags without content")
    func empty() {
        #expect(AdvertisingPlanTests.plan(nil).data == hci("02011A"))
        #expect(AdvertisingPlanTests.plan("").shownName == nil)
    }

    @Test("Lists of 16, 32 and 128 bits are complete, least significant byte first", .shows("GAP/ADV/BV-01-C"))
    func sizes() throws {
        let middle = try #require(BluetoothUUID("12345678"))
        let plan = AdvertisingPlanTests.plan(nil, [AdvertisingPlanTests.long, middle])
        #expect(plan.data == hci("02011A 0505 78563412 1107 D2BD45F0FB9D31828EE7E3790000007F"))
        #expect(plan.hidden.isEmpty)
    }

    @Test("A long service leaves room for a name of 8 bytes, as in an iPhone's packet; another long one is hidden")
    func longService() throws {
        let other = try #require(BluetoothUUID("00000001-79E3-E78E-8231-9DFBF045BDD2"))
        let plan = AdvertisingPlanTests.plan("hightClub9", [AdvertisingPlanTests.long, other])
        #expect(plan.data.count == 31)
        #expect(plan.data[3...4] == [0x11, 0x06])
        #expect(plan.data[21...22] == [0x09, 0x08])
        #expect(plan.shownName == "hightClu")
        #expect(plan.hidden == [other])
    }

    @Test("A short service that still fits is shown after a long one that does not")
    func smallerFits() throws {
        let other = try #require(BluetoothUUID("00000001-79E3-E78E-8231-9DFBF045BDD2"))
        let plan = AdvertisingPlanTests.plan(nil, [AdvertisingPlanTests.long, other, BluetoothUUID(short: 0x180F)])
        #expect(plan.hidden == [other])
        #expect(plan.data[3...4] == [0x03, 0x03])
    }

    @Test("A name without room in the advertisement goes into the scan response, shortened to whole characters")
    func scanResponse() {
        let services = (0..<12).map { BluetoothUUID(short: UInt16($0)) }
        let plan = AdvertisingPlanTests.plan("Zoë漢字", services)
        #expect(plan.data.count == 29)
        // 7 bytes of 8: the next character has three.
        #expect(plan.shownName == "Zoë漢")
        #expect(plan.scanResponse.prefix(2) == [8, 0x08])
        #expect(plan.scanResponse.count == 9)
        let whole = AdvertisingPlanTests.plan("Zoë", services)
        #expect(whole.scanResponse == nameField("Zoë"))
    }

    @Test("A character that is too long for the room leaves no name")
    func longCharacter() {
        let services = (0..<13).map { BluetoothUUID(short: UInt16($0)) }
        let plan = AdvertisingPlanTests.plan("👨‍👩‍👧‍👦", services)
        #expect(plan.shownName == nil)
        #expect(plan.scanResponse.isEmpty)
    }

    @Test("In the background neither name nor services are shown")
    func background() {
        let service = BluetoothUUID(short: 0x180F)
        let content = AdvertisingContent(name: "Phone", services: [service], isForeground: false)
        let plan = AdvertisingPlan(content, AdvertisingLayout())
        #expect(plan.data == hci("02011A"))
        #expect(plan.scanResponse.isEmpty)
        #expect(plan.shownName == nil)
        #expect(plan.hidden == [service])
    }

    @Test("A service that is listed twice is advertised once")
    func twice() {
        let plan = AdvertisingPlanTests.plan(nil, [BluetoothUUID(short: 1), BluetoothUUID(short: 1)])
        #expect(plan.data == hci("02011A 03030100"))
        #expect(plan.hidden.isEmpty)
    }

    @Test("The transmit power is in the scan response, if the phone shows it")
    func txPower() {
        var layout = AdvertisingLayout()
        (layout.showsTxPower, layout.txPower) = (true, -8)
        let plan = AdvertisingPlan(AdvertisingContent(), layout)
        #expect(plan.scanResponse == [2, 0x0A, 0xF8])
    }

    @Test("Any content gives two packets of at most 31 bytes that read back as what the plan says")
    func anyContent() {
        var numbers = SeededNumbers(seed: 9)
        let letters = Array("aZ9é’👍🏽漢\0")
        for _ in 0..<5000 {
            let name = String(
                (0..<Int.random(in: 0...20, using: &numbers)).compactMap { _ in
                    letters.randomElement(using: &numbers)
                })
            let services = (0..<Int.random(in: 0...9, using: &numbers)).compactMap { _ -> BluetoothUUID? in
                let size = [2, 4, 16].randomElement(using: &numbers) ?? 2
                return BluetoothUUID(bytes: (0..<size).map { _ in UInt8.random(in: 0...255, using: &numbers) })
            }
            var layout = AdvertisingLayout()
            layout.space = Int.random(in: -5...60, using: &numbers)
            layout.nameSpace = Int.random(in: -5...60, using: &numbers)
            layout.showsTxPower = Bool.random(using: &numbers)
            let plan = AdvertisingPlan(AdvertisingContent(name: name, services: services), layout)
            #expect(plan.data.count <= 31 && plan.scanResponse.count <= 31)
            var fields = AdvertisingData(decoding: plan.data)
            fields.merge(AdvertisingData(decoding: plan.scanResponse))
            #expect(fields.name == plan.shownName)
            #expect(Set(fields.serviceUUIDs).union(plan.hidden) == Set(services))
        }
    }
}

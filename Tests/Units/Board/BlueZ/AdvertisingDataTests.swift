import Foundation
import HILTiming
import RadioModel
import TestSupport
import Testing

@testable import HILBlueZ

@Suite struct AdvertisingDataTests {
    private let die = DeviceAddress("02:00:00:00:02:B0")!
    private let start = ManualClock().now

    @Test("Every kind of field is parsed; a scan response may follow the zeros that fill the advertisement")
    func fields() throws {
        let service = try #require(BluetoothUUID("D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47"))
        let battery = try #require(BluetoothUUID("180F"))
        var bytes: [UInt8] = [2, 0x01, 0x06, 17, 0x07] + service.bytes.reversed()
        bytes += [3, 0x03, 0x0F, 0x18, 2, 0x0A, 0xF4, 4, 0xFF, 0x4C, 0x00, 0x10, 4, 0x16, 0x0F, 0x18, 0x63, 0, 0, 0]
        bytes += [6, 0x09] + Array("Die 7".utf8)
        let data = AdvertisingData(decoding: bytes)
        #expect(data.name == "Die 7")
        #expect(data.serviceUUIDs == [service, battery])
        #expect(data.txPower == -12)
        #expect(data.manufacturerData == [0x004C: Data([0x10])])
        #expect(data.serviceData == [battery: Data([0x63])])
    }

    @Test("A complete name is preferred to a shortened one, in either order")
    func completeName() {
        let short: [UInt8] = [4, 0x08] + Array("Die".utf8)
        let complete: [UInt8] = [6, 0x09] + Array("Die 7".utf8)
        #expect(AdvertisingData(decoding: short + complete).name == "Die 7")
        #expect(AdvertisingData(decoding: complete + short).name == "Die 7")
    }

    @Test("Payloads of every length are parsed, whatever lengths their fields claim", arguments: 0...255)
    func everyLength(length: Int) {
        for claimed in 0...255 {
            for type: UInt8 in [0x01, 0x02, 0x03, 0x05, 0x07, 0x08, 0x09, 0x0A, 0x16, 0x20, 0x21, 0xFF] {
                var bytes = [UInt8](repeating: 0xC3, count: length)
                if length > 0 { bytes[0] = UInt8(claimed) }
                if length > 1 { bytes[1] = type }
                let data = AdvertisingData(decoding: bytes)
                guard claimed >= length || claimed == 0 else { continue }
                #expect(data.name == nil && data.manufacturerData.isEmpty, "the first field reaches past the end")
            }
        }
    }

    @Test("Of fields that contradict each other, the last one counts; a repeated UUID is listed once")
    func conflicts() {
        let names: [UInt8] = [3, 0x09, 0x41, 0x42, 3, 0x09, 0x43, 0x44, 3, 0x08, 0x45, 0x46]
        #expect(AdvertisingData(decoding: names).name == "CD")
        let powers: [UInt8] = [2, 0x0A, 4, 2, 0x0A, 0xF4, 3, 0x0A, 1, 2]
        #expect(AdvertisingData(decoding: powers).txPower == -12, "a power of two bytes is ignored")
        let companies: [UInt8] = [4, 0xFF, 0xFF, 0xFF, 1, 4, 0xFF, 0xFF, 0xFF, 2]
        #expect(AdvertisingData(decoding: companies).manufacturerData == [0xFFFF: Data([2])])
        let services: [UInt8] = [3, 0x03, 0x0F, 0x18, 5, 0x05, 0x0F, 0x18, 0, 0]
        #expect(AdvertisingData(decoding: services).serviceUUIDs == [BluetoothUUID("180F")!])
        // Invalid UTF-8 is replaced, so that it is visible.
        #expect(AdvertisingData(decoding: [3, 0x09, 0xC3, 0x28]).name == "\u{FFFD}(")
    }

    @Test("Incomplete, overlong and random bytes are parsed without a trap, and fields before the fault count")
    func hostileBytes() {
        #expect(AdvertisingData(decoding: [3, 0x03, 0x0F, 0x18, 30, 0x09, 0x41]).serviceUUIDs.count == 1)
        #expect(AdvertisingData(decoding: [1, 0xFF, 2, 0xFF, 0x4C, 2, 0x16, 0x0F, 1, 0x0A, 255]) == AdvertisingData())
        var random = SystemRandomNumberGenerator()
        for length in 0..<500 {
            _ = AdvertisingData(decoding: (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        }
    }

    @Test("A new report is passed on at once, a changed signal after 100 ms, a repetition after 250 ms")
    func filter() {
        var filter = AdvertisementFilter<ManualClock.Instant>()
        var named = AdvertisingData()
        named.name = "Die 7"
        func tell(_ data: AdvertisingData, _ rssi: Int, at milliseconds: Int) -> Advertisement? {
            filter.take(die, data, rssi: rssi, at: start.advanced(by: .milliseconds(milliseconds)))
        }
        #expect(tell(.init(), -40, at: 0)?.name == nil)
        #expect(tell(.init(), -40, at: 20) == nil)
        #expect(tell(named, -40, at: 40)?.name == "Die 7")
        #expect(tell(.init(), -41, at: 60) == nil)
        #expect(tell(.init(), -41, at: 140)?.rssi == -41)
        #expect(tell(.init(), -41, at: 380) == nil)
        let repeated = tell(.init(), -41, at: 390)
        #expect(repeated?.name == "Die 7", "a packet without the name does not take it away")
        filter.reset()
        #expect(tell(.init(), -41, at: 400) != nil)
    }

    @Test("Many addresses do not fill the memory")
    func flood() {
        var filter = AdvertisementFilter<ManualClock.Instant>()
        for number in 0..<5000 {
            let address = DeviceAddress(bytes: [0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 0xFF)])!
            #expect(filter.take(address, .init(), rssi: nil, at: start) != nil)
        }
        #expect(filter.rememberedCount <= AdvertisementFilter<ManualClock.Instant>.capacity)
    }

    @Test(
        "The flags tell whether there may be classic Bluetooth", arguments: [(0x06, false), (0x02, true), (0x1A, true)])
    func flags(_ flags: UInt8, _ mayHaveClassic: Bool) {
        #expect(AdvertisingData(decoding: [2, 1, flags]).mayHaveClassic == mayHaveClassic)
        #expect(AdvertisingData(decoding: [1, 1]).mayHaveClassic == nil)
    }
}

import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Fields of packets")
struct PacketReaderTests {
    @Test("Fields come back as they were written")
    func roundTrip() throws {
        let address = try #require(DeviceAddress("9C:5A:81:00:00:01"))
        var bytes: [UInt8] = []
        bytes.append(uint16: 0x1234)
        bytes.append(uint24: 0x56789A)
        bytes.append(uint64: 0x0102_0304_0506_0708)
        bytes.append(address: address)
        bytes.append(uuid: BluetoothUUID(short: 0x2A00))
        var reader = PacketReader(bytes, of: "a packet")
        #expect(try reader.uint16() == 0x1234)
        #expect(try reader.uint24() == 0x56789A)
        #expect(try reader.uint64() == 0x0102_0304_0506_0708)
        #expect(try reader.address() == address)
        #expect(try reader.uuid(2) == BluetoothUUID(short: 0x2A00))
        try reader.end()
    }

    @Test("A packet that is too short is an error with both lengths")
    func tooShort() {
        var reader = PacketReader([1, 2, 3], of: "a packet")
        _ = try? reader.uint16()
        #expect(throws: Malformed("a packet of 3 bytes; at least 4 are needed")) { try reader.uint16() }
    }
}

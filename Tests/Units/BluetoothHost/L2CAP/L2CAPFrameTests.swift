import Testing

@testable import HILBluetoothHost

@Suite("L2CAP frames")
struct L2CAPFrameTests {
    @Test("A frame is its length, its channel and its payload")
    func layout() throws {
        let frame = L2CAPFrame(channel: .attributes, payload: [0x0A, 0x03, 0x00])
        #expect(frame.bytes == [0x03, 0x00, 0x04, 0x00, 0x0A, 0x03, 0x00])
        #expect(try L2CAPFrame(frame.bytes) == frame)
    }

    @Test("A frame without payload is whole")
    func empty() throws {
        #expect(try L2CAPFrame([0, 0, 6, 0]) == L2CAPFrame(channel: .securityManager, payload: []))
    }

    @Test("A length that differs from the bytes is an error", arguments: [[2, 0, 4, 0, 1], [1, 0, 4, 0, 1, 2]])
    func wrongLength(bytes: [UInt8]) {
        #expect(throws: Malformed.self) { try L2CAPFrame(bytes) }
    }

    @Test("A header that is too short is an error", arguments: 0..<4)
    func shortHeader(count: Int) {
        #expect(throws: Malformed.self) { try L2CAPFrame([UInt8](repeating: 0, count: count)) }
    }

    @Test("A payload of 65535 bytes fits, a longer one is cut")
    func longest() throws {
        let long = [UInt8](repeating: 7, count: 65540)
        let frame = try L2CAPFrame(L2CAPFrame(channel: .attributes, payload: long).bytes)
        #expect(frame.payload.count == 65535)
    }

    @Test("Channels have their names in texts")
    func names() {
        #expect(ChannelIdentifier.attributes.description == "ATT")
        #expect(ChannelIdentifier(rawValue: 0x0041).description == "CID 0x0041")
    }
}

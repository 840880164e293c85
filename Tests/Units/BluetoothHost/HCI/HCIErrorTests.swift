import Testing

@testable import HILBluetoothHost

@Suite("Error codes of HCI")
struct HCIErrorTests {
    @Test("An error is told in plain words with its code")
    func text() {
        #expect("\(HCIError.connectionTimeout)" == "the connection timed out (0x08)")
        #expect("\(HCIError(rawValue: 0x3E))" == "the connection could not be established (0x3E)")
    }

    @Test("An unknown code is kept, and told as unknown")
    func unknown() {
        let error = HCIError(rawValue: 0xF3)
        #expect(error.rawValue == 0xF3)
        #expect("\(error)" == "an unknown error (0xF3)")
    }

    @Test("Every code of the specification has a text of its own, and reserved codes have none")
    func complete() {
        let reserved: Set<UInt8> = [0x2B, 0x31, 0x33, 0x3F]
        let codes = Set((UInt8(0)...0x48).filter { !reserved.contains($0) })
        #expect(Set(HCIError.texts.keys) == codes)
        #expect(Set(HCIError.texts.values).count == codes.count)
    }

    @Test("Only code 0 is success")
    func success() {
        #expect((UInt8.min...UInt8.max).filter { HCIError(rawValue: $0).isSuccess } == [0])
    }
}

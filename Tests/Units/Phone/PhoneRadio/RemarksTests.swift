import BoardProtocol
import RadioModel
import Testing

@testable import HILPhoneRadio

@Suite("Remarks about odd devices")
struct RemarksTests {
    private let device = DeviceAddress("02:00:00:00:0C:01")

    @Test("A device that is odd without end fills no story; a new link is told again")
    func bounded() {
        var remarks = Remarks()
        let told = (0..<1000).compactMap { remarks.take("it is odd, \($0)", about: device) }
        #expect(told.count == Remarks.most && told.first == .noticed(device, "it is odd, 0"))
        #expect(told.last == .noticed(device, "it is odd, 49 (further remarks are left out)"))
        #expect(remarks.take("no device", about: nil) == .noticed(nil, "no device"))
        if let device { remarks.begin(device) }
        #expect(remarks.take("again", about: device) == .noticed(device, "again"))
    }

    @Test("Remarks about many devices take no more memory")
    func manyDevices() {
        var remarks = Remarks()
        for number in 0..<10_000 {
            _ = remarks.take(
                "it is odd", about: DeviceAddress(bytes: [2, 0, 0, 0, UInt8(number >> 8), UInt8(number & 0xFF)]))
        }
        #expect(remarks.deviceCount <= 64)
    }
}

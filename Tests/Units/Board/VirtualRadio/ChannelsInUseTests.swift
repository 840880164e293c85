import Foundation
import Testing

@testable import VirtualRadio

@Suite("The channels in use")
struct ChannelsInUseTests {
    private let path = NSTemporaryDirectory() + "hil-channels-\(UUID().uuidString)"

    @Test("The latest channels are read; before writing and after removing, they are not known")
    func told() throws {
        let inUse = ChannelsInUse(path: path)
        defer { inUse.remove() }
        #expect(inUse.read() == nil)
        try inUse.write([])
        #expect(inUse.read() == [])
        try inUse.write([2412, 5180, 5745])
        #expect(inUse.read() == [2412, 5180, 5745])
        try inUse.write([2472])
        #expect(inUse.read() == [2472])
        inUse.remove()
        #expect(inUse.read() == nil)
    }

    @Test("A file with other content gives no channels")
    func hostile() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data([0xFF, 0x0A, 0x32, 0x34, 0x31, 0x32, 0x0A, 0x78]).write(to: URL(fileURLWithPath: path))
        #expect(ChannelsInUse(path: path).read() == [2412])
    }
}
